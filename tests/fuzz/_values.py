"""Cells and words that readers trip over."""

import random

NUMBERS = [
    "NaN", "nan", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e-400", "-0", "-0.0", "1e308",
    "1.7976931348623159e308", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "00", "007", "+1", "1.", ".5", ".", "e5",
    "1e", "--1", "0x10", "1_000", "1,5", "1e5", "5e-324", "2147483648", "0.1.2", "1e999999999",
    "½", "٣", "１", "1 000", "1\u00a00",
]  # fmt: skip
WORDS = [
    "", " ", "true", "FALSE", "yes", "2020-01-01", "2020-13-45T99:99", "12:00", "=1+1",
    "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "<script>alert(1)</script>", "</script><b>",
    "&amp;", "{{7*7}}", "{0}", "%s%n", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m",
    "\u202eabc\u202c", "\u2066x\u2069", "a\u0301", "á", "\u212a", "K", "ß", "SS", "İ", "ı",
    "\ufeff", "\u2028", "\x85", "\u200b", "🏳️‍🌈", "null", "None", "NULL", "?", "NA", "<NA>",
    "\\N", "'", '"', '""', '"a', "a\"b", "'=x", "\t", "\r", "a\nb", "\x00", "a\x00b", "\x7f",
    "\x08\x08", "../../etc/passwd", "C:\\x", "$HOME", "`id`", ";rm", "score_", "y_true", "[]",
    "{}", "b'x'", "nan nan", "1 2", "ｔｒｕｅ", "::error::x", "  ::add-mask::a", "##[error]x",
    "a ##vso[task.complete]b", "##teamcity[x]", "x\n::stop-commands::y",
]  # fmt: skip


def nasty(rng: random.Random) -> str:
    """One value, now and then a very long one."""
    roll = rng.random()
    if roll < 0.45:
        return rng.choice(NUMBERS)
    if roll < 0.93:
        return rng.choice(WORDS)
    if roll < 0.96:
        return rng.choice('9a"é') * rng.choice([300, 5_000, 140_000])
    if roll < 0.98:
        return "".join(chr(rng.choice([rng.randrange(32), rng.randrange(0x2FF)])) for _ in range(9))
    return str(rng.choice([rng.randrange(-5, 5), rng.random(), rng.getrandbits(200)]))


def encoded(text: str) -> bytes:
    """UTF-8, also of what has none."""
    return text.encode("utf-8", errors="surrogatepass")

"""The views of a comparison: a sentence, the ranking in words, text of 80 columns, HTML."""

import math
from typing import TYPE_CHECKING

from heliast._core.numbers import Figures, Write, figures, number, points, shorten, written
from heliast._core.numbers import limits as heading
from heliast.views import html
from heliast.views.numbers import brief, in_percent, writes
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison, Difference

_MOST_PAIRS = 21
_NAME = 30
LONGEST = 2000
MOST_RANKED = 50


def text(value: object) -> str:
    """Any text made safe to stand in a page."""
    return html.text(value, LONGEST)


def p_words(p: float) -> str:
    """A p value as people write it.

    >>> p_words(0.0213), p_words(0.00002)
    ('0.021', '<0.001')
    """
    if math.isnan(p):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def comparison_sentence(found: "Comparison") -> str:
    """What a reader should take away first."""
    return " ".join(comparison_claims(found))


def comparison_claims(found: "Comparison") -> list[str]:
    """The same, who is best and how many pairs differ apart."""
    if len(found.pairs) == 1:
        one = found.pairs[0]
        worse = one.value > 0 if found.better == "low" else one.value < 0
        return [_of_pair(found, one.reversed if worse else one)]
    best, *others = found.order
    behind = [model for model in others if found[best, model].better]
    same = [model for model in others if model not in behind]
    real = sum(one.real for one in found.pairs)
    head = f"{_short(best)} {_does_best(found)} ({value_words(found, best)} as seen)"
    if not behind:
        head += ", but is not told apart from any other model"
    elif not same:
        head += ", better than every other model"
    else:
        head += f", better than {listed(behind)}; not told apart from {listed(same)}"
    apart = (
        f"{real or 'None'} of {len(found.pairs)} pairs {'is' if real == 1 else 'are'} told apart"
    )
    together = "for all together" if found.correction == "holm" else "each by itself"
    return [f"{head}.", f"{apart} {_at(found)} {together}{beyond(found)}."]


def _of_pair(found: "Comparison", one: "Difference") -> str:
    """One pair, the better model first."""
    if one.identical:
        return f"{_short(one.a)} and {_short(one.b)} make identical predictions."
    sure = f"(p = {p_words(one.p)}, {brief(one.method)})".replace("= <", "< ").replace(
        "= -", "unknown"
    )
    by = f"by {_size(found, one)}"
    if one.real:
        apart = f"told apart from 0 {_at(found)}"
        if not one.beyond:
            apart += f", perhaps smaller than the margin of {_margin(found)}"
        elif found.margin:
            apart += f", and from the margin of {_margin(found)}"
        return f"{_more(found, one)} {by}: {apart} {sure}."
    if one.equivalent:
        return (
            f"{_short(one.a)} and {_short(one.b)} are equivalent within the margin of "
            f"{_margin(found)}: {found.measure} differs {by}, {_level(found, one)} interval"
            f" [{gain(found, one.value, one.low90, one.high90).between}] {sure}."
        )
    why = f" {_stop(one.reason)}" if one.reason and math.isnan(one.low) else ""
    if one.value == 0:
        names = f"{_short(one.a)} and {_short(one.b)}"
        return f"{names} have the same {found.measure} here; undecided {sure}.{why}"
    if math.isnan(one.p) and why:
        return f"{_more(found, one)} {by}: undecided, as the test ({one.method}) has no p.{why}"
    return f"{_more(found, one)} {by}: undecided, it may be chance {sure}.{why}"


def _more(found: "Comparison", one: "Difference") -> str:
    a, b = _short(one.a), _short(one.b)
    if found.measure == "error":
        return f"{a} errs less than {b}"
    if found.measure == "accuracy":
        return f"{a} is right more often than {b}"
    return f"{a} has a {'lower' if found.better == 'low' else 'higher'} {found.measure} than {b}"


def _does_best(found: "Comparison") -> str:
    if found.measure == "error":
        return "errs least"
    return f"has the {'lowest' if found.better == 'low' else 'highest'} {found.measure}"


def _size(found: "Comparison", one: "Difference") -> str:
    """How much the better one is better, seen as an advantage: 3.1 points [0.5 to 5.7]."""
    shown = gain(found, one.value, one.low, one.high)
    unit = " points" if in_percent(found.measure) else ""
    return f"{shown.value}{unit}" + (f" [{shown.between}]" if shown.known else "")


def gain(found: "Comparison", value: float, low: float, high: float) -> Figures:
    """A difference and its interval, turned so that more is better."""
    write: Write = points if in_percent(found.measure) else number
    if found.better == "low":
        value, low, high = -value, -high, -low
    return written(value + 0.0, low + 0.0, high + 0.0, write)


def _at(found: "Comparison") -> str:
    return f"at {100 * (1 - found.level):.3g}%"


def _level(found: "Comparison", one: "Difference") -> str:
    """The level behind an equivalence: two one-sided tests, each at half of what it leaves."""
    each = found.level if math.isnan(one.each_level) else one.each_level
    return f"{100 * (2 * each - 1):.4g}%"


def _margin(found: "Comparison") -> str:
    margin = found.margin or 0.0
    if not in_percent(found.measure):
        return f"{margin:g}"
    return f"{100 * margin:g} point{'' if margin == 0.01 else 's'}"


def beyond(found: "Comparison") -> str:
    """How many pairs differ by more than the margin, where one was set."""
    if not found.margin or not any(one.real for one in found.pairs):
        return ""
    far = sum(one.beyond for one in found.pairs)
    return f", {far} by more than the margin of {_margin(found)}"


def margin_note(found: "Comparison") -> list[str]:
    """What the margin means, where one was set."""
    if found.margin is None:
        return []
    if not found.margin:
        return ["margin: 0, so every difference matters"]
    return [f"margin: a difference up to {found.margin:g} is taken not to matter"]


def value_words(found: "Comparison", model: str) -> str:
    """A model's own value."""
    return writes(found.measure)(found.values[model], 0)


def _short(name: str) -> str:
    return shorten(name, _NAME)


def _stop(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def listed(names: list[str]) -> str:
    """Names in a row, the first few of many."""
    shown = [_short(name) for name in names[:5]]
    if len(names) > 5:
        shown.append(f"{len(names) - 5} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def ranking_words(found: "Comparison") -> str:
    """Best first, each with those before it that it is not told apart from."""
    said, order = [], found.order
    for place, model in enumerate(order[:MOST_RANKED]):
        before = [other for other in order[:place] if found.tested(other, model)]
        tied = [other for other in before if not found[other, model].real]
        words = f"{place + 1}. {_short(model)} {value_words(found, model)}"
        if tied and len(tied) == len(before) > 1:
            words += " (not told apart from any before it)"
        elif tied:
            words += f" (not told apart from {listed(tied)})"
        said.append(words)
    more = f"; and {len(order) - MOST_RANKED:,} more" if len(order) > MOST_RANKED else ""
    return "; ".join(said) + f"{more}."


def more_words(found: "Comparison") -> str:
    """How many fresh cases would decide what is undecided at the top; empty if nothing is."""
    best = found.order[0]
    for other in found.order[1:]:
        one = found[best, other]
        if one.finding.kind != "undecided":
            continue
        if not found.margin:
            return f"To learn how many {found.unit} would decide it, give the margin that matters."
        needed = one.cases_to_decide(margin=found.margin)
        pair = "it" if len(found.pairs) == 1 else f"{_short(best)} against {_short(other)}"
        if math.isfinite(needed.cases):
            return (
                f"About {rounded(needed.cases)} fresh {needed.unit} would decide {pair} with "
                f"probability {needed.power:.0%}, whether the true difference is {found.margin:g} "
                f"(the margin) or 0. The {needed.unit} at hand do not count, as they were looked "
                "at already."
            )
    return ""


def rounded(count: float) -> str:
    """Two figures: more would say that we know better.

    >>> rounded(17.2), rounded(12345), rounded(3.2e9)
    ('18', '12,000', '3.2e+09')
    """
    if count >= 1e9:
        return f"{count:.2g}"
    return f"{float(f'{count:.2g}'):,.0f}" if count >= 100 else f"{math.ceil(count)}"


# --- tables ------------------------------------------------------------------------------------


def comparison_text(found: "Comparison", width: int | None = None) -> str:
    """Everything worth showing of a comparison, in plain text of at most `width` columns."""
    width = width or columns()
    blocks = [wrapped(found.sentence, width), _pairs(found, width), _probabilities(found, width)]
    if len(found.models) > 2:
        blocks.append(_ranked(found, width) or wrapped(f"Best first: {found.ranking}", width))
    blocks.append(wrapped(more_words(found), width))
    blocks.append(wrapped(f"Test: {found.reason_for_test}.", width))
    blocks.append(numbered(_said(found), width))
    blocks.append("" if found.slices is None else str(found.slices))
    return "\n\n".join(block for block in blocks if block)


def _ranked(found: "Comparison", width: int) -> str:
    """The models, best first, with the ranks that are possible; empty where these are not known."""
    ranks = found.ranks
    if not ranks:
        return ""
    head = ["model", found.measure, "possible ranks"]
    rows = [
        [shorten(one.model, 40), value_words(found, one.model), one.words]
        for one in ranks[:MOST_RANKED]
    ]
    more = len(ranks) - len(rows)
    end = f"\nand {more} more models: see ranks." if more else ""
    together = f"Ranks of all models hold together at {100 * found.level:g}%."
    return f"{table(head, rows, width)}{end}\n{together}"


def _pairs(found: "Comparison", width: int) -> str:
    shown = found.pairs
    head = ["a", "b", "a minus b", heading(found.level), "p", "a is"]
    words = [one.verdict for one in shown]
    longest = max(len(word) for word in [*words, head[5]])
    room = max(12, (width - 56) // 2)
    rows = [
        [
            shorten(one.a, room), shorten(one.b, room).ljust(3), size.value, size.between,
            p_words(one.p), one.verdict.ljust(longest),
        ]
        for one in shown[:_MOST_PAIRS]
        for size in [figures(one)]
    ]  # fmt: skip
    head[5] = head[5].ljust(longest)
    wide = max(len(row[1]) for row in rows)
    rows = [[row[0], row[1].ljust(wide), *row[2:]] for row in rows]
    if found.unit == "items":
        head, rows = _with_counts(found, head, rows, width)
    more = len(shown) - len(rows)
    end = f"\nand {more} more pairs: see to_frame()." if more else ""
    return table([head[0], head[1].ljust(wide), *head[2:]], rows, width) + end


def _with_counts(
    found: "Comparison", head: list[str], rows: list[list[str]], width: int
) -> tuple[list[str], list[list[str]]]:
    """Beside each pair on how many items a won, tied and lost, where there is room for it."""
    counts = ["-".join(map(str, one.won or ())) for one in found.pairs[: len(rows)]]
    cells = [[*head, "won-tied-lost"], *([*row, n] for row, n in zip(rows, counts, strict=True))]
    taken = sum(2 + max(len(row[at]) for row in cells) for at in range(len(cells[0]))) - 2
    return (cells[0], cells[1:]) if taken <= width else (head, rows)


def _probabilities(found: "Comparison", width: int) -> str:
    """The three probabilities of each pair, if they were asked for."""
    asked = [(one, one.bayes) for one in found.pairs if one.bayes is not None][:_MOST_PAIRS]
    if not asked:
        return ""
    head = ["a", "b", "P(a better)", f"P(within {found.margin or 0:g})", "P(b better)"]
    wide = max(len(head[1]), *(len(shorten(one.b, 20)) for one, _ in asked))
    rows = [
        [
            shorten(one.a, 20), shorten(one.b, 20).ljust(wide), *map(_chance, shares),
        ]
        for one, bayes in asked
        for shares in [(bayes.a_better, bayes.equivalent, bayes.b_better)]
    ]  # fmt: skip
    method = f"{asked[0][1].method}: probabilities, not corrected for the number of pairs."
    shown = table([head[0], head[1].ljust(wide), *head[2:]], rows, width)
    return f"{shown}\n{wrapped(method, width)}"


def _chance(share: float) -> str:
    """A probability in per cent, never rounded to 0 or 100 unless it is."""
    if 0 < share < 0.001:
        return "<0.1%"
    return ">99.9%" if 0.999 < share < 1 else f"{share:.1%}"


def _said(found: "Comparison") -> list[str]:
    """Omnibus, margin, correction, notes, and what was left out."""
    said = []
    if found.omnibus is not None:
        one = found.omnibus
        shown = f"p = {p_words(one.p)}".replace("= <", "< ")
        said.append(f"all models at once: {one.method}, {shown}")
    if found.nemenyi is not None:
        ranks = ", ".join(
            f"{_short(model)} {rank:.2f}"
            for model, rank in zip(found.models, found.nemenyi.ranks, strict=True)
        )
        apart = number(found.nemenyi.critical_difference)
        said.append(f"mean ranks: {ranks}; critical difference {apart} (Nemenyi, for display)")
    said += [*margin_note(found), *found.notes]
    said += notes_of_pairs(found)
    for one_ in found.pairs:
        if one_.equivalent:
            about = f"{_short(one_.a)} and {_short(one_.b)}: " if len(found.pairs) > 1 else ""
            ends = written(one_.value, one_.low90, one_.high90).between
            said.append(f"{about}equivalent, as the {_level(found, one_)} interval is {ends}")
    said += [f"left out: {_short(name)} ({why})" for name, why in found.left_out.items()]
    return list(dict.fromkeys(said))


def notes_of_pairs(compared: "Comparison") -> list[str]:
    """Notes of pairs and why intervals are missing, each once, with whom it holds for or, of many,
    how many; of one pair, as they are.
    """
    whose: dict[str, list[str]] = {}
    for one in compared.pairs:
        for line in filter(None, dict.fromkeys((*one.notes, one.reason))):
            whose.setdefault(line, []).append(f"{_short(one.a)} and {_short(one.b)}")
    every = len(compared.pairs)
    if every == 1:
        return list(whose)
    return [
        f"{'; '.join(names) if len(names) < 4 else f'{len(names)} of {every} pairs'}: {line}"
        for line, names in whose.items()
    ]


def comparison_html(found: "Comparison") -> str:
    """The sentence, a table of pairs, why this test, and the notes; everything escaped."""
    names = ("a", "b", "a minus b", heading(found.level), "p", "a is", "method")
    rows = [
        html.left(text(one.a), text(one.b))
        + html.right(size.value)
        + html.left(size.between, *map(text, (p_words(one.p), one.verdict, one.method)))
        for one in found.pairs
        for size in [figures(one)]
    ]
    ranking = f"<p>Best first: {text(found.ranking)}</p>" if len(found.models) > 2 else ""
    more = f"<p>{text(more_words(found))}</p>" if more_words(found) else ""
    return (
        f"<p>{text(found.sentence)}</p>{html.table(names, rows)}{_chances_html(found)}{ranking}"
        f"{more}<p>Test: {text(found.reason_for_test)}.</p>{html.notes(_said(found), LONGEST)}"
        + ("" if found.slices is None else found.slices._repr_html_())
    )


def _chances_html(found: "Comparison") -> str:
    asked = [(one, one.bayes) for one in found.pairs if one.bayes is not None]
    if not asked:
        return ""
    names = ("a", "b", "P(a better)", f"P(within {found.margin or 0:g})", "P(b better)", "method")
    rows = [
        html.left(text(one.a), text(one.b))
        + "".join(
            html.right(text(_chance(share)))
            for share in (bayes.a_better, bayes.equivalent, bayes.b_better)
        )
        + html.left(text(bayes.method))
        for one, bayes in asked
    ]
    return html.table(names, rows)

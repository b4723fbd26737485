"""How large src/heliast is, in code tokens (no comments, docstrings or layout), by package.

    python tools/size.py [FOLDER]

`make check` prints the packages beside what they aim at (tools/size.toml) and fails only
if the whole grew beyond the recorded total. Tokens do not shrink by longer lines.
"""

import ast
import io
import sys
import tokenize
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def count_tokens(text: str) -> int:
    """The code tokens of a module; an f-string is one token, as it was before Python 3.12."""
    docstrings = docstring_lines(ast.parse(text))
    start = getattr(tokenize, "FSTRING_START", -1)
    end = getattr(tokenize, "FSTRING_END", -1)
    tokens, depth = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == end:
            depth -= 1
        elif depth == 0 and token.type not in LAYOUT:
            tokens += not (token.type == tokenize.STRING and token.start[0] in docstrings)
        depth += token.type == start
    return tokens


def docstring_lines(tree: ast.AST) -> set[int]:
    """Lines of statements that are a string: docstrings, and notes under constants."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def sizes(folder: Path) -> dict[str, int]:
    """Tokens by package; modules beside the packages count as `root`."""
    tokens: dict[str, int] = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        package = parts[0] if len(parts) > 1 else "root"
        tokens[package] = tokens.get(package, 0) + count_tokens(path.read_text(encoding="utf-8"))
    return tokens


def main() -> int:
    """Print the ledger; 1 if the total grew."""
    ledger = tomllib.loads((ROOT / "tools/size.toml").read_text(encoding="utf-8"))
    tokens = sizes(ROOT / "src/heliast")
    print(f"{'packages':44}{'tokens':>9}{'aim':>9}")
    left = dict(tokens)
    for row in ledger["aims"]:
        names = row["packages"].split()
        count = sum(left.pop(name, 0) for name in names)
        print(f"{row['packages']:44}{count:9,}{row['tokens']:9,}")
    for package, count in left.items():
        print(f"{package:44}{count:9,}{'none':>9}")
    total, recorded = sum(tokens.values()), ledger["recorded"]
    print(f"{'all':44}{total:9,}{ledger['aim']:9,}   recorded: {recorded:,}")
    if total > recorded:
        print(f"src/heliast grew: {total:,} tokens, {recorded:,} are recorded in tools/size.toml")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(
            *(f"{package:16}{count:9,}" for package, count in sizes(Path(sys.argv[1])).items()),
            sep="\n",
        )
    else:
        sys.exit(main())

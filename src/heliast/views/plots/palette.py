"""Colours: told apart by colour-blind readers, readable on light and on dark.

Every shape carries its light colour as a plain attribute, for viewers that know no more, and a
class whose colour follows the reader's scheme. A page overrides any of them for all plots in it
by setting the variable: `--heliast-paper: transparent`.
"""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1c2430",
    "soft": "#56616e",
    "rule": "#e3e7eb",
    "axis": "#7b8794",
    "good": "#0072b2",
    "bad": "#d55e00",
    "night": "#10151c",
}
DARK = {
    "paper": "#15191f",
    "ink": "#e8ebef",
    "soft": "#a9b3be",
    "rule": "#2c333b",
    "axis": "#7f8b97",
    "good": "#56b4e9",
    "bad": "#ff8f4d",
    "night": "#10151c",
}
SERIES = (
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8f4d"),
    ("#00805e", "#35c9a0"),
    ("#a6409a", "#e39ad6"),
    ("#8a6a00", "#e6c34a"),
    ("#4c55c4", "#a8b1ff"),
)
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 3 6 3")
"""The second way to tell lines apart, for readers and printers without colours."""

for _place, (_light, _dark) in enumerate(SERIES):
    LIGHT[f"s{_place}"], DARK[f"s{_place}"] = _light, _dark


def series(place: int) -> str:
    """The name of the colour of the line drawn in this place."""
    return f"s{place % len(SERIES)}"


def dash(place: int) -> str:
    """The dashes of the line drawn in this place; lines of one colour differ in them."""
    return DASHES[(place + place // len(SERIES)) % len(DASHES)]


def _rules(colours: dict[str, str]) -> str:
    return "".join(
        f".hl-f-{name}{{fill:var(--heliast-{name},{value})}}"
        f".hl-l-{name}{{stroke:var(--heliast-{name},{value})}}"
        for name, value in colours.items()
    )


STYLE = (
    ".hl{max-width:100%;height:auto}"
    + _rules(LIGHT)
    + f"@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"
)
"""The same in every drawing, so that several in one page cannot disagree."""

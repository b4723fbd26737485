"""Slides on evaluation: quantiles, the Wilson interval, pessimistic errors."""

from collections.abc import Iterator

from scipy.stats import norm

from heliast.estimates import wilson
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value

QUANTILES = {0.99: 2.58, 0.98: 2.33, 0.95: 1.96, 0.90: 1.65, 0.50: 0.67}


@study(
    "slides-c-wilson",
    "Quantiles of the normal, and the Wilson interval at f = 85%",
    design="Two-sided quantiles for each printed level; Wilson intervals at f = 0.85 and rising N.",
    tolerance="0.0052: the printed quantiles have two digits, and 1.645 is printed as 1.65.",
)
def slides_c_wilson(setting: Setting) -> Iterator[Value | Claim | Note]:
    """The table of z, and that uncertainty narrows as N grows."""
    for level, printed in QUANTILES.items():
        ours = float(norm.ppf((1 + level) / 2))
        yield Value("z", f"level {level:g}", "", printed, ours, 0.0052)
    found = [wilson(0.85 * n, n) for n in (20, 100, 1000, 10_000)]
    widths = [one.high - one.low for one in found]
    yield Claim(
        "with constant f = 85% the uncertainty for p narrows as N grows",
        widths == sorted(widths, reverse=True),
        ", ".join(f"[{one.low:.3f}, {one.high:.3f}]" for one in found),
    )
    yield Note(
        "Left out: level 0.75, printed 1.04, which belongs to 0.70; it is 1.15. The pessimistic "
        "end of the slides is one-sided: z = 1.96 is a bound at 97.5%."
    )

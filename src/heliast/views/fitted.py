"""How a fitted model reads: what its recipe is worth, and what that says of the model itself."""

from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import count, shorten
from heliast.views.html import assessment_html
from heliast.views.sentences import claims
from heliast.views.terminal import assessment_text, wrapped

if TYPE_CHECKING:
    from heliast.verbs.fit import Fitted


def fitted_sentence(it: "Fitted") -> str:
    """The estimate, and what it speaks for: the recipe on fewer rows, not this one model."""
    (said,) = claims(it.estimate, it.choice, together=True)
    rows = "" if it.n_train is None else f" on {count(it.n_train)} rows"
    if it.estimate.target == "algorithm":
        said = said[:1].upper() + said[1:]
    return (
        f"{said} The model is {shorten(it.name, 40)} fitted on all {count(it.n)} rows; the "
        f"estimate speaks for its recipe, fitted{rows} and judged on others, not for this one "
        "fit: no row is left to judge it by."
    )


def fitted_text(it: "Fitted") -> str:
    """The sentence, and every model beside it."""
    return f"{wrapped(fitted_sentence(it))}\n\n{assessment_text(it.assessment)}"


def fitted_html(it: "Fitted") -> str:
    """The same for a notebook, everything escaped."""
    return f"<p>{escape(fitted_sentence(it))}</p>{assessment_html(it.assessment)}"

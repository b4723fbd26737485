"""Pictures of what theory says of rates: the ROC curve of two normals, and the F surface."""

from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast.curves import FSurface, NormalRoc, Roc
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, picture, rows
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series

MOST_CLASSES = 8
HEIGHTS = tuple(tenth / 10 for tenth in range(1, 10))
CHANCE = m.stroke("axis", 1, "4 4")


@picture(
    NormalRoc, sampled="sequence of Roc: Curves of rows that were drawn, to set beside the theory."
)
def normal_roc(
    records: NormalRoc | Sequence[NormalRoc],
    names: Sequence[str] | None = None,
    *,
    sampled: Sequence[Roc] = (),
    title: str = "ROC curve of two normals",
) -> str:
    """The exact curve, with those of samples beside it and the diagonal of a random choice.

    Examples
    --------
    >>> from heliast import curves
    >>> theory = curves.normal_roc(1.5)
    >>> drawn = curves.roc(theory.sample(30, 30))
    >>> normal_roc(theory, sampled=[drawn]).startswith("<svg")
    True
    """
    found = named(records, NormalRoc, names)
    chart = Chart(
        title,
        "scores of both classes are normal; positive if score ≥ threshold",
        "false positive rate",
        "true positive rate",
    )
    chart.line(np.array([0, 1]), np.array([0, 1]), **CHANCE)
    for place, (name, drawn) in enumerate(named(list(sampled), Roc, None) if sampled else ()):
        said, about = f": AUC {number(drawn.auc)}", f"; {rows(drawn)}."
        chart.curve(len(found) + place, name, said, drawn.fpr, drawn.tpr, about, wide=1.5)
    for place, (name, record) in enumerate(found):
        apart = f"distance {record.distance:g}"
        if record.spread != 1:
            apart += f", spread {record.spread:g}"
        said = f": {apart}, AUC {number(record.auc)}"
        chart.curve(place, name, said, record.fpr, record.tpr, ".", wide=2.5)
    chart.key("random choice: AUC 0.5", **CHANCE)
    return chart.svg()


@picture(FSurface, raises="If the records weigh recall differently.")
def f_surface(
    records: FSurface | Sequence[FSurface],
    names: Sequence[str] | None = None,
    *,
    title: str = "F over precision and recall",
) -> str:
    """Lines of equal F, darker where F is higher, and the points of models and classes.

    Examples
    --------
    >>> from heliast import curves
    >>> f_surface(curves.f_surface()).startswith("<svg")
    True
    """
    found = named(records, FSurface, names)
    betas = {record.beta for _, record in found}
    if len(betas) > 1:
        raise InputError("f_surface: the records weigh recall differently; draw them apart")
    first = found[0][1]
    about = about_class([one for _, one in found]) if first.class_ is not None else "every class"
    chart = Chart(title, f"beta {betas.pop():g}; {about}", "recall", "precision")
    for height in HEIGHTS:
        _height(chart, first, height)
    for place, (name, record) in enumerate(found):
        _points(chart, place, name, record)
    if len(first.classes) > 1:
        for at, class_ in enumerate(first.classes[:MOST_CLASSES]):
            said = f": F {number(float(first.f[at]))}" if len(found) == 1 else ""
            chart.key(f"class {class_}", said, sign=at, **m.fill("soft"))
    chart.captions.append(
        "On each line F is the same; where precision equals recall, F equals both."
    )
    chart.captions += notes([record for _, record in found])
    return chart.svg()


def _height(chart: Chart, record: FSurface, height: float) -> None:
    recall, precision = record.line(height)
    px, py = chart.x(recall), chart.y(precision)
    # Areas lie on each other, so that each step up is a shade darker.
    xs, ys = np.append(px, chart.wide), np.append(py, 0.0)
    area = m.tag("polygon", points=m.points(xs, ys), fill_opacity="0.08", **m.fill("good"))
    chart.marks.append(area)
    chart.line(recall, precision, f"F = {height:g}", **m.stroke("good", 1))
    at = float(chart.x(height)), float(chart.y(height))
    chart.marks.append(m.words(at[0] + 3, at[1] - 3, f"{height:g}", 10, "soft"))


def _points(chart: Chart, place: int, name: str, record: FSurface) -> None:
    if not record.classes:
        return
    for at, class_ in enumerate(record.classes):
        if np.isnan(record.precision[at]):
            chart.captions.append(f"No row was given the class {class_}: it has no precision.")
            continue
        x, y = float(chart.x(record.recall[at])), float(chart.y(record.precision[at]))
        tip = f"{name}, class {class_}: F {number(float(record.f[at]))}"
        chart.marks.append(m.sign(at, x, y, 5.5, tip, **m.rimmed(series(place))))
        chart.about.append(f"{tip}.")
    if len(record.classes) == 1:
        p, r = float(record.precision[0]), float(record.recall[0])
        said = f": F {number(float(record.f[0]))}, precision {number(p)}, recall {number(r)}"
    else:
        said = f": mean F {number(record.mean)} of {len(record.classes)} classes"
    chart.key(name, said, sign=0, **m.fill(series(place)))

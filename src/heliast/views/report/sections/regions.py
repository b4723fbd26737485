"""Where the models decide for which class, if the data have two inputs."""

from heliast.views import plots
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import drawn

MOST_MODELS = 6


def build(material: Material) -> Part | None:
    """One picture a model, best first; without rows, which a report never holds."""
    if not material.regions:
        return None
    place = {model: at for at, model in enumerate(material.order)}
    apart = {*material.every.stages} - {*material.order}
    drawable = [one for one in material.regions if one.model not in apart]
    found = sorted(drawable, key=lambda one: place.get(one.model, len(place)))
    shown = found[:MOST_MODELS]
    return {
        "lead": (
            "Which class each model decides for, over the two inputs, as fitted on all rows; the "
            "rows themselves are not shown: of each class the mean, and lines of one and two "
            "standard deviations."
        ),
        "figures": [
            drawn(
                plots.regions(
                    one,
                    [material.model_names.get(one.model, one.model)],
                    points=False,
                    normals=True,
                )
            )
            for one in shown
        ],
        "notes": [f"{len(shown)} of {len(found)} models are shown."] * (len(found) > len(shown)),
    }


SECTION = Section("regions", "Decision regions", build, short="Regions")

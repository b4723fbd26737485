"""Student's interval for a mean of per-row losses."""

from heliast.estimates._means import mean_limits, of_losses
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures.forms import Mean


def student_t(values: object, level: float = 0.95) -> Estimate:
    """The mean of per-row losses +- t s / sqrt(n), s and t with n - 1 degrees of freedom.

    Undefined without rows; one row has a value but no interval.

    >>> student_t([0.1, 0.2, 0.3, 0.6])
    Estimate(0.3 [-0.04374, 0.6437], Student t)
    """
    return of_losses(values, level, "Student t", student=True)


@interval("student_t", "Student t", (Mean,))
def _student_t(case: Case) -> Limits:
    """Student's t over the row losses, with G - 1 degrees of freedom for G groups."""
    return mean_limits(case, "Student t", student=True)

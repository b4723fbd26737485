"""What goes wrong, in words a user can act on. The command line turns each into its exit code."""


class HeliastError(Exception):
    """Base of all errors raised on purpose: the message says what, where, why, what to do.

    Examples
    --------
    >>> import heliast as hl
    >>> issubclass(hl.InputError, hl.HeliastError), issubclass(hl.NotEnoughData, hl.HeliastError)
    (True, True)
    """

    exit_code = 2


class InputError(HeliastError, ValueError):
    """The data, a file or an argument cannot be used as it is (exit code 2).

    Examples
    --------
    >>> import heliast as hl
    >>> hl.measures.get("acuracy")
    Traceback (most recent call last):
    heliast._core.errors.InputError: no measure named 'acuracy'; did you mean 'accuracy'?
    """


class NotPredictions(InputError):  # noqa: N818 - it names the finding
    """A file without a truth, or without anything decided: it may hold data instead."""


class LooksPredicted(InputError):  # noqa: N818 - it names the finding
    """Data to fit models on that look like what a model said."""


class ScoresAsLabels(InputError):  # noqa: N818 - it names the finding
    """Fractions given as what was decided between classes: they are scores, or both are numbers.

    `what` was found, `otherwise` is what to say where they are numbers.
    """

    def __init__(self, what: str, otherwise: str) -> None:
        say = "say y_score= in place of y_pred= (command line: --y-score COLUMN)"
        super().__init__(f"{what}; {say}{otherwise}")
        self.what, self.otherwise = what, otherwise


class NothingFitted(InputError):  # noqa: N818 - it names the finding
    """No model could be fitted in any split of these data; on others they may."""


class NotEnoughData(HeliastError):  # noqa: N818 - it names the finding, not a fault
    """The question is well put but these data cannot answer it (exit code 3).

    Examples
    --------
    >>> import heliast as hl
    >>> raise hl.NotEnoughData("no finished cell")
    Traceback (most recent call last):
    heliast._core.errors.NotEnoughData: no finished cell
    """

    exit_code = 3

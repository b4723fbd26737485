"""The vote of two-sided questions about the classes: output codes with any decoder."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from heliast import codes, decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told
from heliast.decoders.least_squares import check_lam
from heliast.ensembles._ballots import codes_of, grid
from heliast.ensembles._coded_columns import Columns
from heliast.ensembles._coded_decoding import Decoding, Said, check_upto
from heliast.ensembles._coded_fitting import CODE, Fitting
from heliast.ensembles._coded_needs import USUAL, Needs, chooses, refuse_weights, settings_of
from heliast.ensembles._draws import generator, root_seed
from heliast.ensembles._ensemble import SETTINGS, Ensemble
from heliast.ensembles._grown import grows
from heliast.ensembles._voting import Voting
from heliast.learners.tree import Inputs

Form = Literal["raw", "corrected", "clipped"]
OFFERED = ("l1", "regression", "ridge", "centroid", "substitution")
"""The decoders of the thesis: what `outputs` yields, as far as the fit has what they need."""


@told(SETTINGS)
class CodedVote(Voting, Ensemble):
    """Many classes by questions with two answers, decoded to one class (error-correcting codes).

    Each column of a code puts every class on side 0 or 1; a copy of `base` learns to tell the
    sides apart; a decoder turns the columns' answers p to one score a class. One fit serves all
    decoders and all numbers of columns: `decode(X, decoder=, columns=)`.

    After `fit`: `classes_`, `code_` (k, B), `columns_`, whose [b] is a fitted base; with a rule
    `penalty_`, and with honest answers `honest_answers_` (n, B). A copy of the training rows is
    kept for decoders that are asked for later, but not stored with the model: what they need must
    be asked for before, by `prepare`.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn classifier; None is `Tree()`, whose columns all grow from one binned copy
        of the rows. A `Tree` of whose size nothing is said grows until its leaves are pure.
    code : str or array-like, default 'random'
        `random`, `identity` (one against the rest), `exhaustive`, `hadamard`, `designed`,
        `trained`, or an array (k, B) of 0 and 1 with rows in the order of `classes_`.
    columns : int, optional
        Number of columns B; None is what the code has, or 200 where that is open, but no more than
        there are different questions.
    decoder : str, default 'l1'
        `l1`, `regression`, `ridge` (in signs), `ridge_binary` (in 0 and 1, equation 2.10 of the
        thesis), `centroid`, `substitution` (trees only), `hamming` or `loss_based`.
    lam : float or str, default '2k'
        The penalty of `ridge`: `2k`, twice the number of classes (`ridge_binary` takes a quarter
        of that, the same in its units); a number (in signs infinity is L1); or a rule that
        chooses it from honest answers, `honest`, `closed` or `gcv`; see
        `heliast.decoders.choose_lam`.
    honest : {'folds', 'out_of_bag'}, optional
        Whether centroids come from answers for rows that the columns were not trained on: from
        internal `folds`, or `out_of_bag` from columns grown on bootstrap samples. `ridge` with a
        rule takes folds by itself.
    folds : int, default 5
        Number of internal folds, at least 2.
    centre : {'mean', 'median'}, default 'mean'
        The centre of a class, for `centroid`.
    loss : str, default 'exponential'
        For `loss_based`, see `heliast.decoders.loss_based`.
    stages : sequence of int, optional
        Numbers of columns that `outputs` offers; None is 1, 2, 5, 10, 20, ... and all.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> vote = CodedVote(random_state=1).fit(X, y)
    >>> vote.code_.shape
    (3, 3)
    >>> float((vote.decode(X, decoder="substitution") == y).mean()) > 0.95
    True

    References
    ----------
    Dietterich and Bakiri (1995), *Journal of Artificial Intelligence Research* 2, 263-286; James
    (1998), *Majority Vote Classifiers*, chapter 2.
    """

    def __init__(
        self,
        base: Any = None,
        code: str | npt.ArrayLike = "random",
        columns: int | None = None,
        decoder: str = "l1",
        *,
        lam: float | str = USUAL,
        honest: Literal["folds", "out_of_bag"] | None = None,
        folds: int = 5,
        centre: Literal["mean", "median"] = "mean",
        loss: str = "exponential",
        bins: int | None = 256,
        stages: Sequence[int] | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.code = code
        self.columns = columns
        self.decoder = decoder
        self.lam = lam
        self.honest = honest
        self.folds = folds
        self.centre = centre
        self.loss = loss
        self.bins = bins
        self.stages = stages
        self.n_jobs = n_jobs
        self.random_state = random_state

    # --- fitting ---------------------------------------------------------------------------

    @told(
        TO_FIT,
        returns=FITTED,
        raises="If `y` holds one class, a setting is unknown or out of range, or weights are given "
        "to a base, or a rule of decoding, that does not take them.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make the code, and fit a copy of the base for each of its columns.

        Parameters
        ----------
        sample_weight : array-like, optional
            Weight of each row, handed to every column and to what decoders read from the rows;
            None is 1 each.
        """
        settings = settings_of(self)
        X, y, weight = self._counting(*self._training(X, y), sample_weight)
        self.classes_ = np.unique(y)
        if weight is not None:
            refuse_weights(self)
        if self.classes_.size < 2:
            raise InputError("y holds one class: a code tells two or more classes apart")
        truth = codes_of(y, self.classes_)
        k = int(self.classes_.size)
        seed = root_seed(self.random_state)
        nominal = None if self._inputs is None else self._inputs.nominal
        fitting = Fitting(self._base(), X, truth, k, seed, self.n_jobs, nominal, weight, self.bins)
        self.code_ = codes.make(
            self.code, k, self.columns, generator(seed, CODE), lambda: fitting.confusion(self.folds)
        )
        self.columns_, self.honest_answers_ = self._grown(fitting)
        answers = self.honest_answers_
        needs = Needs(settings, self.columns_, self.code_, X, truth, answers, weight)
        self._decoding = Decoding(self.code_, self.loss, needs)
        self.prepare(self.decoder)
        size = len(self.columns_)
        self.penalty_ = needs.penalty(self.decoder, size) if chooses(self) else None
        return self

    def _grown(self, fitting: Fitting) -> tuple[Columns, Array | None]:
        """The columns, and honest answers where they are asked for."""
        if self.honest == "out_of_bag":
            return fitting.bagged(self.code_)
        columns = fitting.columns(self.code_)
        asked = self.honest == "folds" or chooses(self)
        return columns, fitting.honest(self.code_, self.folds) if asked else None

    @told({"names": "str: Decoders that will be asked for."}, returns="Self: The model.")
    def prepare(self, *names: str) -> Self:
        """Compute what these decoders need of the training rows, before the model is stored."""
        for name in names:
            self._decoding.needs.prepare(name)
        return self

    # --- what the vote says ----------------------------------------------------------------

    @told(TO_PREDICT, returns="array: Probabilities of side 1, (n, B).")
    def answers(self, X: Any) -> Array:
        """(n, B): the probability of side 1 that each column gives each row."""
        return self._said(X).answers()

    @told(
        TO_PREDICT,
        returns="array: Scores, (n, k), in the order of `classes_`.",
        raises="If there is no such decoder or form, or not so many columns.",
    )
    def scores(
        self,
        X: Any,
        decoder: str | None = None,
        columns: int | None = None,
        form: Form = "raw",
        lam: float | None = None,
    ) -> Array:
        """(n, k): one score a class, largest wins; `form` as in `decoders.probabilities`.

        Parameters
        ----------
        decoder : str, optional
            Which decoder; None is the model's own.
        columns : int, optional
            So many of the first columns; None is all.
        form : {'raw', 'corrected', 'clipped'}, default 'raw'
            `raw` scores, `corrected`, or `clipped` to probabilities.
        lam : float, optional
            Another penalty of `ridge`; None is the model's own.
        """
        said = self._said(X)
        name = self.decoder if decoder is None else decoders.find(decoder).name
        upto = check_upto(columns, len(self.columns_))
        if lam is not None:
            check_lam(lam)
        if name == "regression":
            self._say_deficient([upto])
        found = self._decoding.scores(said, name, upto, lam)
        return self._formed(found, name, upto, form, lam)

    @told(
        scores,
        returns="array: A label a row, (n,).",
        raises="If there is no such decoder, or not so many columns.",
    )
    def decode(
        self,
        X: Any,
        decoder: str | None = None,
        columns: int | None = None,
        lam: float | None = None,
    ) -> Array:
        """The labels by any decoder, from the first so many columns; ties go to the first class."""
        return self._decided(self.scores(X, decoder, columns, lam=lam))

    @told(
        TO_PREDICT,
        yields="tuple[str, array, array]: The suffix `decoder/B=columns`, labels (n,) and "
        "probabilities (n, k).",
    )
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array]]:
        """(suffix, labels, probabilities) of each decoder at each stage, such as `l1/B=20`."""
        said, stages = self._said(X), self._offered_stages()
        self._say_deficient(stages)
        for name in self._offered():
            staged = self._decoding.staged(said, name, stages)
            for stage, found in zip(stages, staged, strict=True):
                label = self._decided(found)
                yield f"{name}/B={stage}", label, self._formed(found, name, stage, "clipped")

    def _offered(self) -> list[str]:
        names = dict.fromkeys((self.decoder, *OFFERED))
        return [name for name in names if self._decoding.needs.has(name)]

    def _offered_stages(self) -> list[int]:
        size = len(self.columns_)
        if self.stages is None:
            return grid(size)
        return sorted({check_upto(stage, size) for stage in self.stages if stage <= size})

    def _say_deficient(self, stages: Sequence[int]) -> None:
        k = int(self.classes_.size)
        rank = np.linalg.matrix_rank
        short = [stage for stage in stages if stage < k or rank(self.code_[:, :stage]) < k]
        if short:
            shown = ", ".join(map(str, short)) if len(short) < 9 else f"{short[0]} to {short[-1]}"
            warnings.warn(
                f"regression at B = {shown}: fewer than {k} independent columns; its scores are "
                "those of minimum norm (decoders 'ridge' and 'l1' do not need more)",
                stacklevel=3,
            )

    # --- for Voting ------------------------------------------------------------------------

    def _said(self, X: Any) -> Said:
        X = self._testing(X)
        return Said(self.columns_, X)

    def _formed(
        self, scores: Array, decoder: str, columns: int, form: Form, lam: float | None = None
    ) -> Array:
        if form == "raw":
            return scores
        used = self._decoding.lam(decoder, columns, lam)
        return decoders.probabilities(scores, self.code_[:, :columns], decoder, form, used)

    def _stages(self) -> int:
        return len(self.columns_)

    @told(TO_PREDICT, returns="array: A label a row, (n,).")
    def predict(self, X: Any) -> Array:
        """The class with the largest score in each row; ties go to the first class."""
        return self.decode(X)

    def _scores(self, X: Any) -> Array:
        return self.scores(X, form="clipped")

    def _staged_scores(self, X: Any) -> Iterator[Array]:
        return self._staged_by(self.decoder, X)

    def _staged_by(self, decoder: str, X: Any) -> Iterator[Array]:
        """Probabilities after 1, 2, ... columns."""
        stages = range(1, len(self.columns_) + 1)
        if decoder == "regression":
            self._say_deficient(stages)
        found = self._decoding.staged(self._said(X), decoder, stages)
        for stage, scores in zip(stages, found, strict=True):
            yield self._formed(scores, decoder, stage, "clipped")

    def _shares(self, X: Any) -> Array:
        return self.scores(X, "hamming", form="clipped")

    def _staged_shares(self, X: Any) -> Iterator[Array]:
        return self._staged_by("hamming", X)

    @told(TO_PREDICT, returns="array: Shares, (n, k), in the order of `classes_`.")
    def votes(self, X: Any) -> Array:
        """Each class's share of the hard votes, rows summing to 1.

        A column votes for all classes on the side that it decides for. As every class has about
        half of the columns that are wrong for it, the share is corrected for that
        (1 - L/h, see `heliast.decoders.l1_probabilities`) and clipped; for two classes it is the
        plain share of the columns.
        """
        return self._shares(X)

    def _leave(self) -> dict[str, Any]:
        if grows(self._base()):
            return {"dtype": None, "ensure_all_finite": "allow-nan"}
        return super()._leave()

    def _training(self, X: Any, y: Any) -> tuple[Any, Array]:
        X, y = super()._training(X, y)
        base = self._base()
        self._inputs: Inputs | None = None
        if grows(base):  # texts become the numbers of nominal values, as in the tree itself
            self._inputs = Inputs(X, base.nominal, getattr(self, "feature_names_in_", None))
            X = self._inputs.matrix(X)
        return X, y

    def _testing(self, X: Any) -> Any:
        X = super()._testing(X)
        return X if self._inputs is None else self._inputs.matrix(X)

"""The vote of two-sided questions about the classes: output codes with any decoder."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from heliast import codes, decoders
from heliast._core.errors import InputError
from heliast.decoders._loss_based import LOSSES
from heliast.decoders._ridge import check_lam
from heliast.ensembles._ballots import codes_of, grid
from heliast.ensembles._coded_columns import Columns, has_leaves
from heliast.ensembles._coded_decoding import Decoding, Said, check_upto
from heliast.ensembles._coded_fitting import CODE, Fitting
from heliast.ensembles._ensemble import Ensemble
from heliast.ensembles._grown import grows
from heliast.ensembles._seeds import generator, root_seed
from heliast.ensembles._voting import Voting
from heliast.learners.tree._inputs import Inputs

Array = npt.NDArray[Any]
Form = Literal["raw", "corrected", "clipped"]
RULES = ("honest", "closed", "gcv")
USUAL = "2k"
"""The penalty that is best or nearly so at all numbers of columns: see docs/codes.md."""
OFFERED = ("l1", "regression", "ridge", "centroid", "substitution")
"""The decoders of the thesis: what `outputs` yields, as far as the fit has what they need."""


class CodedVote(Voting, Ensemble):
    """Many classes by questions with two answers, decoded to one class (error-correcting codes).

    Each column of a code puts every class on side 0 or 1; a copy of `base` learns to tell the
    sides apart; a decoder turns the columns' answers p to one score a class. One fit serves all
    decoders and all numbers of columns: `decode(X, decoder=, columns=)`.

    Parameters
    ----------
    base : any scikit-learn classifier; None is `Tree()`, whose columns all grow from one binned
        copy of the rows.
    code : `random`, `identity` (one against the rest), `exhaustive`, `hadamard`, `designed`,
        `trained`, or an array (k, B) of 0 and 1 with rows in the order of `classes_`.
    columns : how many; None is what the code has, or 200 where that is open, but no more than
        there are different questions.
    decoder : `l1`, `regression`, `ridge`, `centroid`, `substitution` (trees only), `hamming`,
        `loss_based`.
    lam : the penalty of `ridge`: `2k`, twice the number of classes; a number (infinity is L1); or
        a rule that chooses it from honest answers, `honest`, `closed` or `gcv`; see
        `heliast.decoders.choose_lam`.
    honest : None, `folds` or `out_of_bag`. Whether centroids come from answers for rows that the
        columns were not trained on: from `folds` internal folds, or from columns grown on
        bootstrap samples. `ridge` with a rule takes folds by itself.
    folds : how many internal folds.
    centre : `mean` or `median`, for `centroid`.
    loss : for `loss_based`, see `heliast.decoders.loss_based`.
    stages : the numbers of columns that `outputs` offers; None is 1, 2, 5, 10, 20, ... and all.
    n_jobs, random_state : as in scikit-learn; results do not depend on `n_jobs`.

    After `fit`: `classes_`, `code_` (k, B), `columns_`, whose [b] is a fitted base; with a rule
    `penalty_`, and with honest answers `honest_answers_` (n, B). A copy of the training rows is
    kept for decoders that are asked for later, but not stored with the model: what they need must
    be asked for before, by `prepare`.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> vote = CodedVote(random_state=1).fit(X, y)
    >>> vote.code_.shape
    (3, 3)
    >>> float((vote.decode(X, decoder="substitution") == y).mean()) > 0.95
    True

    References: Dietterich and Bakiri (1995), *Journal of Artificial Intelligence Research* 2,
    263-286; James (1998), *Majority Vote Classifiers*, chapter 2.
    """

    def __init__(
        self,
        base: Any = None,
        code: Any = "random",
        columns: int | None = None,
        decoder: str = "l1",
        *,
        lam: float | str = USUAL,
        honest: Literal["folds", "out_of_bag"] | None = None,
        folds: int = 5,
        centre: Literal["mean", "median"] = "mean",
        loss: str = "exponential",
        stages: Sequence[int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
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
        self.stages = stages
        self.n_jobs = n_jobs
        self.random_state = random_state

    # --- fitting ---------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Make the code, and fit a copy of the base for each of its columns."""
        self._check()
        X, y = self._training(X, y)
        if self.classes_.size < 2:
            raise InputError("y holds one class: a code tells two or more classes apart")
        truth = codes_of(y, self.classes_)
        k = int(self.classes_.size)
        seed = root_seed(self.random_state)
        nominal = None if self._inputs is None else self._inputs.nominal
        fitting = Fitting(self._base(), X, truth, k, seed, self.n_jobs, nominal)
        self.code_ = codes.make(
            self.code, k, self.columns, generator(seed, CODE), lambda: fitting.confusion(self.folds)
        )
        self._grow(fitting)
        self._rows: tuple[Any, Array] | None = (X.copy(), truth)
        self._centroids: Array | None = None
        self._leaf_table: list[Array] | None = None
        self._decoding = self._decoding_of()
        self.prepare(self.decoder)
        return self

    def _grow(self, fitting: Fitting) -> None:
        self.honest_answers_: Array | None = None
        self.penalty_: Any = None
        self._penalties: dict[int, Any] = {}
        self.columns_: Columns
        if self.honest == "out_of_bag":
            self.columns_, self.honest_answers_ = fitting.bagged(self.code_)
        else:
            self.columns_ = fitting.columns(self.code_)
        if self.honest == "folds" or (self.decoder == "ridge" and self.lam in RULES):
            self.honest_answers_ = fitting.honest(self.code_, self.folds)
        self._honest_truth = fitting.truth

    def _check(self) -> None:
        decoders.find(self.decoder)
        if self.honest not in (None, "folds", "out_of_bag"):
            raise InputError(f"honest={self.honest!r}: choose None, 'folds' or 'out_of_bag'")
        if self.loss not in LOSSES:
            raise InputError(f"loss={self.loss!r}: choose one of {', '.join(LOSSES)}")
        if self.centre not in ("mean", "median"):
            raise InputError(f"centre={self.centre!r}: choose 'mean' or 'median'")
        if self.lam not in (USUAL, *RULES):
            if isinstance(self.lam, str):
                names = ", ".join((USUAL, *RULES))
                raise InputError(f"lam={self.lam!r}: give a number or one of {names}")
            check_lam(self.lam)
        if self.honest == "out_of_bag" and self.decoder == "ridge" and self.lam in RULES:
            raise InputError(
                "honest='out_of_bag' leaves gaps in the answers, from which no penalty is chosen: "
                "use honest='folds', or give lam a number"
            )
        if not isinstance(self.folds, (int, np.integer)) or self.folds < 2:
            raise InputError(f"folds={self.folds!r}: give a whole number of at least 2")
        if self.decoder == "substitution":
            self._needs_leaves()

    def _needs_leaves(self) -> None:
        base = self._base()
        if not has_leaves(base):
            raise InputError(
                f"decoder='substitution': {type(base).__name__} has no leaves; use heliast's Tree "
                "or a scikit-learn tree as base, or another decoder"
            )

    def prepare(self, *names: str) -> Self:
        """Compute what these decoders need of the training rows, before the model is stored."""
        for name in names:
            need = decoders.find(name).needs
            if need == "centroids":
                self._centres()
            elif need == "leaves":
                self._leaf_shares()
            elif need == "lam":
                self._lam_at(len(self.columns_))
        return self

    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "_rows": None, "_decoding": None}

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        if hasattr(self, "columns_"):
            self._decoding = self._decoding_of()

    # --- what decoders need ----------------------------------------------------------------

    def _decoding_of(self) -> Decoding:
        return Decoding(self.code_, self.loss, self._centres, self._leaf_shares, self._lam_at)

    def _kept(self, decoder: str) -> tuple[Any, Array]:
        if self._rows is None:
            raise InputError(
                f"decoder={decoder!r}: the training rows were not stored with this model; fit it "
                f"with decoder={decoder!r}, or call prepare({decoder!r}) before storing it"
            )
        return self._rows

    def _centres(self) -> Array:
        if self._centroids is None:
            p = self.honest_answers_ if self.honest else None
            if p is None:
                X, truth = self._kept("centroid")
                p = self.columns_.answers(X)
            else:
                truth = self._honest_truth
            self._centroids = decoders.centroids_of(p, truth, self.classes_.size, self.centre)
        return self._centroids

    def _leaf_shares(self) -> list[Array]:
        if self._leaf_table is None:
            self._needs_leaves()
            X, truth = self._kept("substitution")
            self._leaf_table = self.columns_.shares(X, truth, int(self.classes_.size))
        return self._leaf_table

    def _lam_at(self, columns: int) -> float:
        """The penalty for so many columns: given, or chosen by the rule, once."""
        if self.lam == USUAL:
            return 2.0 * self.classes_.size
        if self.lam not in RULES:
            return float(self.lam)
        if self.honest_answers_ is None or self.honest == "out_of_bag":
            raise InputError(
                f"decoder='ridge', lam={self.lam!r} needs honest answers: fit with "
                "decoder='ridge' or honest='folds', or give lam a number"
            )
        if columns not in self._penalties:
            self._penalties[columns] = decoders.choose_lam(
                self.honest_answers_[:, :columns],
                self._honest_truth,
                self.code_[:, :columns],
                self.lam,  # type: ignore[arg-type]
            )
        self.penalty_ = self._penalties[columns]
        return float(self.penalty_.lam)

    # --- what the vote says ----------------------------------------------------------------

    def answers(self, X: Any) -> Array:
        """(n, B): the probability of side 1 that each column gives each row."""
        return self._said(X).answers()

    def scores(
        self,
        X: Any,
        decoder: str | None = None,
        columns: int | None = None,
        form: Form = "raw",
        lam: float | None = None,
    ) -> Array:
        """(n, k): one score a class, largest wins; `form` as in `decoders.probabilities`."""
        said = self._said(X)
        name = self.decoder if decoder is None else decoders.find(decoder).name
        upto = check_upto(columns, len(self.columns_))
        if lam is not None:
            check_lam(lam)
        found = self._decoding.scores(said, name, upto, lam)
        return self._formed(found, name, upto, form, lam)

    def decode(
        self,
        X: Any,
        decoder: str | None = None,
        columns: int | None = None,
        lam: float | None = None,
    ) -> Array:
        """The labels by any decoder, from the first so many columns; ties go to the first class."""
        return self._decided(self.scores(X, decoder, columns, lam=lam))

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array]]:
        """(suffix, labels, probabilities) of each decoder at each stage, such as `l1/B=20`."""
        said, stages = self._said(X), self._offered_stages()
        for name in self._offered():
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="least squares with")
                for stage, found in zip(
                    stages, self._decoding.staged(said, name, stages), strict=True
                ):
                    label = self._decided(found)
                    yield f"{name}/B={stage}", label, self._formed(found, name, stage, "clipped")
        self._say_deficient(stages)

    def _offered(self) -> list[str]:
        names = list(dict.fromkeys((self.decoder, *OFFERED)))
        if self.lam in RULES and (self.honest_answers_ is None or self.honest == "out_of_bag"):
            names.remove("ridge")
        if not has_leaves(self._base()) or (self._rows is None and self._leaf_table is None):
            names.remove("substitution")
        if self._rows is None and self._centroids is None:
            names.remove("centroid")
        return names

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
            warnings.warn(
                f"regression at B = {', '.join(map(str, short))}: fewer than {k} independent "
                "columns; its scores are those of minimum norm",
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
        found = self._decoding.staged(self._said(X), decoder, stages)
        for stage, scores in zip(stages, found, strict=True):
            yield self._formed(scores, decoder, stage, "clipped")

    def _shares(self, X: Any) -> Array:
        return self.scores(X, "hamming", form="clipped")

    def _staged_shares(self, X: Any) -> Iterator[Array]:
        return self._staged_by("hamming", X)

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

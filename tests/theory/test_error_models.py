"""Training, Schapire and normal models: what they were made from is found again."""

import numpy as np
import pytest
from scipy import stats

from heliast import InputError
from heliast.theory import NormalModel, SchapireModel, TrainingModel, nearest_rows


def staged(seed=0, n=400, B=40):
    """Margins that drift up and narrow with the number of members."""
    rng = np.random.default_rng(seed)
    mean = rng.beta(4, 2, n) * 1.4 - 0.4
    return np.array(
        [np.clip(mean + rng.normal(size=n) * 0.7 / np.sqrt(b), -1, 1) for b in range(1, B + 1)]
    )


def test_training_model():
    margins = staged()
    error = (margins <= 0).mean(axis=1) + 0.07
    model = TrainingModel().fit(margins, error)
    assert model.constant_ == pytest.approx(0.07)
    assert model.squared_error_ == pytest.approx(0, abs=1e-20)
    assert model.predict(margins[:3]) == pytest.approx(error[:3])


def test_schapire_model_finds_theta():
    margins = staged()
    error = (margins <= 0.3).mean(axis=1) - 0.02
    model = SchapireModel().fit(margins, error)
    assert model.squared_error_ == pytest.approx(0, abs=1e-20)
    assert model.predict(margins) == pytest.approx(error)
    assert model.theta_ == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_schapire_fits_no_worse_than_training(seed):
    margins = staged(seed)
    error = np.random.default_rng(seed).uniform(0.1, 0.4, len(margins))
    assert (
        SchapireModel().fit(margins, error).squared_error_
        <= TrainingModel().fit(margins, error).squared_error_ + 1e-15
    )


def test_normal_model_finds_its_parameters():
    rng = np.random.default_rng(1)
    margins = staged(1)
    nearest, distance = rng.integers(0, 400, 250), rng.gamma(2.0, 3.0, 250)
    number = np.arange(1, 41)
    M = margins[:, nearest]
    mu = M + (1 + M) * (-0.1 - 0.02 * distance)
    error = stats.norm.cdf(-mu * np.sqrt(number / 0.8)[:, None]).mean(axis=1)
    model = NormalModel().fit(margins, error, nearest, distance)
    assert model.rmse_ < 1e-5
    assert (model.alpha_, model.beta0_, model.beta1_) == pytest.approx((0.8, -0.1, 0.02), rel=0.02)
    assert model.predict(margins, nearest, distance) == pytest.approx(error, abs=1e-4)
    assert SchapireModel().fit(margins, error).rmse_ > 10 * model.rmse_


def test_normal_model_without_neighbours():
    margins = staged(2)
    number = np.arange(1, 41)
    mu = margins + (1 + margins) * -0.15
    error = stats.norm.cdf(-mu * np.sqrt(number / 0.5)[:, None]).mean(axis=1)
    model = NormalModel().fit(margins, error)
    assert (model.alpha_, model.beta0_, model.beta1_) == pytest.approx((0.5, -0.15, 0.0), rel=0.02)


def bagged(seed, n=3000, B=60):
    """Votes of members on rows that each sees with probability 0.632; and the true error of B."""
    rng = np.random.default_rng(seed)
    right = rng.beta(3, 1.5, n)
    vote = np.where(rng.random((B, n)) < right, 1, -1)
    out = rng.random((B, n)) < 0.368
    count = np.cumsum(out, axis=0)
    with np.errstate(invalid="ignore"):
        margin = np.cumsum(vote * out, axis=0) / count
    fresh = np.where(rng.random((B, 20_000)) < rng.beta(3, 1.5, 20_000), 1, -1)
    truth = (np.cumsum(fresh, axis=0) <= 0).mean(axis=1)
    return margin, count, truth


def test_normal_model_out_of_bag_needs_no_labels():
    margin, count, truth = bagged(3)
    model = NormalModel().fit_out_of_bag(margin, count)
    numbers = np.array([11, 21, 41, 59])
    found = model.predict(np.nan_to_num(margin[-1:]), members=numbers)
    out_of_bag = np.array([(margin[b - 1][count[b - 1] > 0] <= 0).mean() for b in numbers])
    actual = truth[numbers - 1]
    # Out of bag only a third of the members vote, so its error is too high.
    assert (out_of_bag > actual).all()
    assert np.abs(found - actual).mean() < np.abs(out_of_bag - actual).mean()


def test_nearest_rows():
    rng = np.random.default_rng(4)
    train, test = rng.normal(size=(60, 3)), rng.normal(size=(20, 3))
    place, distance = nearest_rows(train, test)
    far = np.sqrt(((test[:, None] - train[None]) ** 2).sum(axis=2))
    assert place.tolist() == far.argmin(axis=1).tolist()
    assert distance == pytest.approx(far.min(axis=1))


def test_refusals():
    margins, error = staged(5, B=3), [0.3, 0.2, 0.1]
    for model in (TrainingModel(), SchapireModel(), NormalModel()):
        with pytest.raises(InputError, match="fit it first"):
            model.predict(margins)
        with pytest.raises(InputError, match="one error for each of the 3 lines"):
            model.fit(margins, [0.1])
        with pytest.raises(InputError, match="between -1 and 1"):
            model.fit(margins * 9, error)
        with pytest.raises(InputError, match="between 0 and 1"):
            model.fit(margins, [30, 20, 10])
    with pytest.raises(InputError, match="training rows go from 0 to 399"):
        NormalModel().fit(margins, error, [400], [0.1])
    with pytest.raises(InputError, match="of one shape"):
        NormalModel().fit_out_of_bag(margins, [1])

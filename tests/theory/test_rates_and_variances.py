"""What the thesis derives in passing: 2.2.2 (rates), 2.4.3, 3.4 and 4.3.3, against other ways."""

import numpy as np
import pytest
from scipy import optimize, stats

import heliast as hl
from heliast import theory
from heliast._core.errors import InputError, NotEnoughData
from heliast.data import simulate

# --- section 3.4: CV(p_i - p_j) and Phi(1 / CV) ---------------------------------------------------


def test_cv_by_hand():
    """Differences 0.2, 0.6, 0.4: mean 0.4, variance 0.04, CV 1/2, Phi(2)."""
    found = theory.variation([0.6, 0.8, 0.7], [0.4, 0.2, 0.3])
    assert (found.mean, found.variance, found.cv) == pytest.approx((0.4, 0.04, 0.5))
    assert found.chance == pytest.approx(stats.norm.cdf(2))
    assert (found.share, found.n) == (1.0, 3)


def test_chance_is_the_share_of_normal_estimates():
    """'If the probability estimates are normally distributed there is a direct correspondence',
    on either side of 0, which the root of a square would not tell apart.
    """
    rng = np.random.default_rng(1)
    means = np.array([-0.3, -0.1, 0.0, 0.1, 0.3])
    p_i = rng.normal(0.5 + means, 0.2, (20_000, 5))
    p_j = rng.normal(0.5, 0.1, (20_000, 5))
    found = theory.variation(p_i, p_j)
    true = stats.norm.cdf(means / np.hypot(0.2, 0.1))
    assert found.chance == pytest.approx(true, abs=0.015)
    assert found.share == pytest.approx(true, abs=0.015)
    assert np.sign(found.cv[[0, 1, 3, 4]]).tolist() == [-1, -1, 1, 1]


def test_scale_changes_the_variance_and_not_the_cv():
    """'By dividing all the probabilities by 2 we could reduce the variance by a factor of 4'."""
    p = np.random.default_rng(2).random((2, 30, 7))
    whole, half = theory.variation(*p), theory.variation(*(p / 2))
    assert half.variance == pytest.approx(whole.variance / 4)
    assert half.cv == pytest.approx(whole.cv)
    assert half.chance == pytest.approx(whole.chance)


def test_without_scatter_the_sign_decides():
    found = theory.variation([[0.6, 0.4, 0.5]] * 2, [[0.4, 0.6, 0.5]] * 2)
    assert found.chance.tolist() == [1.0, 0.0, 0.5]
    assert found.cv[:2].tolist() == [0.0, 0.0]
    assert np.isnan(found.cv[2])


@pytest.mark.parametrize(("members", "lower"), [(7, False), (12, True)])
def test_cv_of_a_mean_is_lower_from_theorem_8_on(members, lower):
    """rho 0.125 and gamma 0.227, as printed: B > 8.6 makes 3.4 true, and no B below."""
    rng = np.random.default_rng(3)
    rho, gamma, n = 0.125, 0.227, 40_000
    assert 7 < (1 - rho) / (gamma - rho) < 12
    common = rng.normal(size=(n, 2, 1)) * np.sqrt(rho)
    each = common + rng.normal(size=(n, 2, members)) * np.sqrt(1 - rho)
    vote = each.mean(axis=2) + np.array([1.0, 0.0])
    one = rng.normal(size=(n, 2)) * np.sqrt(gamma) + np.array([1.0, 0.0])
    cv = [theory.variation(*p.T).cv for p in (vote, one)]
    assert (cv[0] < cv[1]) == lower


@pytest.fixture(scope="module")
def fresh():
    data = simulate.two_gaussians(bayes_error=0.15).sample(60, seed=1)
    models = {"tree": hl.Tree(), "bag": hl.BaggedVote(hl.Tree(), 15, random_state=1)}
    return data, hl.run(models, data, hl.Fresh(20, n_train=40), seed=1, progress=False)


def test_separation_reads_the_table(fresh):
    """By hand from the columns of the table; the vote is right more often."""
    data, table = fresh
    found = theory.separation(table, "tree", data.posteriors)
    part = table.only(model="tree")
    row, first = np.asarray(part.row), data.posteriors.argmax(axis=1)
    score = np.stack([part.rows().score_of(code) for code in (0, 1)], axis=1)
    for at in (0, 17, 59):
        mine = score[row == at]
        gap = mine[:, first[at]] - mine[:, 1 - first[at]]
        assert found.mean[at] == pytest.approx(gap.mean())
        assert found.variance[at] == pytest.approx(gap.var(ddof=1))
    bag = theory.separation(table, "bag/soft/B=15", data.posteriors)
    assert bag.chance.mean() > found.chance.mean()
    assert bag.share.mean() > found.share.mean()


def test_separation_without_posteriors_is_of_the_true_class(fresh):
    _, table = fresh
    found = theory.separation(table, "tree")
    part = table.only(model="tree")
    right = np.bincount(np.asarray(part.row), part.y_true == part.y_pred) / 20
    tied = (found.share * 20 % 1) != 0
    assert found.share[~tied] == pytest.approx(right[~tied], abs=0.11)
    assert found.share.mean() == pytest.approx(right.mean(), abs=0.03)


# --- section 2.4.3: epsilon = Var(D) - Var(p) -----------------------------------------------------


def test_variances_of_means_differ_by_epsilon_over_columns():
    """Under theorem 7 (p_ij independent of column j, the same mean mu): simulated as stated."""
    rng = np.random.default_rng(4)
    draws, B = 60_000, 8
    mu = rng.beta(4, 6, draws)  # over training sets
    p = np.clip(mu[:, None] + rng.uniform(-0.2, 0.2, (draws, B)), 0, 1)
    d = np.where(rng.random((draws, B)) < (1 + p) / 2, 1.0, -1.0)  # E(D | p) = p
    found = theory.extra_variance(d[:, 0], p[:, 0])
    apart = d.mean(axis=1).var(ddof=1) - p.mean(axis=1).var(ddof=1)
    assert found.epsilon > 0
    assert found.at(B) == pytest.approx(apart, rel=0.05)
    assert found.at([1, 2]) == pytest.approx(found.epsilon / np.array([1, 2]))


def test_coded_votes_vary_more_than_substitution():
    """'In general the variance of p_ij is lower than that of D_ij so epsilon will be positive'."""
    task = simulate.gaussian_classes(6, spread=3.0)
    data, drawn = task.sample(60, seed=0), []
    for seed in range(40):
        train = task.sample(60, seed=seed + 1)
        vote = hl.CodedVote(hl.Tree(), code_length=3, random_state=seed).fit(train.matrix, train.y)
        drawn.append([vote.scores(data.matrix, name, 1) for name in ("l1", "substitution")])
    d, p = np.array(drawn).swapaxes(0, 1)
    found = theory.extra_variance(d, p)
    assert found.epsilon == pytest.approx(d.var(axis=0, ddof=1) - p.var(axis=0, ddof=1))
    assert (found.epsilon > 0).mean() > 0.95


# --- section 4.3.3: how the error moves with the margins ------------------------------------------


def expected(mu, alpha, members):
    return stats.norm.cdf(-mu / np.sqrt(alpha / members)).mean()


@pytest.mark.parametrize("members", [1, 20, 100])
def test_sensitivity_is_the_derivative(members):
    mu = np.linspace(-0.9, 0.9, 7)
    numeric = optimize.approx_fprime(mu, expected, 1e-7, 0.5, members)
    assert theory.margin_sensitivity(mu, 0.5, members) == pytest.approx(numeric, abs=1e-6)


def test_what_follows_from_the_sensitivity():
    """I: the error falls as any margin grows. II: most where margins are near 0. III: moving
    margins from near 1 to near 0 helps though their mean stays.
    """
    mu = np.array([0.02, 0.95, -0.95, 0.05, 0.9])
    found = theory.margin_sensitivity(mu, 0.5, [5, 50])
    assert found.shape == (2, 5)
    assert (found < 0).all()
    assert np.abs(found[1])[[0, 3]].min() > 100 * np.abs(found[1])[[1, 2, 4]].max()
    moved = mu + np.array([0.02, -0.02, 0, 0.02, -0.02])
    assert moved.mean() == pytest.approx(mu.mean())
    assert expected(moved, 0.5, 50) < expected(mu, 0.5, 50)


def test_means_of_a_fitted_model():
    """They give the error that the model itself predicts."""
    rng = np.random.default_rng(5)
    margins = np.clip(rng.normal(0.4, 0.3, (30, 200)), -1, 1)
    test = np.linspace(0.4, 0.2, 30)
    near, far = rng.integers(0, 200, 50), rng.random(50)
    model = theory.NormalModel()
    with pytest.raises(InputError, match="fit it first"):
        model.means(margins[-1])
    model.fit(margins, test, near, far)
    mu = model.means(margins[-1], near, far)
    assert mu.shape == (50,)
    assert expected(mu, model.alpha_, 30) == pytest.approx(model.predicted_[-1])


# --- section 2.2.2: 1/sqrt(B) and 1/B, figures 2.3 and 2.4 ----------------------------------------


@pytest.mark.parametrize("power", [-0.5, -1.0])
def test_a_fit_finds_its_own_curve(power):
    B = np.repeat([15, 26, 40, 70, 100, 200], 5)
    noise = np.random.default_rng(6).normal(0, 0.2, B.size)
    error = 20 + 40 * B**power + noise
    fit = theory.power_fit(B, error, power)
    line = stats.linregress(B**power, error)
    assert (fit.limit, fit.slope) == pytest.approx((line.intercept, line.slope))
    assert fit.r_squared == pytest.approx(line.rvalue**2)
    assert fit.at([15, 200]) == pytest.approx(
        line.intercept + line.slope * np.array([15, 200]) ** power
    )
    other = theory.power_fit(B, error, -1.5 - power)
    assert other.r_squared < fit.r_squared


def test_refusals():
    with pytest.raises(InputError, match=r"p_i has shape \(2,\) and p_j \(3,\)"):
        theory.variation([0, 1], [0, 1, 2])
    with pytest.raises(InputError, match="finite"):
        theory.variation([0, np.nan], [0, 1])
    with pytest.raises(NotEnoughData, match="at least 2"):
        theory.variation([0.5], [0.5])
    with pytest.raises(InputError, match="between -1 and 1"):
        theory.extra_variance([2, 0], [0, 1])
    with pytest.raises(InputError, match="between 0 and 1"):
        theory.extra_variance([1, 0], [0, 2])
    with pytest.raises(InputError, match="1 or more"):
        theory.extra_variance([1, 0], [0, 1]).at(0)
    with pytest.raises(InputError, match="alpha=0"):
        theory.margin_sensitivity([0.1], 0, 5)
    with pytest.raises(InputError, match="one finite mean margin"):
        theory.margin_sensitivity([[0.1]], 1, 5)
    with pytest.raises(InputError, match="power=1"):
        theory.power_fit([1, 2, 3], [3, 2, 1], 1)
    with pytest.raises(InputError, match="one number of members for each error"):
        theory.power_fit([1, 2], [3, 2, 1])
    with pytest.raises(InputError, match="above 0"):
        theory.power_fit([0, 2, 3], [3, 2, 1])
    with pytest.raises(NotEnoughData, match="2 numbers"):
        theory.power_fit([5, 5, 5], [3, 2, 1])

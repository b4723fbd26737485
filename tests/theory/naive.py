"""Slow, obvious twins: one row at a time, by the sentences of the definitions."""

from statistics import mean


def systematic(law, answers, loss):
    """The answer of least expected loss; the first of several."""
    return min(answers, key=lambda a: (round(expected(law, a, loss), 12), answers.index(a)))


def expected(law, answer, loss):
    return sum(p * loss(value, answer) for value, p in law.items())


def decompose(posterior, labels, answers, loss=lambda a, b: float(a != b)):
    """James and Tibshirani at one row; posterior and shares are laws over the answers."""
    shares = {a: labels.count(a) / len(labels) for a in answers}
    best = systematic(posterior, answers, loss)
    main = systematic(shares, answers, loss)
    total = sum(
        p * expected(shares, None, lambda c, _, y=y: loss(y, c)) for y, p in posterior.items()
    )
    noise = expected(posterior, best, loss)
    found = {
        "loss": total,
        "noise": noise,
        "bias": loss(best, main),
        "variance": expected(shares, main, loss),
        "systematic_effect": expected(posterior, main, loss) - noise,
        "variance_effect": total - expected(posterior, main, loss),
    }
    return found, best, main, shares


def zero_one(posterior, labels, answers):
    """Every definition at one row, by name and part."""
    james, best, main, shares = decompose(posterior, labels, answers)
    total, noise, T = james["loss"], james["noise"], len(labels)
    right = best == main
    wrong_bias = 1.0 if total >= 0.5 - 1e-12 else 0.0
    kw_bias = sum((posterior[a] - shares[a]) ** 2 for a in answers) / 2
    kw_variance = (1 - sum(shares[a] ** 2 for a in answers)) / 2
    moved = kw_variance / (T - 1)
    both = sum(posterior[a] * shares[a] for a in answers if a != best)
    # P(C = Y | C != y*, Y != y*), 0 where nothing is left to condition on.
    left = (1 - shares[best]) * (1 - posterior[best])
    r = both / left if left > 0 else 0.0
    c1 = shares[best] - (1 - shares[best]) * r
    variance = 1 - shares[main]
    return {
        "james": james,
        "tibshirani": {
            "noise": noise,
            "bias": james["systematic_effect"],
            "aggregation_effect": james["variance_effect"],
            "variance": variance,
        },
        "breiman": {
            "noise": noise,
            "bias": 0.0 if right else total - noise,
            "variance": total - noise if right else 0.0,
        },
        "kong_dietterich": {"bias": wrong_bias, "variance": total - wrong_bias},
        "kohavi_wolpert": {
            "noise": (1 - sum(p * p for p in posterior.values())) / 2,
            "bias": kw_bias - moved,
            "variance": kw_variance + moved,
        },
        "domingos": {
            "noise": noise,
            "noise_effect": c1 * noise,
            "bias": float(not right),
            "variance": variance,
            "unbiased_variance": variance if right else 0.0,
            "biased_variance": 0.0 if right else -shares[best],
        },
    }


def overall(rows):
    """The mean of each part over rows."""
    return {part: mean(row[part] for row in rows) for part in rows[0]}


def margin(labels, weights, truth, classes):
    """Weighted share of the right votes less the largest of the others."""
    share = {c: sum(w for v, w in zip(labels, weights, strict=True) if v == c) for c in classes}
    total = sum(weights)
    return (share[truth] - max(share[c] for c in classes if c != truth)) / total

"""A tree grown the slow way: every split of every feature is tried and measured afresh."""

import math
from itertools import pairwise

import numpy as np

TIE = 1e-11


def impurity(counts, criterion):
    """Of all rows together: n (1 - Σ p²), or -Σ n_c log(n_c / n), half the deviance."""
    n = counts.sum()
    if n <= 0:
        return 0.0
    if criterion == "gini":
        return n - (counts**2).sum() / n
    return -sum(c * math.log(c / n) for c in counts if c > 0)


class Naive:
    """`root` is a dict: counts, rows, and for splits feature, goes_left (a function), children."""

    def __init__(self, X, truth, k, weight=None, copies=None, nominal=(), criterion="deviance",
                 min_samples_leaf=5, min_samples_split=10, min_deviance=0.01, max_depth=None,
                 max_leaf_nodes=None, min_impurity_decrease=0.0, drawn=0, turn=-1):  # fmt: skip
        self.X, self.truth, self.k = X, truth, k
        self.weight = np.ones(len(X)) if weight is None else np.asarray(weight, float)
        self.copies = self.weight if copies is None else np.asarray(copies, float)
        self.nominal, self.criterion = nominal, criterion
        self.min_samples_leaf = max(min_samples_leaf, 1e-9)
        self.min_samples_split, self.min_deviance = min_samples_split, min_deviance
        self.max_depth, self.max_leaf_nodes = max_depth, max_leaf_nodes
        self.min_impurity_decrease, self.drawn = min_impurity_decrease, drawn
        rows = np.flatnonzero(self.weight > 0)
        self.root_deviance = impurity(self.counts(rows), "deviance")
        self.root_impurity = impurity(self.counts(rows), criterion)
        self.root = self.node(rows, 0, next_state((turn + 1) * 0x9E3779B97F4A7C15 + 1, 0))
        self.grow()

    def counts(self, rows):
        return np.bincount(self.truth[rows], self.weight[rows], self.k)

    def node(self, rows, depth, state):
        node = {"rows": rows, "depth": depth, "counts": self.counts(rows), "feature": -1}
        node["state"] = state
        node["copies"] = self.copies[rows].sum()
        node["gain"], node["split"] = self.best_split(node)
        return node

    def grow(self):
        """Split the open node of the largest gain; without max_leaf_nodes the order is all one."""
        open_, leaves = [self.root], 1
        while open_ and (self.max_leaf_nodes is None or leaves < self.max_leaf_nodes):
            best = max(range(len(open_)), key=lambda z: open_[z]["gain"])
            node = open_.pop(best)
            if node["split"] is None:
                break
            node.update(node["split"])
            left = node["goes_left"](self.X[node["rows"], node["feature"]])
            for right, side in enumerate(("left", "right")):
                state = next_state(node["state"], right)
                node[side] = self.node(node["rows"][left != right], node["depth"] + 1, state)
            open_ += [node["left"], node["right"]]
            leaves += 1

    def best_split(self, node):
        counts = node["counts"]
        if (counts > 0).sum() < 2 or node["copies"] < self.min_samples_split:
            return -1.0, None
        if self.max_depth is not None and node["depth"] >= self.max_depth:
            return -1.0, None
        if impurity(counts, "deviance") < self.min_deviance * self.root_deviance:
            return -1.0, None
        n = counts.sum()
        tie = TIE * (n if self.criterion == "gini" else n * math.log(n + 2))
        best, found = -np.inf, None
        for inputs in self.tried(node["state"]):
            for f in inputs:
                top, split = -np.inf, None
                for candidate in self.candidates(node["rows"], f):
                    gain = self.gain(node, candidate["goes_left"](self.X[node["rows"], f]))
                    if gain is not None and gain > top + tie:
                        top, split = gain, {"feature": f, **candidate}
                if top > best + tie:
                    best, found = top, split
            if found is not None:
                break
        if found is None or best < (self.min_impurity_decrease - 1e-12) * self.root_impurity:
            return -1.0, None
        return max(best, 0.0), found

    def tried(self, state):
        """Inputs that are looked at together; the next ones only if these have no split."""
        d = self.X.shape[1]
        cards, size = list(range(d)), self.drawn or d
        for dealt in range(0, d, size):
            for j in range(dealt, min(dealt + size, d)) if self.drawn else ():
                state = next_state(state, 0)
                other = j + (state >> 33) % (d - j)
                cards[j], cards[other] = cards[other], cards[j]
            yield cards[dealt : dealt + size]

    def gain(self, node, left):
        rows = node["rows"]
        on_left, on_right = self.copies[rows[left]].sum(), self.copies[rows[~left]].sum()
        if on_left < self.min_samples_leaf or on_right < self.min_samples_leaf:
            return None
        return (
            impurity(node["counts"], self.criterion)
            - impurity(self.counts(rows[left]), self.criterion)
            - impurity(self.counts(rows[~left]), self.criterion)
        )

    def candidates(self, rows, f):
        values = self.X[rows, f]
        if f in self.nominal:
            yield from self.subsets(rows, values)
            return
        known = np.unique(values[~np.isnan(values)])
        missing = np.isnan(values).any()
        for missing_left in (False, True) if missing else (None,):
            for a, b in pairwise(known):
                yield cut(a / 2 + b / 2, missing_left)
            if missing_left is False and known.size:
                yield cut(np.inf, False)

    def subsets(self, rows, values):
        """In the order of each class's share, the values up to each place."""
        present = sorted({value_of(v) for v in values}, key=lambda v: (v == "missing", v))
        for c in range(1 if self.k == 2 else 0, self.k):

            def share(value, c=c):
                inside = rows[[value_of(v) == value for v in values]]
                counts = self.counts(inside)
                return counts[c] / counts.sum()

            order = sorted(present, key=share)
            for size in range(1, len(order)):
                yield subset(frozenset(order[:size]))


def next_state(state, right):
    step = 1442695040888963407 + right * 0x9E3779B97F4A7C16
    return (state * 6364136223846793005 + step) % 2**64


def groups(values, most):
    """The bin of each value: each its own, or the first of `most` equal parts that it ends in."""
    known = np.sort(values[~np.isnan(values)])
    if np.unique(known).size <= most:
        return np.searchsorted(np.unique(known), values)
    ends = sorted({known[(part + 1) * known.size // most - 1] for part in range(most)})
    return np.array([next(b for b, end in enumerate(ends) if v <= end) for v in values])


def value_of(v):
    return "missing" if np.isnan(v) else float(v)


def cut(threshold, missing_left):
    def goes_left(values):
        return (values <= threshold) | (np.isnan(values) & bool(missing_left))

    return {"threshold": threshold, "missing_left": missing_left, "goes_left": goes_left}


def subset(chosen):
    def goes_left(values):
        return np.array([value_of(v) in chosen for v in values], bool)

    return {"subset": chosen, "goes_left": goes_left}


def differs(node, nodes, i=0):
    """Where a fitted tree's nodes first differ from those of the naive one; None if nowhere."""
    where = f"node {i} with {node['copies']} rows"
    if not np.allclose(node["counts"], nodes.counts[i], rtol=1e-9):
        return f"{where}: counts {node['counts']}, {nodes.counts[i]}"
    if not math.isclose(node["copies"], nodes.rows[i], rel_tol=1e-9):
        return f"{where}: {nodes.rows[i]} rows"
    if node["feature"] != nodes.feature[i]:
        return f"{where}: feature {node['feature']}, {nodes.feature[i]}"
    if node["feature"] < 0:
        return None
    if "threshold" in node:
        if not math.isclose(node["threshold"], nodes.threshold[i], rel_tol=1e-12):
            return f"{where}: threshold {node['threshold']}, {nodes.threshold[i]}"
        if node["missing_left"] is not None and node["missing_left"] == nodes.missing_right[i]:
            return f"{where}: missing values"
    else:
        present = {value_of(v) for v in node["values"]} if "values" in node else None
        chosen = set(nodes.subset(i).tolist())
        wanted = {v for v in node["subset"] if v != "missing"}
        if not wanted <= chosen or (present is not None and chosen & present != wanted):
            return f"{where}: subset {wanted}, {chosen}"
    return differs(node["left"], nodes, nodes.left[i]) or differs(
        node["right"], nodes, nodes.right[i]
    )

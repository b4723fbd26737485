"""Words that have a grammar: requirements of the gate, models, plans. Near what is understood."""

import random

from tests.fuzz._case import Case, kind
from tests.fuzz._tables import data
from tests.fuzz._values import nasty

PREDICTIONS = b"model,row,y_true,y_pred\n" + b"".join(
    f"{model},{at},{'ab'[at % 2]},{'ab'[at * at % (3 + shift) % 2]}\n".encode()
    for shift, model in enumerate(("new", "old"))
    for at in range(40)
)
NUMBERS = [
    "0.1", "10%", "0", "1", "-1", "15", "1e-3", "1e400", ".5", "5.", "+0.2", "1_0", "²", "٣", "½",
    "0x1", "nan", "inf", "1e", "--1", "9" * 400, "1,5", "0.1 %", "1e999999999",
]  # fmt: skip
PIECES = [
    *"()[]:.,-%<>='\"*{}", ">=", "<=", "==", " - ", "  ", "\t", "\n", "\x1b[31m", "\u00a0", "\0",
    "low", "high", "value", "new", "old", "error", "::error::x", "a" * 3000, "(" * 500, "'" * 99,
]  # fmt: skip


def _jumbled(text: str, rng: random.Random) -> str:
    """The text with pieces put in, taken out, doubled or put elsewhere."""
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        to = min(to, at + rng.choice([1, 3, 8]))
        part = text[at:to]
        text = rng.choice([
            lambda a=at, t=text: t[:a] + rng.choice(PIECES) + t[a:],
            lambda a=at, b=to, t=text: t[:a] + t[b:],
            lambda a=at, p=part, t=text: t[:a] + p * rng.choice([2, 3, 200]) + t[a:],
            lambda a=at, b=to, p=part, t=text: t[:a] + t[b:] + p,
            lambda a=at, b=to, t=text: t[:a] + nasty(rng)[:3000] + t[b:],
        ])()  # fmt: skip
    return text


# --- requirements --------------------------------------------------------------------------------

MEASURES = ["error", "accuracy", "recall", "f1", "f1.macro", "kappa", "mcc", "auc", "expected_cost",
            "balanced_accuracy", "brier", "rmse", "Error", "nope", ""]  # fmt: skip
ODD = [
    ["new:", "old :", '"new":', "'old':", "a b:", '"x:y":', ":", "::", "new - old:", "x:"],
    MEASURES,
    ["[a]", "[b]", '["a"]', "[ a ]", "[]", "[c]", "[[a]]"],
    ["(new - old)", "(new-old)", '("new" - old)', "(new - new)", "(new - x)", "()", "(a - b - c)"],
    [".low", ".high", ".value", "", " . low", ".middle", ".low.high"],
    [">=", "<=", ">", "<", "=", "≥", "=>", "<= >="],
    NUMBERS,
]
"""What may stand in each place of a requirement."""


def requirement(rng: random.Random) -> str:
    """A requirement, or nearly one."""
    end, sign = rng.choice([(".low", ">="), (".high", "<="), (".low", ">"), (".high", "<")])
    parts = ["", rng.choice(["error", "accuracy"]), "", "", end, sign, rng.choice(["0.3", "40%"])]
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(ODD))
        parts[at] = rng.choice(ODD[at])
    model, measure, class_, pair, end, sign, bar = parts
    words = f"{model}{measure}{class_}{pair}{end} {sign} {bar}"
    return _jumbled(words, rng) if rng.random() < 0.4 else words


@kind("requirements", 2000)
def requirements(rng: random.Random) -> Case:
    """A gate asked in words that are nearly right."""
    argv = ["gate", "p.csv"]
    for _ in range(rng.choice([1, 1, 2])):
        argv += ["--require", requirement(rng).replace("\0", "")]
    argv += rng.choice([
        [], [], ["--json"], ["--junit", "j.xml"], ["--look", rng.choice(["1/2", "²/٣", "9/2"])],
        ["--sequential"], ["--cost", "0,1;5,0"], ["--level", rng.choice(NUMBERS)],
        ["--margin", rng.choice(NUMBERS)],
    ])  # fmt: skip
    case = Case(argv, {"p.csv": PREDICTIONS})
    case.anywhere = True
    return case


# --- models and plans ----------------------------------------------------------------------------

MODELS = [
    "majority", "bayes", "tree", "tree(max_depth=2)", "knn(n_neighbors=3)", "sklearn.svm.SVC",
    "sklearn.naive_bayes.GaussianNB(var_smoothing=1e-3)", "mine=majority", "mine = majority",
    "heliast.Chance", "json.dumps", "sklearn.nope.X", "sklearn..svm", ".majority", "majority()",
    "majority(**{'a': 1})", "majority(*[1])", "majority({[]: 1})", "majority(a={1: {2: [3]}})",
    "majority(1, 2, 3)", "tree(max_depth=2, max_depth=3)", "tree(max_depth=²)", "a.b.c.d(e=1)",
    "(majority)", "majority()()", "lambda: majority", "majority if 1 else tree", "f'{majority}'",
    "tree(max_depth=0x10)", "tree(max_depth=True)", "tree(max_depth=None)", "tree(max_depth='2')",
    "tree(" + "-" * 3000 + "1)", "a" + ".a" * 4000, "m.skops", "m.pkl", "x=m.skops",
    "tree(max_depth=" + "0x" + "f" * 5000 + ")",
]  # fmt: skip
PLANS = [
    "2", "3", "²", "٣", " 2 ", "+2", "2.0", "9" * 5000, "kfold(2)", "kfold(2, repeats=2)",
    "KFold(k=2, repeats=1, stratify='auto')", "holdout", "holdout(0.5)", "holdout(train=1e400)",
    "holdout(train=0x" + "f" * 400 + ")", "bootstrap(2)", "subsampling(2, 0.5)", "five_by_two",
    "leave-one-out", "leave_one_out()", "nestedfolds(2, 2)", "threeway(0.5, 0.25)",
    "learningcurve([4, 8])", "learningcurve({4: 8})", "replaceone(2)", "labelnoise(0.1)",
    "from_sklearn('x')", "fresh(2, 10)", "kfold({})", "kfold(k=[2])", "kfold(2, stratify='x')",
    "kfold(2, groups=None)", "plan", "kfold(2, **{})", "kfold({[]: 2})", "kfold(" * 300,
]  # fmt: skip


@kind("words", 1000)
def words(rng: random.Random) -> Case:
    """Models and plans in words that are nearly right, for every verb that takes them."""
    model = _jumbled(rng.choice(MODELS), rng) if rng.random() < 0.7 else "majority"
    plan = _jumbled(rng.choice(PLANS), rng) if rng.random() < 0.6 else "2"
    model, plan = model.replace("\0", ""), plan.replace("\0", "")
    option, several = (
        ("--estimator", []) if (verb := rng.choice(VERBS)) == "combine" else ("--model", [])
    )
    several = ["--model", "majority"] if verb == "compare" else several
    argv = [verb, "d.csv", option, model, *several, "--plan", plan]
    argv += {"combine": ["--n-estimators", "3"], "explain": ["--times", "3"]}.get(verb, [])
    argv += {"run": ["-o", "out.parquet"], "fit": ["-o", "out.skops"]}.get(verb, [])
    if verb == "explain":
        argv = [one for at, one in enumerate(argv) if "--plan" not in argv[max(0, at - 1) : at + 1]]
    case = Case(argv, {"d.csv": data(rng)})
    case.anywhere = True
    return case


VERBS = ["assess", "assess", "compare", "run", "fit", "combine", "explain", "benchmark"]

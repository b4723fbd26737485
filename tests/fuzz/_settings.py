"""Settings: `heliast.toml`, `pyproject.toml`, and the words of the command line themselves."""

import json
import random

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, lines, mutated
from tests.fuzz._tables import data, predictions
from tests.fuzz._values import encoded, nasty

VALID = """level = 0.9
seed = 3
require = ["error.high <= 0.4", "accuracy.low >= 0.2"]
truth = "truth"
label = "label"
cost = "0,1;1,0"
prevalence = "a=0.5,b=0.5"
positive = "b"
"""
VALUES = [
    "1", "0", "2", "-1", "0.5", "nan", "inf", "-inf", "1e400", "9" * 5000, "0x1F", "1_000",
    "true", '""',
    "''", "[]", "{}", '["a"]', "[1]", "[[]]", '[""]', "1979-05-27", "07:32:00",
    "1979-05-27T07:32:00Z",
    '"\\u001b[31m"', '"""\nx"""', "'a", "[", "{", "=", "{a = 1}", "[{}]", '"<script>"', "1__0",
    "+-1",
]  # fmt: skip
REQUIRE = [
    "error.high <= 0.4", "error <= ", "error.high < nan", "error.high <= 1e400", "<= 1", "error",
    "", "nothing.low >= 1", "error.middle <= 1", "error.high == 1", "error.high <= 0.4 and auc",
    "auc.low >= x", "u:error.high <= 1", "error.high<=0.3", "error.high ≤ 0.3",
    "\x1b[31m.low >= 1", "error[a].high <= 1", "error.high <= 1,2", "error.high <= " + "9" * 5000,
    "é.low >= 0", "error.high <= -1", "error.value >= 0", "a - b error.high <= 0",
    "fbeta(beta=2).low >= 0", "fbeta(beta=(((.low >= 0", "precision[b].low >= 0.1",
]  # fmt: skip


def _toml(rng: random.Random) -> str:
    rows = VALID.splitlines()
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randrange(len(rows))
        key = rows[at].split(" = ")[0] if rows[at] else "level"
        roll = rng.random()
        if roll < 0.6:
            rows[at] = f"{key} = {rng.choice(VALUES)}"
        elif roll < 0.63:
            rows.append(rows[at])
        elif roll < 0.7:
            del rows[at]
            rows = rows or [""]
        elif roll < 0.8:
            rows[at] = f"{nasty(rng)[:200]} = 1"
        elif roll < 0.9:
            rows[at] = f'{key} = "{nasty(rng)[:200]}"'
        else:
            told = ", ".join(json.dumps(one) for one in rng.choices(REQUIRE, k=2))
            rows = [one for one in rows if not one.startswith("require")] + [f"require = [{told}]"]
    return "\n".join(rows)


def _deep(rng: random.Random) -> str:
    levels = rng.choice([90, 1_000, 10_000])
    return rng.choice([
        "require = " + "[" * levels, "require = " + "[" * levels + "]" * levels,
        "x = " + "{a=" * levels + "1" + "}" * levels, "[" + ".".join(["a"] * levels) + "]\nb = 1",
        ".".join(["a"] * levels) + " = 1",
    ])  # fmt: skip


@kind("config", 2000)
def config(rng: random.Random) -> Case:
    section = rng.choice(
        ["[gate]"] * 9
        + ["level = 0.9\n[gate]", "[assess]", "[compare]"]
        + ["[[gate]]", "gate = 1", "[gate.x]", "[Gate]", ""]
    )
    text = f"{section}\n{_toml(rng)}\n"
    if rng.random() < 0.08:
        text = f"[gate]\n{_deep(rng)}\n"
    name = rng.choice(["heliast.toml"] * 3 + ["pyproject.toml", "own.toml"])
    if name == "pyproject.toml":
        text = text.replace(
            "[gate]", rng.choice(["[tool.heliast.gate]"] * 5 + ["[tool]", "[tool.heliast]"])
        )
    content = encoded(text)
    if rng.random() < 0.3:
        content = mutated(content, rng, [*BYTES, lines, lines])
    argv = ["gate", "p.csv"]
    if name == "own.toml" or rng.random() < 0.2:
        argv += ["--config", name]
    if rng.random() < 0.3:
        argv += ["--require", "error.high <= 0.9"]
    argv += rng.choice([[], [], ["--json"], ["--junit", "j.xml"]])
    table = "y_true,y_pred\n" + "a,a\nb,b\na,b\nb,b\n" * 8
    outputs = ("j.xml",) if "j.xml" in argv else ()
    return Case(argv, {"p.csv": table.encode(), name: content}, outputs=outputs)


WORDS = [
    "0", "1", "-1", "2", "0.5", "nan", "inf", "1e400", "9" * 30, "9" * 5000, "", " ", "-", "--",
    "x", "a,b", "a,,b",
    "a=b", "=", "==", "0,1", "1,1", "true", "None", "[]", "()", "{}", "kfold", "kfold()",
    "kfold(0)",
    "kfold(1)", "kfold(-3)", "kfold(999999999)", "kfold(10**9)", "kfold(2.5)", "kfold('a')",
    "kfold(k=2, k=3)",
    "kfold(2)(3)", "kfold(*[2])", "kfold(**{'k': 2})", "kfold(x=1)", "(" * 200, "[" * 5000,
    "-" * 3000 + "1",
    "holdout(train=0)", "holdout(train=2)", "holdout(train=nan)", "holdout(1e-9)", "bootstrap(0)",
    "bootstrap(-1)", "subsampling(3, 1.5)", "leave_one_out", "leaveoneout(3)", "fresh(2, 10)",
    "nestedfolds(2)",
    "fivebytwo", "three_way", "from_sklearn", "plan", "Plan()", "__import__('os')", "os.system",
    "lambda: 1",
    "sklearn.svm.NoSuch", "no.such.module", "sklearn", "json.dumps", "json.dumps({})",
    "builtins.print(1)",
    "tree(min_samples_leaf=0)", "tree(max_depth=-1)", "tree(nope=1)", "knn(n_neighbors=0)",
    "knn(5000)",
    "majority(strategy='nope')", "error", "auc", "f1", "fbeta(beta=0)", "fbeta(beta=-1)",
    "log_loss",
    "rmse", "nope",
    "wilson", "delong", "bootstrap", "none", "auto", "1KB", "0GB", "-1GB", "1e9GB",
    "99999999TB", "probability",
    "frequency", "sampling", "classes", "number", "y_true", "y_pred", "class", "u", "\x1b[31mx",
    "\u202ex", "é" * 300,
    "/", "/dev/null", ".", "..", "nowhere/out.parquet", "p.csv", "d.csv", "a\nb", "a\tb", "%s",
    "{}{0}", "*",
    "out.xlsx", "out", ".parquet", "x" * 300 + ".parquet", "d.csv/out.parquet",
]  # fmt: skip
READING = (
    "--y-true --y-pred --y-score --model --split --row --weight --group --positive --classes "
    "--task --scores --weights --fixed-classes --drop-missing --config"
)
QUESTION = "--level --cost --prevalence --threshold --role --seed"
FITS = "--target --plan --ignore --group --task"
OPTIONS = {
    "assess": f"{READING} {QUESTION} {FITS} --measure --interval --in-train --scan --no-scan "
    f"--table "
    "--memory --report --json --nope",
    "compare": f"{READING} {QUESTION} {FITS} --measure --test --margin --correction --report "
    "--json",
    "gate": f"{READING} {QUESTION} --require --interval --test --margin --in-train --look "
    f"--sequential "
    "--junit --github --report --json",
    "run": f"{FITS} --model --store --in-sample --seed --drop-missing -o --report --config",
    "export": f"{READING} {QUESTION} --to --what --spread -o --measure --interval --test --margin "
    "--correction --in-train",
    "explain": f"{FITS} --times --model --level --seed --config",
    "combine": f"{FITS} --estimator --n-estimators --measure --level --margin --correction --cost "
    "--prevalence --seed --drop-missing --store --jobs --report --json "
    "--config -o",
    "benchmark": "--model --plan --target --ignore --measure --level --test --margin --correction "
    "--cost --seed --drop-missing --store --jobs --report --json "
    "--config -o",
}
PLANS = [word for word in WORDS if "kfold" in word or "(" in word[1:] or "_" in word]
PLANS += ["2", "0", "-1", "16", "17"]
NUMBERS = [
    "0", "1", "-1", "2", "0.5", "0.999999999999", "nan", "inf", "-inf", "1e400", "1e-300",
    "9" * 30, "0x1", "1_0",
]  # fmt: skip
FITTING = {
    "--level": NUMBERS, "--seed": [*NUMBERS, "9" * 4000, "18446744073709551616"],
    "--margin": NUMBERS, "--n-estimators": ["1", "2", "3", "0", "-1", "2.5", "²"],
    "--estimator": ["tree", "majority", "bayes", "json.dumps", "tree(max_depth=-1)", "x=tree"],
    "--jobs": ["1", "0", "-1", "²", "1e3"],
    "--times": ["0", "1", "2", "-1", "2.5", "1e3"], "--plan": PLANS,
    "--model": ["majority", "tree", "bayes", "tree(min_samples_leaf=0)", "tree(max_depth=-1)",
    "tree(nope=1)", "knn(n_neighbors=0)", "knn(n_neighbors=5000)", "json.dumps",
    "builtins.print", "sklearn.svm.SVC(C=-1)", "majority(strategy='nope')", "x=majority",
    "x=x=majority", "sklearn.decomposition.PCA", "builtins.dict", "builtins.int",
    "builtins.open('/etc/passwd')", "sklearn.linear_model.LinearRegression"],
    "--measure": ["error", "auc", "f1", "log_loss", "rmse", "brier", "expected_cost", "f1.micro",
    "f.nope", "kappa", "r2"],
    "--test": ["auto", "mcnemar", "corrected_t", "wilcoxon", "friedman", "delong_paired",
    "nope", "", "cochran_q"],
    "--interval": ["auto", "none", "wilson", "delong", "bootstrap", "corrected_t", "nope", ""],
    "--threshold": NUMBERS, "--correction": ["holm", "none", "bonferroni", ""],
    "--role": ["test", "validation", "full", "inner", "all", "nope"],
    "--in-train": ["0", "1", "any", "-1", "many", ""], "--look": ["1/1", "2/5", "any", "0/0",
    "5/2"],
    "--config": ["p.csv", "nowhere.toml", "."],
    "--positive": ["a", "b", "0", "1", "yes"],
    "--classes": ["a,b", "a,b,c", "0,1", ",", "a,a", "b"], "--target": ["class", "y", "u", "sky"],
    "--ignore": ["u", "sky", "class"], "--group": ["when", "sky", "u"],
    "--y-true": ["truth", "y_true", "label"], "--y-pred": ["label", "truth", "y_pred"],
    "--task": ["classification", "regression"], "--to": ["csv", "latex", "json", "md"],
    "--what": ["measures", "differences"], "--memory": ["1GB", "1KB", "0", "-1GB"],
    "--prevalence": ["a=0.5,b=0.5", "a=1,b=0", "a=2,b=-1", "a=nan,b=1", "a=0.5"],
    "--cost": ["0,1;1,0", "0,1;1", "1,1;1,1", "0,-1;1,0", "nan,1;1,0", "0,1e400;1,0", "0", ";",
    "0,1,2;1,0,2;1,1,0"],
}  # fmt: skip
FLAGS = {
    "--json",
    "--github",
    "--fixed-classes",
    "--drop-missing",
    "--scan",
    "--no-scan",
    "--sequential",
    "--in-sample",
}


@kind("options", 2000)
def options(rng: random.Random) -> Case:
    """Words that do not fit, on files that do."""
    verb = rng.choice([*OPTIONS, "assess", "gate", "run"])
    file = (
        "d.csv"
        if verb in ("run", "explain", "combine", "benchmark") or rng.random() < 0.2
        else "p.csv"
    )
    argv = [verb, file]
    quick = {"run": ["-o", "out.parquet", "--model", "majority", "--plan", "2"],
        "export": ["--to", "csv"],
             "combine": ["--estimator", "tree", "--plan", "2", "--n-estimators", "3"],
             "benchmark": ["--model", "majority", "--model", "bayes", "--plan", "2"],
             "explain": ["--model", "majority", "--times", "3"], "gate": ["--require",
             "error.high <= 0.5"]}  # fmt: skip
    argv += quick.get(verb, [])
    if file == "d.csv" and verb in ("assess", "compare"):
        argv += ["--model", "majority", "--plan", "2"]  # not all models there are
    for _ in range(rng.choice([1, 1, 2, 3])):
        option = rng.choice(OPTIONS[verb].split())
        argv.append(option)
        if option == "--require":
            argv.append(rng.choice(REQUIRE))
        elif option not in FLAGS:
            fitting = FITTING.get(option, WORDS) if rng.random() < 0.75 else WORDS
            argv.append(rng.choice(fitting))
    if "--target" in argv and "--model" not in argv:
        argv += ["--model", "majority", "--plan", "2"]
    if rng.random() < 0.05:
        argv.insert(rng.randrange(len(argv)), rng.choice(WORDS))
    case = Case(argv, {"p.csv": predictions(rng, 16), "d.csv": data(rng)})
    case.anywhere = True
    return case

"""Kinds of tables of text: predictions and data as CSV, ARFF, costs."""

import gzip
import random

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, TEXT, lines, mutated
from tests.fuzz._values import encoded, nasty

# --- predictions ---------------------------------------------------------------------------------


def predictions(rng: random.Random, rows: int | None = None) -> bytes:
    """A valid CSV file of predictions in one of the layouts that are understood."""
    n = rows or rng.choice([4, 12, 30, 30, 120])
    layout = rng.randrange(8)
    classes = rng.choice(
        [["a", "b"], ["no", "yes"], ["0", "1"], ["x", "y", "z"], ["False", "True"]]
    )
    truth = [rng.choice(classes) for _ in range(n)]
    label = [one if rng.random() < 0.7 else rng.choice(classes) for one in truth]
    score = [f"{rng.random():.4f}" for _ in range(n)]
    if layout == 0:
        columns = {"y_true": truth, "y_pred": label}
    elif layout == 1:
        columns = {"y_true": truth, "y_pred": label, "id": [str(at) for at in range(n)]}
    elif layout == 2:
        columns = {"y_true": truth, "score": score}
    elif layout == 3:
        columns = {"y_true": truth, **_probabilities(rng, classes, n)}
    elif layout == 4:
        columns = {"model": [rng.choice("uv") for _ in range(n)], "y_true": truth, "y_pred": label}
    elif layout == 5:
        columns = {
            "model": ["u"] * n, "split": [str(at % 3) for at in range(n)],
            "row": [str(at) for at in range(n)], "in_train": ["0"] * n, "y_true": truth,
            "y_pred": label, "weight": [str(rng.randrange(1, 4)) for _ in range(n)],
            "group": [str(at // 3) for at in range(n)],
        }  # fmt: skip
    elif layout == 6:
        columns = {
            "y_true": [f"{rng.gauss(0, 9):.3f}" for _ in range(n)],
            "y_pred": [f"{rng.gauss(0, 9):.3f}" for _ in range(n)],
        }
    else:
        columns = {
            "actual": truth,
            "predicted": label,
            "decision": [f"{rng.gauss(0, 2):.3f}" for _ in range(n)],
        }
    delimiter = rng.choice([",", ",", ",", ";", "\t", "|"])
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(row) for row in zip(*columns.values(), strict=True)]
    return "\n".join([*lines, ""]).encode()


def _probabilities(rng: random.Random, classes: list[str], n: int) -> dict[str, list[str]]:
    rows = []
    for _ in range(n):
        raw = [rng.random() + 0.01 for _ in classes]
        rows.append([f"{one / sum(raw):.9f}" for one in raw])
    return {
        f"prob_{name}": list(one)
        for name, one in zip(classes, zip(*rows, strict=True), strict=True)
    }


ASK = [
    ["assess"], ["assess"], ["assess", "--json"], ["assess", "--measure", "error"],
    ["assess", "--measure", "auc", "--json"], ["assess", "--drop-missing"], ["compare"],
    ["compare", "--json"], ["gate", "--require", "error.high <= 0.5"],
    ["gate", "--require", "accuracy.low >= 0.1", "--json"], ["assess", "--task", "regression"],
    ["assess", "--task", "classification"], ["assess", "--scores", "probability"],
    ["assess", "--measure", "error", "--interval", "bootstrap"],
]  # fmt: skip


def asked(rng: random.Random, name: str) -> tuple[list[str], tuple[str, ...]]:
    """Words that read predictions, with an output in a share."""
    roll = rng.random()
    if roll < 0.08:
        to = rng.choice(["csv", "latex", "json", "md"])
        what = rng.choice(["measures", "measures", "differences"])
        return ["export", name, "--to", to, "--what", what, "-o", "out.txt"], ("out.txt",)
    if roll < 0.11:
        return ["assess", name, "--report", "r.html"], ("r.html",)
    if roll < 0.13:
        words = ["gate", name, "--require", "error.high <= 0.5", "--junit", "j.xml"]
        return words, ("j.xml",)
    verb, *options = rng.choice(ASK)
    if verb == "assess":
        options += ["--plan", "2"]  # in case it turns out to hold data, on which models are fitted
    return [verb, name, *options], ()


@kind("predictions-csv", 6000)
def predictions_csv(rng: random.Random) -> Case:
    content = mutated(predictions(rng), rng, TEXT)
    name = rng.choice(["p.csv"] * 8 + ["p.tsv", "p.txt", "p", "p.parquet", "p.csv.gz", "p.CSV"])
    if name == "p.csv.gz" and rng.random() < 0.7:
        content = gzip.compress(content, mtime=0)
    argv, outputs = asked(rng, name)
    files = {name: content}
    if rng.random() < 0.1:
        files["other.csv"] = predictions(rng)
        argv.insert(2, "other.csv")
    plain = not any(word in ("--task", "--scores", "--drop-missing") for word in argv)
    return Case(argv, files, main=name, reader="predictions" if plain else "", outputs=outputs)


@kind("mapped-columns", 1500)
def mapped_columns(rng: random.Random) -> Case:
    """Predictions whose columns are named by options, rightly or not."""
    content = predictions(rng)
    names = (
        content.split(b"\n", 1)[0]
        .decode()
        .replace(";", ",")
        .replace("\t", ",")
        .replace("|", ",")
        .split(",")
    )
    if rng.random() < 0.5:
        content = mutated(content, rng, TEXT)
    argv = [rng.choice(["assess", "assess", "compare", "gate"]), "p.csv"]
    for _ in range(rng.randrange(1, 4)):
        option = rng.choice(["--y-true", "--y-pred", "--y-score", "--model", "--split", "--row",
            "--group",
                             "--positive", "--classes", "--scores", "--task"])  # fmt: skip
        fitting = {
            "--positive": ["a", "b", "yes", "1", "True"],
            "--classes": ["a,b", "0,1", "x,y,z", "no,yes", "b,a,c"],
            "--scores": ["probability", "decision", "votes"], "--task": ["classification",
            "regression"],
            "--y-score": [*names, f"a={names[-1]}"],
        }.get(option, names)  # fmt: skip
        odd = ["nowhere", "a=b", nasty(rng)[:200], rng.choice(names)]
        word = rng.choice(fitting if rng.random() < 0.8 else odd)
        argv += [option, word.replace("\0", "")]
    if argv[0] == "gate":
        argv += ["--require", "error.high <= 0.5"]
    return Case(argv, {"p.csv": content})


# --- data ----------------------------------------------------------------------------------------


def data(rng: random.Random) -> bytes:
    """A valid CSV file of data."""
    n = rng.choice([6, 24, 24, 60])
    delimiter = rng.choice([",", ",", ",", ";", "\t"])
    target = rng.choice(["class", "y", "target", "outcome"])
    number = rng.random() < 0.15
    rows = [["u", "sky", "when", target]]
    for at in range(n):
        truth = f"{rng.gauss(0, 1):.4f}" if number else rng.choice("ab") if at > 1 else "ab"[at]
        rows.append(
            [
                f"{rng.gauss(0, 1):.3f}",
                rng.choice(["sun", "rain", "?"]),
                str(rng.randrange(9)),
                truth,
            ]
        )
    return "\n".join([delimiter.join(row) for row in rows] + [""]).encode()


def fitted(
    rng: random.Random, name: str, target: str | None = None
) -> tuple[list[str], tuple[str, ...]]:
    """Words that read data and fit something quick."""
    model = rng.choice(["majority", "majority", "bayes", "tree"])
    plan = rng.choice(["2", "3", "holdout", "kfold(2)", "bootstrap(2)"])
    words = ["--model", model, "--plan", plan]
    if target is not None:
        words += ["--target", target]
    if rng.random() < 0.15:
        words += rng.choice([["--drop-missing"], ["--ignore", "u"], ["--group", "when"]])
    roll = rng.random()
    if roll < 0.6:
        output = rng.choice(["out.parquet", "out.parquet", "out.csv", "out.csv.gz"])
        return ["run", name, "-o", output, *words], (output,)
    if roll < 0.63:
        return ["run", name, "-o", "o.parquet", "--report", "r.html", *words], (
            "o.parquet",
            "r.html",
        )
    return ["assess", name, *words, "--measure", "error"], ()


def _target(content: bytes, rng: random.Random) -> str | None:
    first = content.split(b"\n", 1)[0]
    if rng.random() < 0.5:
        return None
    name = rng.choice(max(first.split(b","), first.split(b";"), first.split(b"\t"), key=len))
    return name.decode("utf-8", errors="replace").strip('"\r').replace("\0", "")[:300] or None


@kind("data-csv", 3000)
def data_csv(rng: random.Random) -> Case:
    content = mutated(data(rng), rng, TEXT)
    name = rng.choice(["d.csv"] * 8 + ["d.tsv", "d.txt", "d.arff", "d.csv.gz"])
    if name == "d.csv.gz" and rng.random() < 0.7:
        content = gzip.compress(content, mtime=0)
    target = _target(content, rng)
    argv, outputs = fitted(rng, name, target)
    plain = (
        argv[0] == "run"
        and target is None
        and not {"--ignore", "--group", "--drop-missing"} & {*argv}
    )
    return Case(argv, {name: content}, main=name, reader="data" if plain else "", outputs=outputs)


ARFF = [
    "@attribute n numeric", "@attribute x real", "@attribute i integer", "@attribute 'a b' {x,y}",
    "@attribute s string", "@attribute d date 'yyyy-MM-dd'", '@attribute "q\\"q" {1,2}',
    "@attribute e {}", "@attribute n {a,b", "@attribute", "@attribute x", "@attribute x unknown",
    "@attribute r relational", "@end r", "@attribute t date", "@attribute t date 'QQQQ'",
    "@relation", "@data", "@DATA", "% @data", "@attribute \u202ex real", "@attribute c {a,a}",
    "@attribute 'x' real 'y'", "@attribute d date \"yyyy-MM-dd'T'HH:mm:ss\"", "@inputs x",
    "@attribute w {'{','}'}",
]  # fmt: skip
ARFF_ROWS = [
    "{0 1, 3 b}", "{0 1", "{9 1}", "{-1 1}", "{0 1,0 2}", "{a b}", "{}", "1,sun,a,{2}",
    "1,sun,a,{x}", "'", '"', "1,'sun", "?,?,?", "?", "1,sun,a,b,c", ",,", "1 sun a", "1,SUN,a",
    "\\", "1,'su\\'n',a", "{1 sun, 0 1}", "{0 1}, {2}", "1,sun,a,{-3}", "1,sun,a,{1e400}",
    "{4294967296 1}", "{0 nan}",
]  # fmt: skip


@kind("arff", 3000)
def arff(rng: random.Random) -> Case:
    content = _arff(rng)
    if rng.random() < 0.6:
        content = mutated(content, rng, [_arff_cell, _arff_cell, *BYTES[:8], lines])
    name = rng.choice(["d.arff"] * 9 + ["d.arff.gz", "d.csv"])
    if name == "d.arff.gz":
        content = gzip.compress(content, mtime=0)
    argv, outputs = fitted(rng, name, rng.choice([None, None, "class", "u"]))
    plain = (
        "--target" not in argv
        and argv[0] == "run"
        and not {"--ignore", "--group", "--drop-missing"} & {*argv}
    )
    return Case(argv, {name: content}, main=name, reader="data" if plain else "", outputs=outputs)


def _arff_cell(content: bytes, rng: random.Random) -> bytes:
    """A value of one row, or a word of the header, is another."""
    head, mark, body = content.partition(b"@data\n")
    part = body if rng.random() < 0.8 else head
    rows = part.split(b"\n")
    at = rng.randrange(len(rows))
    cells = rows[at].split(b"," if part is body else b" ")
    value = encoded(nasty(rng))
    if rng.random() < 0.4:
        value = b"'" + value.replace(b"'", b"\\'") + b"'"
    cells[rng.randrange(len(cells))] = value
    rows[at] = (b"," if part is body else b" ").join(cells)
    part_changed = b"\n".join(rows)
    return head + mark + part_changed if part is body else part_changed + mark + body


def _arff(rng: random.Random) -> bytes:
    sparse = rng.random() < 0.3
    quote = rng.choice(["", "'", '"'])
    head = ["% made", "@relation r", f"@attribute {quote}u{quote} numeric",
            "@attribute sky {sun,rain}", "@attribute class {a,b}", "@data"]  # fmt: skip
    rows = []
    for at in range(rng.choice([4, 24])):
        u, sky, truth = f"{rng.gauss(0, 1):.3f}", rng.choice(["sun", "rain", "?"]), "ab"[at % 2]
        rows.append(f"{{0 {u}, 1 {sky}, 2 {truth}}}" if sparse else f"{u},{sky},{truth}")
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        head.insert(rng.randrange(len(head) + 1), rng.choice(ARFF))
    for _ in range(rng.choice([0, 0, 1, 3])):
        rows.insert(rng.randrange(len(rows) + 1), rng.choice(ARFF_ROWS))
    roll = rng.random()
    if roll < 0.02:
        head[1:1] = [f"@attribute r{at} relational" for at in range(10_000)]
    elif roll < 0.04:
        head.insert(3, "@attribute deep " + "{" * 10_000)
    elif roll < 0.05:
        head.insert(3, "@attribute many {" + ",".join(map(str, range(20_000))) + "}")
    elif roll < 0.06:
        head.insert(3, f"@attribute {'n' * 100_000} real")
    elif roll < 0.08:
        head.insert(3, f"@attribute {nasty(rng)[:100]} real")
    elif roll < 0.09:
        rows.append("'" + "\\" * 50_001)
    return encoded("\n".join([*head, *rows, ""]))


# --- costs ---------------------------------------------------------------------------------------


@kind("costs", 500)
def costs(rng: random.Random) -> Case:
    """A file of costs, or costs and class shares as words."""
    table = b"y_true,y_pred\n" + b"a,a\nb,b\na,b\nb,b\n" * 6
    content = mutated(
        rng.choice([b"0,1\n5,0\n", b"0,1,2\n1,0,2\n1,2,0\n", b"0;1\n1;0\n"]), rng, TEXT
    )
    verb = rng.choice([["assess", "p.csv"], ["gate", "p.csv", "--require", "error.high <= 0.5"]])
    roll = rng.random()
    if roll < 0.6:
        return Case([*verb, "--cost", "c.csv"], {"p.csv": table, "c.csv": content})
    words = content.decode("utf-8", errors="replace").replace("\0", "")[:2000]
    if roll < 0.8:
        return Case([*verb, f"--cost={words.replace(chr(10), ';')}"], {"p.csv": table})
    words = rng.choice(
        [f"a={nasty(rng)[:50]},b=0.5", "a=1,b=1", "a=0.5", "a=-1,b=2", "z=1", words, "a==1"]
    )
    return Case([*verb, f"--prevalence={words}".replace("\0", "")], {"p.csv": table})

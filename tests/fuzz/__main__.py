"""Make bad inputs, run them, tell what went wrong.

`python -m tests.fuzz` runs all; `python -m tests.fuzz KIND` one kind; `python -m tests.fuzz KIND K`
makes one input again, leaves its files in a folder and says everything about it.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_NUM_THREADS"), "1")

import shlex

import tests.fuzz.kinds  # noqa: F401 - every kind joins
from tests.fuzz._case import KINDS, SEED, SHARES, case
from tests.fuzz._runner import Outcome, Runner


def main() -> int:
    options = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    options.add_argument("kind", nargs="?", choices=[*KINDS])
    options.add_argument("number", nargs="?", type=int)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--share", type=float, default=1.0, help="of the inputs of each kind")
    options.add_argument("--serve", action="store_true", help="kind, first, count on each line in")
    said = options.parse_args()
    runner = Runner()
    try:
        if said.serve:
            return serve(runner, said.seed)
        if said.number is not None:
            return again(runner, said.kind, said.number, said.seed)
        return everything(runner, [said.kind] if said.kind else [*KINDS], said.share, said.seed)
    finally:
        runner.close()


def serve(runner: Runner, seed: int) -> int:
    """Answer each line `KIND FIRST COUNT` with the failures and the counts of exit codes."""
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        name, first, count = line.split()
        print(
            json.dumps(some(runner, name, range(int(first), int(first) + int(count)), seed)),
            flush=True,
        )
    return 0


def some(runner: Runner, name: str, numbers: range, seed: int) -> dict[str, object]:
    codes: Counter[str] = Counter()
    failures = []
    slowest = 0.0
    for number in numbers:
        outcome = runner.run(case(name, number, seed))
        codes[str(outcome.code)] += 1
        slowest = max(slowest, outcome.seconds)
        if outcome.problems:
            failures.append(failure(name, number, seed, outcome))
    return {"codes": dict(sorted(codes.items())), "failures": failures, "slowest": slowest}


def failure(name: str, number: int, seed: int, outcome: Outcome) -> str:
    where = f"python -m tests.fuzz {name} {number}" + (f" --seed {seed}" if seed != SEED else "")
    last = outcome.err.strip().splitlines()[-1:] or [""]
    return f"{where}: {'; '.join(outcome.problems)} | {last[0][:300]}"


def everything(runner: Runner, names: list[str], share: float, seed: int) -> int:
    total: Counter[str] = Counter()
    failed = 0
    start = time.monotonic()
    print(
        f"{'kind':<20}{'inputs':>8}{'0':>8}{'1':>8}{'2':>8}{'3':>8}{'failed':>8}{'s':>8}{'slowest':>9}"
    )
    for name in names:
        began = time.monotonic()
        count = max(1, round(SHARES[name] * share))
        found = some(runner, name, range(count), seed)
        codes: dict[str, int] = found["codes"]  # type: ignore[assignment]
        failures: list[str] = found["failures"]  # type: ignore[assignment]
        total += Counter(codes)
        failed += len(failures)
        shown = "".join(f"{codes.get(code, 0):>8}" for code in "0123")
        seconds = time.monotonic() - began
        print(
            f"{name:<20}{count:>8}{shown}{len(failures):>8}{seconds:>8.0f}{found['slowest']:>9.2f}",
            flush=True,
        )
        for line in failures:
            print(f"  {line}", flush=True)
    shown = "".join(f"{total.get(code, 0):>8}" for code in "0123")
    print(f"{'all':<20}{total.total():>8}{shown}{failed:>8}{time.monotonic() - start:>8.0f}")
    return 1 if failed else 0


def again(runner: Runner, name: str, number: int, seed: int) -> int:
    one = case(name, number, seed)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-{number}-"))
    one.lay_out(folder)
    outcome = runner.run(one)
    print(f"cd {folder} && heliast {shlex.join(one.argv)}")
    print(f"exit code {outcome.code}, {outcome.seconds:.2f} s, reader: {outcome.reader or '-'}")
    print(f"--- stdout\n{outcome.out[:3000]}\n--- stderr\n{outcome.err[:6000]}")
    print("\n".join(outcome.problems) or "nothing wrong")
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # frozen objects would be reported as leaks

"""Make bad inputs, run them, tell what went wrong.

`python -m tests.fuzz` runs all; `python -m tests.fuzz KIND` one kind; `python -m tests.fuzz KIND K`
makes one input again, leaves its files in a folder and says everything about it.
"""

import argparse
import json
import os
import queue
import shlex
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_NUM_THREADS"), "1")

import tests.fuzz.kinds  # noqa: F401 - every kind joins
from tests.fuzz._case import KINDS, SEED, SHARES, case
from tests.fuzz._runner import Outcome, Runner
from tests.fuzz._server import Server

CHUNK = 50


def main() -> int:
    options = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    options.add_argument("kind", nargs="?", choices=[*KINDS])
    options.add_argument("number", nargs="?", type=int)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--share", type=float, default=1.0, help="of the inputs of each kind")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options.add_argument("--serve", action="store_true", help="kind, first, count on each line in")
    said = options.parse_args()
    if said.number is None and not said.serve:
        names = [said.kind] if said.kind else [*KINDS]
        return everything(names, said.share, said.seed, said.jobs)
    runner = Runner()
    try:
        if said.serve:
            return serve(runner, said.seed)
        return again(runner, said.kind, said.number, said.seed)
    finally:
        runner.close()


def serve(runner: Runner, seed: int) -> int:
    """Answer each line `KIND FIRST COUNT` with the failures and the counts of exit codes."""
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


def everything(names: list[str], share: float, seed: int, jobs: int) -> int:
    """All inputs of these kinds, shared out among processes: failures as they come, a table."""
    counts = {name: max(1, round(SHARES[name] * share)) for name in names}
    orders = [
        (name, range(first, min(first + CHUNK, count)))
        for name, count in counts.items()
        for first in range(0, count, CHUNK)
    ]
    orders.sort(key=lambda order: order[1].start / counts[order[0]])  # every kind from the start
    start = time.monotonic()
    codes: dict[str, Counter[str]] = {name: Counter() for name in names}
    failed, slowest = Counter[str](), dict.fromkeys(names, 0.0)
    servers: queue.SimpleQueue[Server] = queue.SimpleQueue()
    for _ in range(jobs):
        servers.put(Server(seed))

    def done(order: tuple[str, range]) -> dict[str, Any]:
        server = servers.get()
        try:
            return server.ask(*order)
        finally:
            servers.put(server)

    with ThreadPoolExecutor(jobs) as pool:
        for (name, _), found in zip(orders, pool.map(done, orders), strict=True):
            codes[name] += Counter(found["codes"])
            failed[name] += len(found["failures"])
            slowest[name] = max(slowest[name], found["slowest"])
            print(*found["failures"], sep="\n", end="\n" * bool(found["failures"]), flush=True)
            if codes[name].total() == counts[name]:
                print(_row(name, codes[name], failed[name], slowest[name]), flush=True)
    while not servers.empty():
        servers.get().end()
    total = sum(codes.values(), Counter[str]())
    titles = ["inputs", "exit 0", "1", "2", "3", "failed"]
    print(f"\n{'kind':<20}{''.join(f'{title:>8}' for title in titles)}{'slowest':>9}")
    for name in names:
        print(_row(name, codes[name], failed[name], slowest[name]))
    print(_row("all", total, failed.total(), max(slowest.values())))
    print(f"{time.monotonic() - start:.0f} s; the slowest of each kind in seconds of the processor")
    return 1 if failed.total() else 0


def _row(name: str, codes: Counter[str], failed: int, slowest: float) -> str:
    shown = "".join(f"{codes[code]:>8}" for code in "0123")
    return f"{name:<20}{codes.total():>8}{shown}{failed:>8}{slowest:>9.2f}"


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

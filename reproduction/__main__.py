"""Command line: python -m reproduction [STUDY ...] [--quick]."""

import argparse
import os
import sys
from pathlib import Path

from reproduction.output import result_text, summary_text, write_page
from reproduction.study import DATA, Settings, all_studies, find_studies, run_study


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction",
        description="Compute the printed numbers of five published texts again and compare them.",
        epilog="Exit code 0: every number that counts is within its tolerance. 1: one is not.",
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="STUDY", help="thesis-2.12, thesis-2, chapter, ...; all")
    add("--list", action="store_true", help="list the studies")
    add("--quick", action="store_true", help="few repetitions: rough numbers, misses do not count")
    add("--seed", type=int, default=1, help="seed of all random draws (%(default)s)")
    add(
        "--data",
        type=Path,
        default=os.environ.get("HELIAST_DATA") or DATA,
        metavar="FOLDER",
        help="folder with letter.csv and vowel.csv (HELIAST_DATA, else reproduction/data)",
    )
    add("--store", metavar="FOLDER", help="folder that keeps finished fits")
    add("--jobs", type=int, metavar="N", help="worker processes")
    add("--page", type=Path, metavar="FILE", help="write a Markdown page, figures beside it")
    options = parser.parse_args(arguments)
    try:
        options.studies = find_studies(options.names)
    except KeyError as error:
        parser.error(f"no study {error}; --list names all")
    if options.quick and options.page:
        parser.error("--page needs a full run: leave out --quick")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the studies that are named; the exit code."""
    options = parse_arguments(arguments)
    if options.list:
        for study in all_studies():
            needs = f"  (needs {', '.join(study.needs)})" if study.needs else ""
            print(f"{study.id:<20} {study.title}{needs}")
        return 0
    settings = Settings(options.quick, options.seed, options.data, options.store, options.jobs)
    results, skipped = [], []
    for study in options.studies:
        absent = [name for name in study.needs if not settings.path(name).is_file()]
        if absent:
            skipped.append(f"{study.id}: {', '.join(absent)}")
            continue
        results.append(run_study(study, settings))
        print(result_text(results[-1]), end="\n\n", flush=True)
    if len(results) > 1:
        print(summary_text(results))
    if skipped:
        print(f"\nSkipped, data not in {settings.folder} (--data FOLDER):", *skipped, sep="\n  ")
    if options.page:
        write_page(results, options.page)
    return int(any(result.missed for result in results))


if __name__ == "__main__":
    sys.exit(main())

"""The report as a plain dict: a pure function of what was computed, everything JSON can hold."""

import math
import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from heliast import measures
from heliast._core.errors import HeliastError
from heliast._core.notes import UNFINISHED
from heliast._core.numbers import count
from heliast.estimates import Estimate
from heliast.views.numbers import Measured, capital, ci, measure_name, short_name
from heliast.views.record import Record, notes_of
from heliast.views.report.contents import Material, Part, Section, drawn, part, shown_table
from heliast.views.report.sections import SECTIONS, stamp

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison

MOST_TILES = 6


def summarise(material: Material, sections: Sequence[Section] = SECTIONS) -> Part:
    """Verdict, key figures and sections of one table; a section that fails leaves a note."""
    parts = [made for record in material.top for made in record_parts(record)]
    absent = []
    for section in sections:
        made = _built(section, material)
        if made is not None and "absent" in made:
            absent.append({"title": section.title, "why": made["absent"]})
        elif made is not None:
            parts.append(made)
    for made in parts:
        if made["key"] == "warnings" and "failed" not in made:
            made["absent"] = absent
    headline = _headline(material)
    return {
        "title": material.title,
        "best": material.model_names[material.best],
        "level": material.level,
        "verdict": _verdict(material),
        "facts": _facts(material),
        "tiles": _tiles(material),
        "choice": "" if headline is None else headline.words,
        "sections": parts,
        "absent": absent,
    }


def summarise_record(
    record: Record, title: str = "", command: str = "", versions: Mapping[str, str] | None = None
) -> Part:
    """The report of a record alone: its summary, tables, plots and notes."""
    level = getattr(record, "level", 0.95)
    word, tone = mark(record)
    rows = [("command", command or "heliast.report(...) in Python")]
    seed = getattr(record, "seed", None)
    rows += [("seed", str(seed))] if seed is not None else []
    return {
        "title": title or type(record).__name__,
        "best": "",
        "level": level,
        "verdict": {"sentences": [record.summary], "word": word, "tone": tone},
        "facts": [{"name": "confidence", "value": f"{100 * level:g}%"}],
        "tiles": [],
        "choice": "",
        "sections": [*record_parts(record), stamp(rows, versions or {})],
        "absent": [],
    }


def record_parts(record: Record) -> list[Part]:
    """The sections of a record: each table that is no detail has its own, plots stand first."""
    kind = type(record).__name__
    figures, (_, notes) = [], notes_of(record)
    for maker in record.plots().values():
        try:
            figures.append(drawn(maker()))
        except HeliastError as error:
            notes.append(f"A plot is missing: {error}")
    tables = [replace(table, name=_key(f"{kind}-{table.name}")) for table in record.tables()]
    main = [table for table in tables if not table.detail] or tables
    lead = " ".join(record.remarks)
    first = part(lead, figures, main[:1])
    parts = [{"key": kind.lower(), "title": kind, "short": kind, **first}]
    for table in main[1:]:
        short = capital(table.name.partition("-")[2].replace("-", " "))
        parts.append(
            {"key": table.name, "title": table.title, "short": short, **part(tables=[table])}
        )
    parts[-1]["tables"] += [shown_table(one) for one in tables if one.detail and one not in main]
    parts[-1]["notes"] += notes
    return [{"template": "section.html", **made} for made in parts]


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _built(section: Section, material: Material) -> Part | None:
    head = {
        "key": section.key, "title": section.title, "short": section.short,
        "template": section.template,
    }  # fmt: skip
    try:
        made = section.build(material)
    except HeliastError as error:
        return {**head, "absent": str(error)}
    except Exception as error:
        return {**head, "template": "failed.html", "failed": fault(error)}
    return None if made is None else {**head, **made}


def fault(error: Exception) -> str:
    """What went wrong and where, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f", in {last[0].name} (line {last[0].lineno})" if last else ""
    return f"{type(error).__name__}: {error}{where}"


# --- the verdict ---------------------------------------------------------------------------------


def _verdict(material: Material) -> Part:
    """`sentences` for people, `word` and `tone` for a mark beside them."""
    sentences = [record.summary for record in material.top]
    if _headline(material) is material.assessment.headline:
        sentences.append(material.assessment.summary)
    if material.compared is not None:
        sentences.append(material.compared.summary)
    elif len(material.assessment.models) > 1:
        sentences.append(f"The models are not compared: {material.alone}.")
    word, tone = "one model", "plain"
    if material.top:
        word, tone = mark(material.top[0])
    elif material.compared is not None:
        word, tone = mark(material.compared)
    elif len(material.assessment.models) > 1:
        word, tone = "not compared", "warn"
    if material.table.unfinished:
        sentences.insert(0, f"This run is {material.table.unfinished}.")
        word, tone = UNFINISHED, "warn"
    return {"sentences": sentences, "word": word, "tone": tone}


def _headline(material: Material) -> Any:
    """The headline of a record that stands first, such as a combination; else the assessment's."""
    headlines = [record.headline for record in material.top if hasattr(record, "headline")]
    return headlines[0] if headlines else material.assessment.headline


def mark(record: Any) -> tuple[str, str]:
    """A word and a tone for what a record says: its outcome, or how the best model stands."""
    outcome = getattr(record, "outcome", "")
    if outcome:
        tones = {"pass": ("PASS", "good"), "fail": ("FAIL", "bad")}
        return tones.get(outcome, ("INCONCLUSIVE", "warn"))
    compared = getattr(record, "comparison", record)
    if not hasattr(compared, "pairs") or not hasattr(compared, "order"):
        return type(record).__name__.lower(), "plain"
    return _standing(compared)


def _standing(compared: "Comparison") -> tuple[str, str]:
    best, *others = compared.order
    if len(others) > 1:
        clear = all(compared.tested(best, m) and compared[best, m].better for m in others)
        return ("best model significant", "good") if clear else ("no clear winner", "warn")
    pair = compared[best, others[0]]
    if pair.significant:
        return "significant difference", "good"
    if pair.identical:
        return "identical predictions", "plain"
    return ("equivalent", "good") if pair.equivalent else ("inconclusive", "warn")


# --- key figures ---------------------------------------------------------------------------------


def _tiles(material: Material) -> list[Part]:
    """One dict a tile, of the best model; the measure that models are ranked by comes first."""
    titles = dict.fromkeys(
        (material.measure, *measures.KEY_FIGURES, *(one.measure for one in material.overall))
    )
    estimates = [material.estimate(material.best, title) for title in titles]
    defined = [one for one in estimates if one is not None and math.isfinite(one.value)]
    tiles = [_tile(one, _class_words(material, one)) for one in defined[:MOST_TILES]]
    headline = _headline(material)
    same = headline is not None and headline.estimate.measure == material.measure
    if headline is not None and headline.adjusted and same and tiles:
        tiles[0] = _tile(headline.estimate, f"{_class_words(material, defined[0])}, adjusted")
    return tiles


def _class_words(material: Material, estimate: Estimate) -> str:
    """Which class a measure is of, or that it is the mean over them; the word for a kappa."""
    if estimate.measure == "kappa":
        return f", {measures.kappa_word(estimate.value)}"
    declared = measures.titled(estimate.measure)
    if not declared.classwise or declared.average is not None:
        return ""
    if len(material.assessment.classes) > 2:
        return ", mean of classes"
    positive = material.assessment.positive
    if positive is None or declared.name == "auc":
        return ""
    return f", {short_name(material.class_names[positive], 24)}"


def _tile(estimate: Estimate, more: str) -> Part:
    shown = Measured.of(estimate).figures
    return {
        "measure": estimate.measure,
        "title": capital(measure_name(estimate.measure)) + more,
        "value": shown.value,
        "interval": f"{ci(estimate.level)} {shown.between}" if shown.known else "no interval",
        "method": estimate.method if shown.known else estimate.reason,
        "better": measures.titled(estimate.measure).better,
    }


def _facts(material: Material) -> list[Part]:
    """What the numbers rest on: rows, classes, models, splits."""
    assessment, main = material.assessment, material.main_estimate(material.best)
    facts = [("items" if assessment.task == "graded" else "rows tested", count(material.tested))]
    if main.n < material.tested:
        facts.append((f"of these count for {measure_name(main.measure)}", count(main.n)))
    if assessment.task == "classification":
        facts.append(("classes", count(len(assessment.classes))))
    facts.append(("models", count(len(assessment.models))))
    if material.splits > 1:
        facts.append(("splits", count(material.splits)))
    if main.n_train is not None:
        facts.append(("training rows", count(main.n_train)))
    facts.append(("confidence", f"{100 * material.level:g}%"))
    return [{"name": name, "value": value} for name, value in facts]

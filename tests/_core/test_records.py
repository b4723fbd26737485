"""The notebook view of records: every field, nothing that runs."""

import inspect

import pytest

import heliast as hl
from heliast import comparisons, curves, estimates, theory
from heliast.comparisons import mcnemar
from heliast.estimates import wilson

KINDS = {
    kind
    for module in (hl, comparisons, estimates, curves, theory)
    for name in module.__all__
    if inspect.isclass(kind := getattr(module, name)) and hasattr(kind, "to_dict")
}


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: kind.__name__))
def test_every_record_has_a_notebook_view(kind):
    assert hasattr(kind, "_repr_html_")


def test_it_shows_the_fields_and_escapes_them():
    shown = wilson(3, 30)._repr_html_()
    assert "<th>value</th><td>0.1</td>" in shown
    assert "<th>method</th><td>Wilson</td>" in shown
    named = estimates.Estimate(0.5, model="<script>x</script>", measure="a\n" + "b" * 900)
    assert "<script>" not in named._repr_html_()
    assert len(named._repr_html_()) < 2500
    assert "<th>p</th>" in mcnemar(12, 2)._repr_html_()

"""Notes keep their keys on every way that tables go: pickles and files."""

import pickle

import heliast as hl
from heliast._core.notes import UNFINISHED, Note, key_of


def test_a_note_is_its_words_and_keeps_its_key_in_a_pickle() -> None:
    note = Note("only 8 groups", "groups")
    assert note == "only 8 groups"
    again = pickle.loads(pickle.dumps(note))
    assert (again, again.key) == ("only 8 groups", "groups")
    assert key_of(str(note)) == ""


def test_keys_go_through_files(tmp_path) -> None:
    table = hl.Predictions.of(["a", "b"], ["a", "a"])
    table = table.noted(Note("unfinished: 2 of 5 cells", UNFINISHED), Note("odd", "unlike"), "said")
    again = hl.Predictions.read(table.write(tmp_path / "table.parquet"))
    assert [key_of(note) for note in again.notes[-3:]] == [UNFINISHED, "unlike", ""]
    assert again.unfinished == "unfinished: 2 of 5 cells"


def test_a_file_of_before_there_were_keys_is_unfinished_all_the_same(tmp_path) -> None:
    table = hl.Predictions.of(["a", "b"], ["a", "a"]).noted("unfinished: 2 of 5 cells")
    assert table.unfinished == ""
    assert hl.Predictions.read(table.write(tmp_path / "table.parquet")).unfinished

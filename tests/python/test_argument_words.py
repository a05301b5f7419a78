"""What callers wrote is shown so that it neither ends a message nor breaks its line; what is empty is no path."""

import numpy
import pytest

import sortie


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("id,n\nb,2\na,1\n")
    return path


REMEDIES = {"memory": "such as 4GB", "keys": "invalid number", "header_lines": "give a number",
            "quote": "known are csv",
            "engine": "known are auto", "compression": "known are auto", "algorithm": "known are auto",
            "delimiter": "one character of one byte", "group": "unknown aggregate", "split_by": "invalid number",
            "split_size": "such as 4GB", "ordering": "known are the letters", "chromosomes": "known are natural",
            "set_operation": "known are union", "order": "known are keys", "entry_start": "no regular expression"}


@pytest.mark.parametrize("name", REMEDIES)
@pytest.mark.parametrize("word, shown", [("a\0b", r"a\000b"), ("a\nb\x1b", r"a\nb\033")])
def test_a_message_is_whole_whatever_the_word(table, tmp_path, name, word, shown):
    if name == "entry_start" and "\0" not in word:
        return  # an expression like any other
    with pytest.raises(sortie.ArgumentError) as told:
        sortie.sort_files(table, tmp_path / "out", **{name: word})
    message = str(told.value)
    assert f"invalid value '{shown}' for {name}: " in message and REMEDIES[name] in message
    assert message.isprintable() and not (tmp_path / "out").exists()


def test_names_of_columns_and_arguments_are_shown_whole(table, tmp_path):
    for options in ({"keys": "a\0b"}, {"keys": "id", "group": "sum:a\0b"}, {"keys": "a\0b", "header_lines": 0}):
        with pytest.raises(sortie.Error, match=r"no column is called .a\\000b.( with header_lines=0: give|: there are "
                           r".id.)"):
            sortie.sort_files(table, tmp_path / "out", format="csv", **options)
    with pytest.raises(TypeError, match="unexpected keyword argument 'a\x00b'$"):
        sortie.sort_files(table, tmp_path / "out", **{"a\0b": 1})
    with pytest.raises(sortie.ArgumentError, match=r"'a\\000b' for engine: known are"):
        sortie.sort(numpy.arange(3), engine="a\0b")
    with pytest.raises(sortie.ArgumentError, match=r"'a\\000b' for how: known are"):
        sortie.join_files(table, table, tmp_path / "out", keys="id", format="csv", how="a\0b")


def test_other_letters_are_shown_as_they_are(table, tmp_path):
    with pytest.raises(sortie.ArgumentError, match="'größer€' for engine"):
        sortie.sort_files(table, tmp_path / "out", engine="größer€")


def test_words_of_a_cluster_are_shown_whole(table, tmp_path):
    import sortie.cluster

    for name in ("shard", "engine", "sort_engine"):
        with pytest.raises(sortie.ArgumentError, match=rf"'a\\000b\\n' for {name}: "):
            sortie.cluster.sort_files(table, tmp_path / "out", job=tmp_path / "job", **{name: "a\0b\n"})


@pytest.mark.parametrize("name", ["stats_json", "trace", "report", "manifest", "checkpoint", "compress_program",
                                  "scratch"])
def test_an_empty_path_is_refused_by_name(table, tmp_path, name):
    for empty in ("", b""):
        with pytest.raises(sortie.ArgumentError, match=f"invalid value '' for {name}: give"):
            sortie.sort_files(table, tmp_path / "out", **{name: empty})
    assert not (tmp_path / "out").exists()
    sortie.sort_files(table, tmp_path / "out", **{name: None})


@pytest.mark.parametrize("options, message", [
    ({"memory": 3}, "invalid value '3' for memory: that is too small; give 262144 bytes or more"),
    ({"merge_fan_in": 1}, "invalid value '1' for merge_fan_in: a merge takes two runs at least; give 2 or more"),
    ({"zone": "UTC"}, "zone needs a key of type time"), ({"na": "x"}, "or leave na out"),
    ({"na": True, "keys": "1,1M"}, "or leave na out"),
    ({"na": "x", "keys": "1,1", "group": "first:2"}, "leave na out")])
def test_arguments_that_do_not_fit_are_named(table, tmp_path, options, message):
    with pytest.raises(sortie.ArgumentError, match=message):
        sortie.sort_files(table, tmp_path / "out", **options)


@pytest.mark.parametrize("options", [{"ordering": "n"}, {"keys": "1,1g"}, {"keys": "1,1", "group": "sum:2"},
                                     {"format": "csv", "keys": "n:n"}])
def test_words_for_missing_values_go_with_numbers(table, tmp_path, options):
    sortie.sort_files(table, tmp_path / "out", na="x", **options)
    assert (tmp_path / "out").exists()

"""shuffle= of sort_table(), sort_parquet(), Sorter and sortie-parquet: the order of rows follows from the seed and from
their numbers among all rows alone."""

import pathlib
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import numpy as np  # noqa: E402
import pyarrow.csv  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read  # noqa: E402

import sortie  # noqa: E402

ROWS = 5000


def numbered(rows=ROWS):
    return pa.table({"n": pa.array(range(rows), pa.int64()), "text": [f"row {number}" * (number % 5)
                                                                       for number in range(rows)]})


def shuffled(table, **options):
    return sortie.sort_table(table, **{"shuffle": "7", **options}).to_arrow()


@pytest.fixture(scope="module")
def expected():
    """The numbers in the order that a shuffle of files of numbers gives them."""
    return shuffled(numbered())["n"].to_pylist()


@pytest.fixture
def rows_of_files(tmp_path):
    def write(*sizes, **options):
        """The numbered rows, spread over files of these sizes."""
        begin, paths = 0, []
        for size in sizes:
            paths.append(tmp_path / f"in-{len(paths):03}.parquet")
            pq.write_table(numbered(sum(sizes)).slice(begin, size), paths[-1], **options)
            begin += size
        return paths
    return write


def test_the_order_is_that_in_which_a_seed_shuffles_a_file_of_numbers(tmp_path, expected):
    np.save(tmp_path / "in.npy", np.arange(ROWS).reshape(ROWS, 1))
    sortie.sort_files(tmp_path / "in.npy", tmp_path / "out.npy", shuffle="7")
    assert np.load(tmp_path / "out.npy").ravel().tolist() == expected


def test_all_rows_come_once_with_all_their_columns(expected):
    assert sorted(expected) == list(range(ROWS)) and expected != list(range(ROWS))
    table = numbered()
    assert shuffled(table).equals(table.take(expected)) and shuffled(table).schema.equals(table.schema)


@pytest.mark.parametrize("seed", ["8", "77", "é"])
def test_another_seed_gives_another_order(expected, seed):
    other = shuffled(numbered(), shuffle=seed)["n"].to_pylist()
    assert other != expected and sorted(other) == sorted(expected)


def test_a_seed_that_is_made_up_is_another_one_each_time(expected):
    one, two = (shuffled(numbered(), shuffle=True)["n"].to_pylist() for _ in range(2))
    assert one != two and sorted(one) == sorted(two) == sorted(expected)


@pytest.mark.parametrize("options", [
    {"memory": "1MB"}, {"memory": "1GB"}, {"threads": 1}, {"threads": 2}, {"batch_rows": 7}, {"memory": "256KiB"}])
def test_tables_are_shuffled_alike_by_any_memory_threads_and_batches(expected, options):
    assert shuffled(numbered(), **options)["n"].to_pylist() == expected


@pytest.mark.parametrize("batch_rows", [1, 100, ROWS])
def test_tables_are_shuffled_alike_however_they_come(expected, batch_rows):
    assert shuffled(numbered().to_reader(max_chunksize=batch_rows))["n"].to_pylist() == expected
    parts = [numbered().slice(begin, 999) for begin in range(0, ROWS, 999)]
    assert shuffled(iter(parts))["n"].to_pylist() == expected
    assert shuffled(parts, schema="union")["n"].to_pylist() == expected


@pytest.mark.parametrize("sizes, file_options, options", [
    ((ROWS,), {}, {}), ((ROWS,), {"row_group_size": 17}, {}), ((1, 0, 2, 4997), {"row_group_size": 1000}, {}),
    ((50,) * 100, {}, {"threads": 1}), ((2500, 2500), {}, {"memory": "1MB"}), ((ROWS,), {}, {"schema": "union"}),
    ((ROWS,), {}, {"row_group_rows": 100}), ((4000, 1000), {"row_group_size": 64}, {"memory": "64MB", "threads": 2})])
def test_files_are_shuffled_alike_however_rows_are_spread(rows_of_files, tmp_path, expected, sizes, file_options,
                                                          options):
    report = sortie.sort_parquet(rows_of_files(*sizes, **file_options), tmp_path / "out.parquet", shuffle="7",
                                 **options)
    assert report.output_records == ROWS
    assert read(tmp_path / "out.parquet").equals(numbered().take(expected))


def test_a_shuffle_that_spills_is_the_same(rows_of_files, tmp_path):
    paths = rows_of_files(60_000, 40_000)
    reports = [sortie.sort_parquet(paths, tmp_path / f"{memory}.parquet", shuffle="x", memory=memory,
                                   scratch=tmp_path) for memory in ("2MB", "1GB")]
    assert reports[0].runs_spilled > 0 == reports[1].runs_spilled
    few, much = (read(tmp_path / f"{memory}.parquet") for memory in ("2MB", "1GB"))
    assert few.equals(much) and sorted(few["n"].to_pylist()) == list(range(100_000))
    assert few.equals(shuffled(numbered(100_000), shuffle="x"))


def test_parquet_is_told_no_order_and_no_columns_of_the_shuffle(tmp_path):
    told = [pq.SortingColumn(0)]
    pq.write_table(numbered(), tmp_path / "in.parquet", sorting_columns=told)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", shuffle="7", row_group_rows=1000)
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert {metadata.row_group(group).sorting_columns for group in range(metadata.num_row_groups)} == {()}
    assert metadata.num_row_groups == 5 and read(tmp_path / "out.parquet").column_names == ["n", "text"]


def test_columns_that_are_called_like_those_of_the_shuffle_stay():
    table = pa.table({"place in the shuffle 1": range(50), "place in the shuffle 2": range(50)})
    result = shuffled(table)
    assert result.column_names == table.column_names and result[0].to_pylist() == result[1].to_pylist()
    assert sorted(result[0].to_pylist()) == list(range(50)) != result[0].to_pylist()


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.jsonl", "out.arrow"])
def test_csv_is_shuffled_as_its_rows_in_parquet_are(tmp_path, expected, name):
    begin = 0
    for number, size in enumerate((1200, 0, 3800)):
        pyarrow.csv.write_csv(numbered().slice(begin, size).select(["n"]), tmp_path / f"in-{number}.csv")
        begin += size
    report = sortie.sort_parquet(f"{tmp_path}/in-*.csv", tmp_path / name, shuffle="7")
    assert [int(value) for value in report.to_arrow()["n"].to_pylist()] == expected


def test_words_of_dictionaries_are_shuffled_with_their_rows(tmp_path, expected):
    words = pa.array([f"word {number}{'x' * 4000}" for number in range(ROWS)]).dictionary_encode()
    pq.write_table(pa.table({"n": range(ROWS), "word": words}), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", shuffle="7")
    result = read(tmp_path / "out.parquet")
    assert result["n"].to_pylist() == expected
    assert [word.split("x")[0] for word in result["word"].to_pylist()] == [f"word {number}" for number in expected]


def test_folders_and_the_first_rows_are_parts_of_the_same_order(rows_of_files, tmp_path, expected):
    paths = rows_of_files(1000, 4000)
    report = sortie.sort_parquet(paths, f"{tmp_path}/out/", shuffle="7", file_rows=700)
    assert len(report.files) == 8
    assert [row for path in report.files for row in read(pathlib.Path(path))["n"].to_pylist()] == expected
    sortie.sort_parquet(paths, tmp_path / "top.parquet", shuffle="7", top=33)
    assert read(tmp_path / "top.parquet")["n"].to_pylist() == expected[:33]
    assert shuffled(numbered(), top=33)["n"].to_pylist() == expected[:33]
    sample = shuffled(numbered(), sample=500, sample_seed="1")["n"].to_pylist()
    assert sample == [number for number in expected if number in set(sample)] and len(sample) == 500


def test_nothing_is_shuffled_to_nothing(rows_of_files, tmp_path):
    assert shuffled(numbered(0)).equals(numbered(0))
    sortie.sort_parquet(rows_of_files(0), tmp_path / "out.parquet", shuffle="7")
    assert read(tmp_path / "out.parquet").schema.equals(numbered(0).schema)
    with sortie.Sorter(shuffle="7") as sorter:
        assert not sorter.pull()
    assert shuffled(numbered(1)).equals(numbered(1))


def test_every_place_is_as_likely_for_every_row():
    """Pearson's test of which of 10 rows comes first, and of where the first row comes, for 1500 fixed seeds."""
    rows, seeds = 10, 1500
    table = pa.table({"n": range(rows)})
    orders = [shuffled(table, shuffle=str(seed), threads=1)["n"].to_pylist() for seed in range(seeds)]
    for places in ([order[0] for order in orders], [order.index(0) for order in orders]):
        counts = np.bincount(places, minlength=rows)
        # Of 9 degrees of freedom: chance exceeds it once in a thousand times.
        assert ((counts - seeds / rows) ** 2 / (seeds / rows)).sum() < 27.88


def test_a_sorter_shuffles_rows_if_rows_are_pushed_and_records_if_records_are(expected):
    with sortie.Sorter(shuffle="7", memory="1MB") as sorter:
        for batch in numbered().to_batches(max_chunksize=300):
            sorter.push(batch)
        found = [number for batch in sorter for number in pa.record_batch(batch)["n"].to_pylist()]
        assert sorter.report.input_records == ROWS
    assert found == expected
    with sortie.Sorter(shuffle="7") as sorter:
        sorter.push(b"a\nb\nc\n")
        assert sorted(b"".join(sorter).split()) == [b"a", b"b", b"c"]
    with sortie.Sorter(shuffle="7", batch_rows=500) as sorter:
        sorter.push(numbered())
        assert [len(batch) for batch in sorter] == [500] * 10


def test_a_sorter_of_rows_refuses_what_is_for_records():
    with sortie.Sorter(shuffle="7", format="u64") as sorter, pytest.raises(sortie.ArgumentTypeError):
        sorter.push(numbered())
    with sortie.Sorter(shuffle="7") as sorter:
        sorter.push(numbered())
        with pytest.raises(sortie.ArgumentTypeError, match="^rows must be a table"):
            sorter.push(b"a line\n")
    with sortie.Sorter(shuffle="7") as sorter:
        sorter.push(b"a line\n")
        with pytest.raises(sortie.ArgumentTypeError):
            sorter.push(numbered())
    with sortie.Sorter(shuffle="7") as sorter:
        assert not sorter.pull()
        with pytest.raises(sortie.Error):
            sorter.push(numbered())
    with pytest.raises(sortie.ArgumentError, match="^batch_rows is for rows: give by, too$"):
        sortie.Sorter(batch_rows=5)


REFUSED = [({}, "neither by nor shuffle is given: name a column to sort by, or give a seed"),
           ({"shuffle": False}, "neither by nor shuffle is given: name a column to sort by, or give a seed"),
           ({"by": "n", "shuffle": "7"}, "shuffle and by are incompatible: leave one of the two out"),
           ({"shuffle": "7", "descending": True}, "shuffle and descending are incompatible: leave one of the two out"),
           ({"shuffle": "7", "nulls": "first"}, "shuffle and nulls are incompatible: leave one of the two out"),
           ({"shuffle": "7", "unique": True}, "shuffle and unique are incompatible: rows of a shuffle have no keys"),
           ({"shuffle": "7", "keep_last": True},
            "shuffle and keep_last are incompatible: rows of a shuffle have no keys"),
           ({"shuffle": "7", "unique": True, "keep": "max:n"},
            "keep and shuffle are incompatible: rows of a shuffle have no keys"),
           ({"shuffle": "7", "curve": "z"}, "shuffle and curve are incompatible: leave one of the two out"),
           ({"shuffle": "7", "order": "input"}, "shuffle and order are incompatible: leave one of the two out"),
           ({"shuffle": ""}, "invalid value '' for shuffle: give a seed of one character at least"),
           ({"shuffle": 7}, "shuffle must be True, False or a str, not int")]


@pytest.mark.parametrize("options, message", REFUSED)
def test_what_contradicts_a_shuffle_is_refused_before_rows_are_looked_at(tmp_path, options, message):
    for call in (lambda: sortie.sort_table(numbered(), **options),
                 lambda: sortie.sort_parquet("no.parquet", tmp_path / "out.parquet", **options)):
        with pytest.raises(sortie.Error) as caught:
            call()
        assert str(caught.value) == message and isinstance(caught.value, (ValueError, TypeError))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options, message", [
    ({"merge": True}, "shuffle and merge are incompatible: leave one of the two out"),
    ({"partition_by": "n"}, "shuffle and partition_by are incompatible: shuffle each folder by itself")])
def test_merges_and_folders_of_values_are_not_shuffled(tmp_path, options, message):
    with pytest.raises(sortie.ArgumentError) as caught:
        sortie.sort_parquet("no.parquet", f"{tmp_path}/out/", shuffle="7", **options)
    assert str(caught.value) == message


def run(folder, *words):
    return subprocess.run([*COMMAND, *words], cwd=folder, capture_output=True, text=True)


def test_the_command_shuffles(rows_of_files, tmp_path, expected):
    rows_of_files(2000, 3000)
    done = run(tmp_path, "--shuffle=7", "-o", "out.parquet", "in-000.parquet", "in-001.parquet")
    assert (done.returncode, done.stderr) == (0, "")
    assert read(tmp_path / "out.parquet")["n"].to_pylist() == expected


@pytest.mark.parametrize("words, message", [
    ([], "neither --key nor --shuffle is given: name a column to sort by, or give a seed"),
    (["--shuffle=7", "-k", "n"], "--shuffle and --key are incompatible: leave one of the two out"),
    (["--shuffle=7", "--nulls=first"], "--shuffle and --nulls are incompatible: leave one of the two out"),
    (["--shuffle=7", "-u"], "--shuffle and --unique are incompatible: rows of a shuffle have no keys"),
    (["--shuffle=7", "--merge"], "--shuffle and --merge are incompatible: leave one of the two out"),
    (["--shuffle="], "invalid value '' for --shuffle: give a seed of one character at least")])
def test_the_command_refuses_what_contradicts_a_shuffle(rows_of_files, tmp_path, words, message):
    rows_of_files(3)
    done = run(tmp_path, *words, "-o", "out.parquet", "in-000.parquet")
    assert (done.returncode, done.stderr) == (2, f"sortie-parquet: {message}\n")
    assert not (tmp_path / "out.parquet").exists()

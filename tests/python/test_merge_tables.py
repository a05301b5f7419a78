"""sort_parquet(merge=True): files that are in order become one, as a sort of them would make it."""

import json
import os
import random
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import COMMAND, read, shuffled, write  # noqa: E402

import sortie  # noqa: E402


def sorted_files(folder, table, count, by, seed=0, suffix=".parquet"):
    """Parts of a table, each in order, some of them perhaps empty."""
    r = random.Random(seed)
    cuts = [0, *sorted(r.randrange(table.num_rows + 1) for _ in range(count - 1)), table.num_rows]
    paths = []
    for number, (begin, end) in enumerate(zip(cuts, cuts[1:])):
        paths.append(folder / f"in-{number:03}{suffix}")
        write(table.slice(begin, end - begin), paths[-1])
        if end > begin:
            how = {"row_group_rows": r.choice([7, 100, 1000])} if suffix == ".parquet" else {}
            sortie.sort_parquet(paths[-1], paths[-1], by=by, **how)
    return paths


def assert_merges_as_sorts(paths, folder, by, suffix=".parquet", **options):
    sorts = {name: value for name, value in options.items() if name != "merge_fan_in"}
    of_sort = sortie.sort_parquet(paths, folder / f"sorted{suffix}", by=by, **sorts)
    of_merge = sortie.sort_parquet(paths, folder / f"merged{suffix}", by=by, merge=True, **options)
    expected, found = read(folder / f"sorted{suffix}"), read(folder / f"merged{suffix}")
    assert repr(found.to_pylist()) == repr(expected.to_pylist())
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert of_merge.output_records == of_sort.output_records == expected.num_rows
    return of_merge


def held_by_parquet(table, keys, folder):
    """The columns that Parquet keeps the types of."""
    kept = []
    for name in table.column_names:
        try:
            pq.write_table(table.select([name]), folder / "try.parquet")
            if pq.read_table(folder / "try.parquet").schema.field(name).type == table.schema.field(name).type:
                kept.append(name)
        except (pa.ArrowException, OSError):
            pass
    return table.select(kept), [key for key in keys if key[0] in kept]


@pytest.mark.parametrize("seed", range(12))
def test_files_of_every_type_come_out_as_a_sort_has_them(tmp_path, seed):
    table, keys = held_by_parquet(*random_tables.random_table(seed + 500, 400), tmp_path)
    table = table.append_column("last", pa.array([row * 7 % 49
                                                  for row in range(400)])).append_column("at", pa.array(range(400)))
    by = random_tables.words_of([*keys[:2], ("last", seed % 2 == 1, False)])
    paths = sorted_files(tmp_path, table, random.Random(seed).choice([1, 2, 5, 9]), by, seed)
    assert_merges_as_sorts(paths, tmp_path, by)
    assert_merges_as_sorts(paths, tmp_path, by, merge_fan_in=2, top=100)
    assert_merges_as_sorts(paths, tmp_path, by, unique=True, keep_last=True)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".arrow", ".feather"])
def test_other_formats_are_merged_too(tmp_path, suffix):
    r = random.Random(5)
    table = pa.table({"n": [r.choice([None, -1.5, 2, 10, 9]) for _ in range(300)], "at": range(300)})
    paths = sorted_files(tmp_path, table, 4, "n", suffix=suffix)
    assert_merges_as_sorts(paths, tmp_path, "n", suffix=suffix)


def test_ranges_that_do_not_overlap_are_put_one_behind_the_other(tmp_path):
    table = pa.table({"key": range(5000), "text": [f"row {row}" for row in range(5000)]})
    paths = [tmp_path / f"{number}.parquet" for number in (3, 1, 4, 0, 2)]
    for path in paths:
        pq.write_table(table.slice(int(path.stem) * 1000, 1000), path, row_group_size=300)
    report = assert_merges_as_sorts(paths, tmp_path, "key")
    assert report.merge_passes == 1 and report.input_records == 5000


def test_equal_keys_stay_in_the_order_of_the_inputs(tmp_path):
    paths = []
    for number in range(5):
        paths.append(tmp_path / f"{number}.parquet")
        rows = pa.table({"key": [7] * 1000 + [8] * 1000, "file": [number] * 2000, "row": range(2000)})
        pq.write_table(rows, paths[-1], row_group_size=300)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True)
    rows = read(tmp_path / "out.parquet").to_pylist()
    assert [(row["key"], row["file"], row["row"]) for row in rows] == sorted((row["key"], row["file"], row["row"])
                                                                             for row in rows)


@pytest.mark.parametrize("row", [1, 999, 1000, 2999])
def test_a_row_out_of_order_is_named_and_the_output_stays(tmp_path, row):
    keys = list(range(3000))
    keys[row] = -1
    pq.write_table(pa.table({"key": range(3000)}), tmp_path / "good.parquet")
    pq.write_table(pa.table({"key": keys}), tmp_path / "bad.parquet", row_group_size=1000)
    (tmp_path / "out.parquet").write_bytes(b"as it was")
    with pytest.raises(sortie.Error) as raised:
        sortie.sort_parquet([tmp_path / "good.parquet", tmp_path / "bad.parquet"], tmp_path / "out.parquet", by="key",
                            merge=True)
    assert str(raised.value) == (f"'{tmp_path}/bad.parquet' is not in order: row {row + 1} belongs in front of row "
                                 f"{row}: sort the files instead of merging them")
    assert (tmp_path / "out.parquet").read_bytes() == b"as it was"
    assert sorted(os.listdir(tmp_path)) == ["bad.parquet", "good.parquet", "out.parquet"]


def test_what_a_footer_says_of_the_order_is_not_believed(tmp_path):
    order = [pq.SortingColumn(0)]
    pq.write_table(pa.table({"key": [1, 3, 2]}), tmp_path / "in.parquet", sorting_columns=order)
    with pytest.raises(sortie.Error, match="row 3 belongs in front of row 2"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", merge=True)


def test_an_input_that_is_damaged_leaves_the_output_as_it_was(tmp_path):
    paths = sorted_files(tmp_path, shuffled(30_000), 3, "key")
    content = bytearray(paths[1].read_bytes())
    content[len(content) // 2:len(content) // 2 + 200] = bytes(200)
    paths[1].write_bytes(content)
    with pytest.raises(sortie.Error, match="in-001.parquet"):
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True)
    assert not (tmp_path / "out.parquet").exists()


def test_files_without_rows_and_a_file_alone(tmp_path):
    table = shuffled(100)
    for name, rows in (("none", 0), ("nothing", 0), ("some", 100)):
        pq.write_table(table.slice(0, rows).sort_by("key"), tmp_path / f"{name}.parquet")
    none, nothing, some = (tmp_path / f"{name}.parquet" for name in ("none", "nothing", "some"))
    assert assert_merges_as_sorts([none, nothing], tmp_path, "key").output_records == 0
    assert assert_merges_as_sorts([none, some, nothing], tmp_path, "key").output_records == 100
    assert assert_merges_as_sorts(some, tmp_path, "key").output_records == 100


def test_the_output_may_be_an_input(tmp_path):
    paths = sorted_files(tmp_path, shuffled(2000), 3, "key")
    expected = sorted(row["key"] for path in paths for row in read(path).to_pylist())
    sortie.sort_parquet(paths, paths[1], by="key", merge=True)
    assert read(paths[1])["key"].to_pylist() == expected


def test_many_files_take_several_passes_in_little_memory(tmp_path, no_leftovers):
    r = random.Random(3)
    paths = []
    for number in range(200):
        paths.append(tmp_path / f"in-{number:03}.parquet")
        keys = sorted(r.randrange(10**6) for _ in range(300))
        pq.write_table(pa.table({"key": keys, "text": [f"{number} {key}" for key in keys]}), paths[-1])
    report = assert_merges_as_sorts(paths, tmp_path, "key", memory="1MiB", scratch=no_leftovers)
    assert report.merge_passes > 1
    assert assert_merges_as_sorts(paths, tmp_path, "key").merge_passes == 1


def test_many_files_take_no_more_memory_than_a_few(tmp_path, run_python):
    """With the same rows in all: what is read of each grows smaller."""
    r = random.Random(4)
    for count in (4, 120):
        rows = 240_000 // count
        for number in range(count):
            keys = sorted(r.randrange(10**9) for _ in range(rows))
            pq.write_table(pa.table({"key": keys, "text": [f"{key:0100}" for key in keys]}),
                           tmp_path / f"{count}-{number}.parquet")
    program = ("import glob, resource, sys, sortie; sortie.sort_parquet(sorted(glob.glob(sys.argv[1])), sys.argv[2], "
               "by='key', merge=True, memory='48MiB', threads=2); "
               "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
    peaks = [int(run_python(program, tmp_path / f"{count}-*.parquet", tmp_path / "out.parquet").stdout) << 10
             for count in (4, 120)]
    assert peaks[1] < peaks[0] + (96 << 20)


def test_nulls_may_be_in_some_of_the_files(tmp_path):
    sure = pa.schema([pa.field("key", pa.int64(), nullable=False),
                      pa.field("place", pa.struct([pa.field("x", pa.int8(), False)]))])
    perhaps = pa.schema([pa.field("key", pa.int64()), pa.field("place", pa.struct([pa.field("x", pa.int8())]))])
    pq.write_table(pa.table([[1, 3], [{"x": 1}, {"x": 2}]], schema=sure), tmp_path / "sure.parquet")
    pq.write_table(pa.table([[2, None], [{"x": None}, None]], schema=perhaps), tmp_path / "perhaps.parquet")
    assert_merges_as_sorts([tmp_path / "sure.parquet", tmp_path / "perhaps.parquet"], tmp_path, "key")


@pytest.mark.parametrize("options", [{"repeated": True}, {"sample": 5}, {"engine": "gpu"}, {"verify": False},
                                     {"report": "r.html"}, {"trace": "t.json"}])
def test_what_a_merge_does_not_do_is_refused(tmp_path, options):
    pq.write_table(pa.table({"key": [1]}), tmp_path / "in.parquet")
    name = next(iter(options))
    with pytest.raises(sortie.ArgumentError, match=f"merge and {name}.* are incompatible"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", merge=True, **options)
    with pytest.raises(sortie.ArgumentTypeError, match="merge must be True or False, not int"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", merge=1)


def test_dictionaries_do_not_go_into_one_arrow_file(tmp_path):
    paths = sorted_files(tmp_path, shuffled(100), 2, "key")
    with pytest.raises(sortie.Error, match="column 'kind' has dictionaries, of which an Arrow file holds one"):
        sortie.sort_parquet(paths, tmp_path / "out.arrow", by="key", merge=True)


def test_the_report_tells_of_the_merge(tmp_path):
    paths = sorted_files(tmp_path, shuffled(1000), 3, "key")
    report = sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True, top=10,
                                 stats_json=tmp_path / "stats.json")
    assert report.output_records == 10 <= report.input_records
    assert json.loads((tmp_path / "stats.json").read_text()) == report.to_dict()
    assert "output     10 records" in str(report)


def test_the_command_merges(tmp_path):
    paths = sorted_files(tmp_path, shuffled(500), 3, "key")
    ended = subprocess.run([*COMMAND, "--merge", "--key=key", "-o", tmp_path / "out.parquet", *paths],
                           capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    keys = read(tmp_path / "out.parquet")["key"].to_pylist()
    assert keys == sorted(keys) and len(keys) == 500
    ended = subprocess.run([*COMMAND, "--merge", "--key=key:desc", "-o", tmp_path / "out.parquet", *paths],
                           capture_output=True, text=True)
    assert ended.returncode == 2 and "is not in order: row" in ended.stderr


def test_a_merge_does_not_import_pandas(tmp_path, run_python):
    """Which takes longer than to merge a million rows."""
    paths = sorted_files(tmp_path, shuffled(500), 3, "key")
    program = ("import sys, sortie; sortie.sort_parquet(sys.argv[2:], sys.argv[1], by='key', merge=True); "
               "print('pandas' in sys.modules)")
    assert run_python(program, tmp_path / "out.parquet", *paths).stdout.strip() == "False"


def test_encoded_keys_and_open_objects_count_into_memory(tmp_path):
    """A row of a narrow table takes less than its key beside it; an open object has one block, whatever others hold."""
    from sortie.inputs.table_files import open_input
    from sortie.jobs.merge_memory import fitting_inputs

    class Object(str):
        open_source = create = None

    narrow = pa.table({"key": range(2_000_000)})
    wide = pa.table({"key": range(100_000), "text": [f"{row:0150}" for row in range(100_000)]})
    fitting = {}
    for name, table in (("narrow", narrow), ("wide", wide)):
        pq.write_table(table, tmp_path / f"{name}.parquet", use_dictionary=False, compression="none")
        files = [open_input(str(tmp_path / f"{name}.parquet"), None, [], False) for _ in range(8)]
        fitting[name] = fitting_inputs(files, [("key", False, False)], 512 << 20)
        for file in files:
            file.path = Object(file.path)
        fitting[f"{name}, objects"] = fitting_inputs(files, [("key", False, False)], 512 << 20)
    keys_of_batch = (32 + 8) << 16
    assert fitting["narrow"] <= (512 << 20) // (4 * (65536 * 8) + 2 * keys_of_batch)
    assert all(fitting[f"{name}, objects"] < fitting[name] for name in ("narrow", "wide"))


@pytest.mark.parametrize("merge", [False, True])
def test_a_daemon_thread_that_sorts_tables_does_not_abort_the_exit(tmp_path, run_python, merge):
    by, table = ["key"], shuffled(2000)
    paths = sorted_files(tmp_path, table, 3, by)
    told = run_python(f"""
import threading, sortie
begun = threading.Event()
def work():
    while True:
        sortie.sort_parquet({list(map(str, paths))}, {str(tmp_path / "out.parquet")!r}, by="key", merge={merge})
        begun.set()
threading.Thread(target=work, daemon=True).start()
begun.wait()
""")
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize("suffix, merge", [(".parquet", False), (".parquet", True), (".jsonl", False)])
def test_a_thread_sorts_tables_when_the_main_one_has_ended(tmp_path, run_python, suffix, merge):
    paths = sorted_files(tmp_path, shuffled(2000), 3, ["key"])
    told = run_python(f"""
import concurrent.futures.thread as futures, threading, time, sortie
def work():
    while not futures._shutdown:
        time.sleep(0.01)
    print(sortie.sort_parquet({list(map(str, paths))}, {str(tmp_path / ("out" + suffix))!r}, by="key",
                              merge={merge}).output_records)
threading.Thread(target=work).start()
""")
    assert (told.returncode, told.stdout, told.stderr) == (0, "2000\n", "")

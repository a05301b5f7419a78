"""Arguments that cannot be: one line that names them in the words of Python, before anything is touched."""

import inspect
import io
import re

import pytest

import sortie
import sortie.cluster

# What a command calls its options.
FLAG = re.compile(r"(^|[ '\"(])--?[a-zA-Z]")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "in").write_text("b\na\n")
    (tmp_path / "out").write_text("as it was")
    yield tmp_path / "in", tmp_path / "out"
    assert (tmp_path / "out").read_text() == "as it was"
    assert not (tmp_path / "job").exists()


def calls(files, **options):
    """Every function that takes these options of a sort."""
    takes = {name: set(inspect.signature(getattr(sortie, name)).parameters) for name in ("join_files", "check_files")}
    return {name: call for name, call in all_calls(*files, options).items()
            if takes.get(name, options.keys()) >= options.keys()}


def all_calls(path, out, options):
    return {
        "sort_files": lambda: sortie.sort_files(path, out, **options),
        "check_files": lambda: sortie.check_files(path, **options),
        "plan_files": lambda: sortie.plan_files(path, out, **options),
        "Sorter": lambda: sortie.Sorter(**options),
        "join_files": lambda: sortie.join_files(path, path, out, **{"keys": "1,1", **options}),
        "cluster": lambda: sortie.cluster.sort_files(path, out, job=path.parent / "job", **options),
    }


def refusal(function, kind):
    with pytest.raises(kind) as caught:
        function()
    text = str(caught.value)
    assert "\n" not in text
    assert not FLAG.search(text), text
    return text


WRONG_TYPES = [("unique", "no"), ("unique", 1), ("stable", "yes"), ("descending", 0), ("threads", 2.0),
               ("threads", "4"),
               ("threads", True), ("threads", float("nan")), ("memory", 1.5), ("memory", b"1GB"), ("memory", True),
               ("top", 1.0), ("top", "3"), ("top", False), ("keys", b"1"), ("keys", 1), ("keys", [1]), ("keys", [None]),
               ("keys", {"1": 2}), ("format", b"lines"), ("format", 1), ("fields", [b"u8@0"]), ("devices", True),
               ("devices", 1.0), ("devices", [0, "a"]), ("separator", 1), ("verify", "no"), ("compression", 3),
               ("header_lines", True), ("header_lines", 1.5), ("merge_fan_in", 2.0)]


@pytest.mark.parametrize("name, value", WRONG_TYPES)
def test_a_value_of_the_wrong_type_is_a_type_error_that_names_its_argument(files, name, value):
    for call in calls(files, **{name: value}).values():
        assert refusal(call, TypeError).startswith(f"{name} must be ")


WRONG_VALUES = [("threads", 0), ("threads", -1), ("memory", -1), ("memory", "x"), ("memory", "nan"), ("memory", 0),
                ("top", -1), ("keys", "zz"), ("keys", "1x"), ("compression", "zstd:99"), ("devices", -1),
                ("devices", 1 << 40), ("algorithm", "x"), ("separator", ""), ("header_lines", -1),
                ("header_lines", "x")]


@pytest.mark.parametrize("name, value", WRONG_VALUES)
def test_a_value_that_cannot_be_is_a_value_error_that_names_its_argument(files, name, value):
    for call in calls(files, **{name: value}).values():
        assert re.search(rf"^invalid value '.*' for {name}: ", refusal(call, ValueError))
        assert re.search(rf"^invalid value '.*' for {name}: ", refusal(call, sortie.Error))


@pytest.mark.parametrize("options", [{"group": "sum"}, {"group": "sum:price"}, {"fields": "x", "format": "fixed:4"},
                                     {"split_by": "zz"}, {"entry_start": "("}, {"year": 2023}, {"ordering": "x"}])
def test_words_of_another_kind_name_their_argument(files, options):
    name = next(iter(options))
    assert name in refusal(calls(files, **options)["sort_files"], ValueError)


def test_words_of_joins_name_their_argument(files):
    path, out = files
    for name, value in {"select": "x,,", "right_keys": "zz", "how": "x", "keys": "zz"}.items():
        with pytest.raises(sortie.Error, match=name):
            sortie.join_files(path, path, out, **{"keys": "1,1", name: value})


def test_numbers_of_numpy_are_taken_for_every_number(tmp_path):
    np = pytest.importorskip("numpy")
    (tmp_path / "in").write_text("b\na\n")
    options = {"threads": np.int64(1), "memory": np.uint32(1 << 20), "top": np.int8(1), "devices": [np.int32(0)],
               "header_lines": np.int16(0), "merge_fan_in": np.uint64(2), "unique": np.True_}
    sortie.sort_files(tmp_path / "in", tmp_path / "out", **options)
    assert (tmp_path / "out").read_text() == "a\n"
    sortie.cluster.sort_files(tmp_path / "in", tmp_path / "out", job=tmp_path / "job", workers=np.int64(1),
                              attempts=np.int8(1), ranges=np.uint8(1), **options)
    assert (tmp_path / "out").read_text() == "a\n"


def open_files(path):
    return {"text": open(path), "binary": open(path, "rb"), "bytes": io.BytesIO(b"in\n"), "words": io.StringIO("in\n")}


@pytest.mark.parametrize("name", ["text", "binary", "bytes", "words"])
def test_open_files_are_not_taken_for_lists_of_names(files, name):
    path, out = files
    job = path.parent / "job"
    functions = {
        "inputs": [lambda file: sortie.sort_files(file, out), lambda file: sortie.sort_files([path, file], out),
                   lambda file: sortie.check_files(file), lambda file: sortie.plan_files(file),
                   lambda file: sortie.cluster.sort_files(file, out, job=job)],
        "left": [lambda file: sortie.join_files(file, path, out, keys="1,1")],
        "right": [lambda file: sortie.join_files(path, file, out, keys="1,1")],
        "output": [lambda file: sortie.sort_files(path, file),
                   lambda file: sortie.join_files(path, path, file, keys="1,1")],
        "scratch": [lambda file: sortie.sort_files(path, out, scratch=file)],
        "data": [lambda file: sortie.sort_table(file, "a")],
    }
    for argument, calls_with_file in functions.items():
        for call in calls_with_file:
            opened = open_files(path)
            text = refusal(lambda: call(opened[name]), TypeError)
            assert text.startswith(f"{argument} must be "), text
            for file in opened.values():
                file.close()


def test_open_files_are_not_taken_for_names_of_tables(tmp_path):
    pytest.importorskip("pyarrow")
    for file, kind, message in (
            (io.BytesIO(b"in.parquet\n"), ValueError,
             "^cannot tell the format of the open file '<BytesIO>', which is neither"),
            (io.StringIO("in.parquet\n"), TypeError,
             "^the open file '<StringIO>' gives texts: open it with mode 'rb'$")):
        with pytest.raises(kind, match=message):
            sortie.sort_parquet(file, tmp_path / "out.parquet", by="a")
        with pytest.raises(TypeError, match="^output must be .*, which is an open file: give its name$"):
            sortie.sort_files("in.txt", file)


@pytest.mark.parametrize("inputs", [{"in": 1}, bytearray(b"in"), None, 3, [3], [["in"]]])
def test_inputs_that_are_no_names_are_refused(files, inputs):
    for function in (sortie.sort_files, lambda *a: sortie.cluster.sort_files(*a, job=files[0].parent / "job")):
        assert refusal(lambda: function(inputs, files[1]), TypeError).startswith("inputs must be ")


def arguments_of_rows():
    return {
        "sort_table": lambda **options: sortie.sort_table([], **{"by": "a", **options}),
        "Sorter": lambda **options: sortie.Sorter(**{"by": "a", **options}),
        "sort_parquet": lambda **options: sortie.sort_parquet("no.parquet", "out.parquet", **{"by": "a", **options}),
    }


@pytest.mark.parametrize("options", [{"by": b"a"}, {"by": 1.5}, {"by": [None]}, {"null_placement": 1}, {"by": []},
                                     {"null_placement": "middle"}, {"nulls": True}, {"nulls_last": "first"},
                                     {"descending": 1}, {"descending": [True, False]}, {"nulls": ["first"] * 2}])
def test_keys_of_rows_are_named(options):
    pytest.importorskip("pyarrow")
    for call in arguments_of_rows().values():
        assert refusal(lambda: call(**options), (TypeError, ValueError)).startswith(next(iter(options)))


@pytest.mark.parametrize("name, value", [("batch_rows", 0), ("batch_rows", 1.5), ("batch_rows", "x"), ("unique", "no"),
                                         ("top", True), ("threads", 0), ("memory", -5)])
def test_numbers_of_rows_are_named(name, value):
    for function in ("sort_table", "Sorter"):
        assert name in refusal(lambda: arguments_of_rows()[function](**{name: value}), (TypeError, ValueError))


@pytest.mark.parametrize("name, value", [("compression", "zstd:99"), ("compression", 1), ("row_group_rows", 0),
                                         ("row_group_rows", 1.5), ("threads", 0), ("threads", 2.0)])
def test_numbers_of_parquet_are_named(tmp_path, name, value):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "in.parquet")
    with pytest.raises((TypeError, ValueError), match=name):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", **{name: value})


def test_a_million_threads_are_no_more_than_there_may_be(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    import threading
    pq.write_table(pa.table({"a": [3, 1, 2]}), tmp_path / "in.parquet")
    before = threading.active_count()
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", threads=10**6)
    assert pq.read_table(tmp_path / "out.parquet")["a"].to_pylist() == [1, 2, 3]
    assert threading.active_count() < before + 10


@pytest.mark.parametrize("name, value", [("split", 2), ("split_size", 5), ("manifest", "m"), ("output_level", 3),
                                         ("set_operation", "union")])
def test_a_sorter_takes_no_arguments_of_files(name, value):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        sortie.Sorter(**{name: value})


CLUSTER = [("workers", 100_000), ("workers", 0), ("workers", "2"), ("workers", 2.0), ("workers", True), ("attempts", 0),
           ("attempts", 2.5), ("shard", "x"), ("shard", 1.5), ("shard", True), ("ranges", 0), ("ranges", 1.5),
           ("engine", "x"), ("engine", 1), ("sort_engine", "x"), ("sort_engine", 1), ("scratch", "x"), ("scratch", 1),
           ("command", 1), ("address", 1), ("locale", "no"), ("trace", 1)]


@pytest.mark.parametrize("name, value", CLUSTER)
def test_arguments_of_a_cluster_are_named(files, name, value):
    text = refusal(calls(files, **{name: value})["cluster"], (TypeError, sortie.Error))
    assert re.search(rf"^{name} must be |^invalid value '.*' for {name}: ", text), text


def test_messages_of_the_cluster_are_in_the_words_of_python():
    from sortie.cluster.python_arguments import as_argument
    assert as_argument("'/x' is no directory: name another "
                       "with --job") == "'/x' is no directory: name another with job="
    assert as_argument("give --engine=ray, or leave it out") == "give engine='ray', or leave it out"
    assert as_argument("give less with --parallel or -S, or") == "give less with threads= or memory, or"
    assert as_argument("invalid value 'x' for --scratch: give "
                       "node:DIR") == "invalid value 'x' for scratch: give node:DIR"
    assert as_argument("'/a--job/x-S' is a-b") == "'/a--job/x-S' is a-b"


NOT_THERE = {
    FileNotFoundError: ("no such file", 2),
    NotADirectoryError: ("in/file", 20),
    IsADirectoryError: ("folder", 21),
}


@pytest.mark.parametrize("kind", NOT_THERE)
def test_files_that_cannot_be_read_are_errors_of_python_with_their_numbers(files, kind):
    path, out = files
    (path.parent / "folder").mkdir()
    name, number = NOT_THERE[kind]
    wrong = str(path.parent / name)
    for function in (lambda: sortie.sort_files(wrong, out), lambda: sortie.sort_files([path, wrong], out),
                     lambda: sortie.check_files(wrong), lambda: sortie.join_files(path, wrong, out, keys="1,1")):
        with pytest.raises(kind) as caught:
            function()
        assert isinstance(caught.value, sortie.Error)
        assert (caught.value.errno, caught.value.filename) == (number, wrong)
        assert wrong in str(caught.value)


def test_outputs_that_cannot_be_written_are_errors_of_python(files, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        sortie.sort_files(files[0], tmp_path / "no" / "out")
    assert (caught.value.errno, caught.value.filename) == (2, str(tmp_path / "no" / "out"))
    with pytest.raises(IsADirectoryError):
        sortie.sort_files(files[0], tmp_path)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".arrow"])
def test_tables_that_are_not_there_are_errors_of_python(tmp_path, suffix):
    pytest.importorskip("pyarrow")
    with pytest.raises(FileNotFoundError) as caught:
        sortie.sort_parquet(tmp_path / f"no{suffix}", tmp_path / "out.parquet", by="a")
    assert (caught.value.errno, caught.value.filename) == (2, str(tmp_path / f"no{suffix}"))
    assert isinstance(caught.value.__cause__, OSError)


def test_files_of_a_cluster_that_are_not_there_are_errors_of_python(tmp_path):
    for function, options in ((sortie.cluster.sort_files, {}), (sortie.cluster.sort_parquet, {"by": "a"})):
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "no", tmp_path / "out.parquet", job=tmp_path / "job", **options)


def test_errors_go_through_pickle_whole(tmp_path):
    import copy
    import pickle
    errors = []
    for call in (lambda: sortie.sort_files(tmp_path / "a b", "out"), lambda: sortie.Sorter(threads=0),
                 lambda: sortie.sort_files("/dev/null", "out", memory="1B")):
        with pytest.raises(sortie.Error) as caught:
            call()
        errors.append(caught.value)
    assert errors[0].filename == str(tmp_path / "a b")
    for error in errors:
        for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
            assert type(again) is type(error) and str(again) == str(error)
            assert vars(again) == vars(error) and getattr(again, "errno", 0) == getattr(error, "errno", 0)


def test_missing_columns_name_the_file(tmp_path):
    path = tmp_path / "goods.csv"
    path.write_text("id,name\n2,b\n")
    for call in (lambda: sortie.sort_files(path, tmp_path / "out", format="csv", keys="price"),
                 lambda: sortie.sort_files(path, tmp_path / "out", format="csv", keys="id", group="sum:price"),
                 lambda: sortie.check_files(path, format="csv", keys="price"),
                 lambda: sortie.join_files(path, path, tmp_path / "out", format="csv", keys="price")):
        with pytest.raises(sortie.Error, match="goods.csv: no column is called .price."):
            call()
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"id": [1]}), tmp_path / "goods.parquet")
    for name in ("goods.csv", "goods.parquet"):
        with pytest.raises(sortie.Error, match=f"^key 'price': '.*{name}' has no such column; it has id"):
            sortie.sort_parquet(tmp_path / name, tmp_path / "out.parquet", by="price")


def test_the_cause_of_a_reader_that_fails_is_kept():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"a": [2, 1]})
    failure = KeyError("mine")

    def batches():
        yield batch
        raise failure
    for call in (lambda data: sortie.sort_table(data, "a"), lambda data: sortie.Sorter(by="a").push(data)):
        with pytest.raises(sortie.Error, match="^the stream of rows failed: KeyError: 'mine'$") as caught:
            call(pa.RecordBatchReader.from_batches(batch.schema, batches()))
        assert caught.value.__cause__ is failure


def test_arrays_with_dlpack_cause_no_warnings(recwarn):
    pa, np = pytest.importorskip("pyarrow"), pytest.importorskip("numpy")
    assert sortie.sort(pa.array([3, 1, 2])).tolist() == [1, 2, 3]
    assert sortie.argsort(pa.array([3, 1, 2])).tolist() == [1, 2, 0]
    assert not recwarn.list

    class OldTensor:
        """A tensor of a library that knows no versions of DLPack."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()
    assert sortie.sort(OldTensor(np.array([3, 1, 2]))).tolist() == [1, 2, 3]


@pytest.mark.parametrize("name, value, told", [
    ("output", "x", "files are sorted where they are: leave it out, or call sort_parquet()"),
    ("schema", "union", "sort_parquet() has it"),
    ("partition_by", "a", "sort_parquet() has it"), ("stats_json", "x", "sort_parquet() has it")])
def test_what_a_sort_in_place_has_not_is_told_with_what_has_it(name, value, told):
    with pytest.raises(sortie.ArgumentTypeError) as caught:
        sortie.sort_parquet_in_place("in.parquet", by="a", **{name: value})
    assert str(caught.value) == f"sort_parquet_in_place() got an unexpected keyword argument '{name}': {told}"
    with pytest.raises(TypeError, match="unexpected keyword argument 'memmory'$") as caught:
        sortie.sort_parquet_in_place("in.parquet", by="a", memmory=1)
    assert not isinstance(caught.value, sortie.Error)


@pytest.mark.parametrize("name, value, told", [
    ("merge", True, "sortie.sort_parquet() has it, on one machine"),
    ("curve", "z", "sortie.sort_parquet() has it, on one machine"),
    ("shuffle", "7", "sortie.sort_parquet() has it, on one machine"),
    ("output_format", "csv", "a cluster writes tables as Parquet: leave it out"),
    ("batch_rows", 5, "sortie.sort_table() has it, on one machine"),
    ("keep", "last", "with unique=True a cluster leaves the first of equal rows, and with keep_last=True the last one; "
                     "by values of a column sortie.sort_parquet() does so, on one machine")])
def test_what_a_cluster_has_not_is_told_with_what_has_it(tmp_path, name, value, told):
    import sortie.cluster

    with pytest.raises(sortie.ArgumentTypeError) as caught:
        sortie.cluster.sort_parquet("in.parquet", "out.parquet", by="a", job=tmp_path / "job", **{name: value})
    assert str(caught.value) == f"sort_parquet() got an unexpected keyword argument '{name}': {told}"


def test_outputs_in_folders_that_are_not_there_and_long_names_have_a_remedy(tmp_path):
    (tmp_path / "in").write_text("b\na\n")
    for output, told in (("missing/out", "No such file or directory; make its folder first, or name another file"),
                         ("in/out", "Not a directory; a folder in front of it is a file: name another one"),
                         ("x" * 300, "File name too long; choose a shorter name, of 255 bytes at most")):
        with pytest.raises(sortie.FileError) as caught:
            sortie.sort_files(tmp_path / "in", tmp_path / output)
        assert str(caught.value) == f"open failed: {tmp_path / output}: {told}"

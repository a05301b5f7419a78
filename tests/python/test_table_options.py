"""The catalogue of the options of tables: what is made of each of its entries."""

import inspect
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read  # noqa: E402

import sortie  # noqa: E402
import sortie.cluster  # noqa: E402
from sortie import _table_options as catalogue  # noqa: E402
from sortie.cluster import command_line  # noqa: E402
from sortie.jobs import parquet_command  # noqa: E402

FUNCTIONS = {catalogue.SORT_TABLE: sortie.sort_table, catalogue.SORT_PARQUET: sortie.sort_parquet,
             catalogue.IN_PLACE: sortie.sort_parquet_in_place, catalogue.SORTER: sortie.Sorter,
             catalogue.ON_CLUSTER: sortie.cluster.sort_parquet}
OF_CLUSTERS = catalogue.options_of(catalogue.ON_CLUSTER)
OF_FILES = [option for option in catalogue.TABLE_OPTIONS if option.functions & catalogue.SORT_PARQUET]


@pytest.mark.parametrize("option", catalogue.TABLE_OPTIONS, ids=lambda option: option.name)
def test_every_option_is_a_parameter_of_its_functions_alone_and_is_described(option):
    for bit, function in FUNCTIONS.items():
        parameters = inspect.signature(function).parameters
        # Sorts of rows in memory have an option of the sort that is called `compression`.
        assert (option.name in parameters) == bool(option.functions & bit) or option.name == "compression"
        if option.functions & bit:
            assert parameters[option.name].default == option.default
            assert option.name in function.__doc__
    owner = sortie.sort_table if option.functions & catalogue.SORT_TABLE else sortie.sort_parquet
    assert f"\n    {option.name}: {option.text[:20]}" in owner.__doc__


@pytest.mark.parametrize("option", [option for option in OF_FILES if option.flag], ids=lambda option: option.name)
def test_every_flag_is_in_the_help_and_on_the_manual_page(option):
    told, = [told for group in parquet_command.option_groups() for told in group.options
             if told.names == (option.flag,)]
    assert told.value == option.value and told.text


@pytest.mark.parametrize("option", OF_CLUSTERS, ids=lambda option: option.name)
def test_every_option_of_a_cluster_is_one_of_its_command(option):
    told, = [told for told in command_line.OF_TABLES.options if told.names == (option.flag,)]
    assert told.value == option.value and told.text and option.functions & catalogue.SORT_PARQUET


@pytest.mark.parametrize("option, other", [(option, other) for option in OF_FILES for other in option.excludes],
                         ids=lambda thing: getattr(thing, "name", thing))
def test_options_that_do_not_go_together_are_refused_and_said_to(tmp_path, option, other):
    values = {"file_bytes": 1, "file_rows": 1, "partition_by": "a", "keep": "first", "merge": True, "curve": "z",
              "engine": "gpu",
              "order": "input", "sample": 1, "sample_seed": "x", "devices": 0, "device_memory": "1G",
              "algorithm": "radix", "compress_program": "cat", "report": "r", "trace": "t", "verify": False}
    given = {name: values.get(name, True) for name in (option.name, other)}
    with pytest.raises(sortie.ArgumentError, match=f"^{option.name} and {other}(=False)? are incompatible: "):
        sortie.sort_parquet("no.parquet", tmp_path / "out/", by="a", **given)
    owner = sortie.sort_table if option.functions & catalogue.SORT_TABLE else sortie.sort_parquet
    text = owner.__doc__.partition(f"\n    {option.name}: ")[2].partition("\n    " + " " * 4 + "\n")[0]
    assert "Not with" in " ".join(text.split())


def test_values_that_mean_nothing_contradict_nothing(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", merge=True, engine="cpu",
                        order="keys", verify=True, repeated=False)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", merge=False, report=tmp_path / "r")


@pytest.mark.parametrize("name, value, told", [
    ("merge", 1, "merge must be True or False, not int"),
    ("page_index", "on", "page_index must be True or False, not str"),
    ("bounding_boxes", 1, "bounding_boxes must be True or False, not int"), ("keep", 1, "keep must be a str, not int"),
    ("curve", 1, "curve must be a str, not int"),
    ("schema", "both", "invalid value 'both' for schema: known are strict, union"),
    ("file_rows", 0, "invalid value '0' for file_rows: give 1 or more"),
    ("row_group_rows", 1.5, "row_group_rows must be an int, not float"),
    ("row_group_bytes", "x", "invalid value 'x' for row_group_bytes: give bytes, or a size such as 4GB, 4GiB or 512M"),
    ("file_bytes", True, 'file_bytes must be an int or a str such as "4GB", not bool'),
    ("dictionary", 1, "dictionary must be True, False or a list of the names of columns, not 1"),
    ("bloom_filters", True, "bloom_filters must be False or a list of the names of columns, not True"),
    ("output_format", 1, "output_format must be a str, not int"),
    ("partition_by", b"a", "partition_by is a column, by name or position")])
def test_values_are_checked_before_a_file_is_looked_at(name, value, told):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet("no.parquet", "out.parquet", by="a", unique=name == "keep", **{name: value})
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("text, columns", [
    ("a", ["a"]), ("a,b", ["a", "b"]), ('"a,b",c', ["a,b", "c"]), ('"say ""a,b"""', ['say "a,b"']), (" a", [" a"]),
    ("é", ["é"])])
def test_names_with_commas_stand_in_quotes(text, columns):
    assert catalogue.listed_columns(text) == columns


@pytest.mark.parametrize("words, options", [
    (["--partition-by=\"a,b\",on"], {"partition_by": ["a,b", "on"]}),
    (["--dictionary=\"a,b\""], {"dictionary": ["a,b"]}),
    (["--dictionary=\"on\""], {"dictionary": ["on"]}), (["--bloom-filters=\"a,b\""], {"bloom_filters": ["a,b"]})])
def test_the_command_takes_columns_with_commas(tmp_path, words, options):
    pq.write_table(pa.table({"a,b": [2, 1, 2], "on": [1, 1, 2], "k": [3, 2, 1]}), tmp_path / "in.parquet")
    done = subprocess.run([*COMMAND, "-k", "k", *words, "-o", "one/", "in.parquet"], cwd=tmp_path, capture_output=True,
                          text=True)
    assert (done.returncode, done.stderr) == (0, "")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/two/", by="k", **options)
    found = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.parquet"))
    assert [str(tmp_path / "two" / path) for path in found] == report.files
    for path in found:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_a_quote_that_does_not_end_is_refused(tmp_path):
    done = subprocess.run([*COMMAND, "-k", "k", '--dictionary="a', "-o", "out.parquet", "in.parquet"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("sortie-parquet: invalid value '\"a' for --dictionary: a quote opens and ends the "
                                  "name")


def test_the_command_refuses_what_sorts_in_place_have_not(tmp_path):
    pq.write_table(pa.table({"a": [2, 1]}), tmp_path / "in.parquet")
    for option in OF_FILES:
        if option.flag and not option.functions & catalogue.IN_PLACE:
            value = {"": "", "N": "=1", "SIZE": "=1M"}.get(option.value, "=" + option.value.partition("|")[0])
            done = subprocess.run([*COMMAND, "--in-place", "-k", "a", option.flag + value, "in.parquet"], cwd=tmp_path,
                                  capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (2, f"sortie-parquet: --in-place and {option.flag} are "
                                                         "incompatible: leave one of the two out\n")
    done = subprocess.run([*COMMAND, "--in-place", "-k", "a", "--row-group-size=1", "--dictionary=off", "in.parquet"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "sorted in.parquet\n")
    assert read(tmp_path / "in.parquet")["a"].to_pylist() == [1, 2]
    assert pq.read_metadata(tmp_path / "in.parquet").num_row_groups == 2

"""The command sortie-parquet, and what is left when a signal ends it."""

import inspect
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, in_order  # noqa: E402

import sortie  # noqa: E402


def many_keys(count):
    return pa.table({"key": np.arange(count) * 7919 % count})


def test_ctrl_c_does_not_wait_for_slow_encoders(tmp_path):
    pq.write_table(many_keys(1_500_007), tmp_path / "in.parquet")
    with subprocess.Popen([*COMMAND, "-k", "key", "--compression=brotli:11", "-o", tmp_path / "out.parquet",
                           tmp_path / "in.parquet"], stderr=subprocess.PIPE) as process:
        while "libparquet" not in pathlib.Path(f"/proc/{process.pid}/maps").read_text():
            time.sleep(0.1)  # before that it is Python that starts
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        assert process.wait(100) == -signal.SIGINT
    assert time.monotonic() - begin < 3
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_ctrl_c_ends_a_sort_within_a_second_and_leaves_nothing(tmp_path, no_leftovers):
    pq.write_table(many_keys(1_000_003), tmp_path / "in.parquet")
    (tmp_path / "out.parquet").write_text("old")
    program = """
import sys, pyarrow.parquet, sortie
# Python ends as if nobody had caught Ctrl-C if that comes while it executes a text, as it does to make named tuples.
import sortie.jobs.sort_parquet
print("begun", flush=True)
try:
    while True:
        sortie.sort_parquet([sys.argv[1]] * 20, sys.argv[2], by="key", memory="2MB", scratch=sys.argv[3])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    for wait in (0.3, 1, 2):
        with subprocess.Popen([sys.executable, "-c", program, tmp_path / "in.parquet", tmp_path / "out.parquet",
                               no_leftovers], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "begun\n"
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            assert process.stdout.readline() == "interrupted\n"
            seconds = time.monotonic() - begin
            assert process.wait(10) == 0
        assert seconds < 1 + (2 if (os.cpu_count() or 1) < 4 else 0)
        assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet", "scratch"]


def test_a_killed_sort_leaves_nothing(tmp_path, no_leftovers):
    pq.write_table(many_keys(1_000_003), tmp_path / "in.parquet")
    with subprocess.Popen([*COMMAND, "-k", "key", "-o", tmp_path / "out.parquet", "-S", "2M", "-T", no_leftovers,
                           *[tmp_path / "in.parquet"] * 20]) as process:
        time.sleep(1.5)
        process.kill()
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "scratch"]


def run_command(*arguments, **options):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=100, **options)


def test_the_command_sorts_what_a_pattern_matches(files, tmp_path):
    told = run_command("--key=kind:desc", "--key=key", "-S", "1M", "-o", tmp_path / "out.parquet",
                       tmp_path / "in" / "*.parquet", "--row-group-rows=1000", "--stats")
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    assert "3500 records" in told.stderr
    rows = sorted(in_order(files[1]), key=lambda row: row["kind"], reverse=True)
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == rows


@pytest.mark.parametrize("key, expected", [
    ("a", ("a", "ascending")), ("a:desc", ("a", "descending")), ("a:nulls-first", ("a", "ascending", "at_start")),
    ("a:desc:nulls-last", ("a", "descending", "at_end")), ("a:nulls-first:desc", ("a", "descending", "at_start")),
    ("ns:a", ("ns:a", "ascending")), ("ns:a:desc", ("ns:a", "descending")), (":asc", ("", "ascending")),
])
def test_keys_of_the_command_have_words_behind_colons(key, expected):
    from sortie.jobs import parquet_command

    assert parquet_command.parse_key(key) == expected


@pytest.mark.parametrize("arguments, message", [
    ([], "the following arguments are required: FILE, -o/--output; try 'sortie-parquet --help'"),
    (["-k", "a", "-o", "out.parquet", "none*.parquet"], "nothing matches 'none*.parquet'"),
    (["-k", "a", "-o", "out.parquet", "none.parquet"], "cannot read 'none.parquet': No such file or directory"),
    (["-k", "a:asc:desc", "-o", "out.parquet", "none.parquet"],
     "the key 'a:asc:desc' has two words of one kind: leave one out"),
    (["-k", "a", "-o", "out.parquet", "--what", "none.parquet"],
     "unrecognized arguments: --what; try 'sortie-parquet --help'"),
])
def test_an_error_of_the_command_is_one_line_and_status_2(tmp_path, arguments, message):
    told = run_command(*arguments, cwd=tmp_path)
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"sortie-parquet: {message}\n")


@pytest.mark.parametrize("arguments, message", [
    (["--memory=x"], "invalid value 'x' for --memory: give bytes, or a size such as 4GB, 4GiB or 512M"),
    (["--threads=0"], "invalid value '0' for --threads: give 1 or more"),
    (["--top=0"], "invalid value '0' for --top: give 1 or more"),
    (["--row-group-rows=0"], "invalid value '0' for --row-group-rows: give 1 or more"),
    (["--engine=tpu"], "invalid value 'tpu' for --engine: known are auto, gpu, cpu"),
    (["--compression=zip"], "invalid value 'zip' for --compression: known are none, snappy, gzip, brotli, lz4, zstd, "
     "with a level as in zstd:3"),
    (["--row-group-rows=3", "-oout.csv"],
     "--row-group-rows is for Parquet: leave it out, or let the name of the output end in .parquet"),
    (["--keep=last"], "--keep=last needs --unique"),
    (["--keep=last", "--only-once"], "--keep=last and --only-once are incompatible: leave one of the two out"),
    (["--keep=what"], "invalid value 'what' for --keep: known are first, last"),
    (["--verify=what"], "invalid value 'what' for --verify: known are on, off"),
    (["--order=what"], "invalid value 'what' for --order: known are keys, input"),
    (["--sample-seed=x"], "--sample-seed needs --sample"),
    (["--merge-fan-in=1"], "invalid value '1' for --merge-fan-in: a merge takes two runs at least; give 2 or more"),
    (["--devices=0,x"], "invalid value '0,x' for --devices: give all, or numbers separated by commas: 0,1"),
    (["--device-memory=x"], "invalid value 'x' for --device-memory: give bytes, or a size such as 4GB, 4GiB or 512M"),
    (["--report=out.parquet"], "--report is also an input or the output, 'out.parquet': name another file"),
    (["--stats-json=out.parquet"], "--stats-json is also an input or the output, 'out.parquet': name another file"),
    (["--scratch=/proc", "--memory=1M", "--engine=cpu"],
     "cannot create temporary file in '/proc': No such file or directory; choose another scratch directory with "
     "--scratch"),
    (["--engine=\udcff"], "invalid value '\\udcff' for --engine: known are auto, gpu, cpu"),
])
def test_errors_name_what_was_typed(tmp_path, arguments, message):
    pq.write_table(pa.table({"a": np.arange(200_000)}), tmp_path / "in.parquet")
    told = run_command("-k", "a", "-o", "out.parquet", "in.parquet", *arguments, cwd=tmp_path)
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"sortie-parquet: {message}\n")


def test_the_command_has_every_option_of_the_function():
    from sortie.jobs import parquet_command

    options = set(vars(parquet_command._parser().parse_args(["-k", "a", "-o", "out", "in"])))
    own = {"inputs", "output", "key", "stats", "in_place"}
    arguments = set(inspect.signature(sortie.sort_parquet).parameters)
    assert options - own == arguments - {"inputs", "output", "by", "descending", "null_placement", "nulls_last", "warn",
                                         "keep"}  # which is a word of --keep, as keep_last


def test_options_that_rows_do_not_show_are_passed_on(monkeypatch):
    from sortie.jobs import parquet_command

    passed = {}
    monkeypatch.setattr(parquet_command, "sort_parquet", lambda *names, **options: passed.update(options))
    words = ["--devices=0,1", "--device-memory=1G", "--algorithm=radix", "--merge-fan-in=2", "--verify=off",
             "--engine=gpu"]
    monkeypatch.setattr(sys, "argv", ["sortie-parquet", "-k", "a", "-o", "out", "in", *words])
    parquet_command.main()
    expected = {"devices": [0, 1], "device_memory": "1G", "algorithm": "radix", "merge_fan_in": 2, "verify": False,
                "engine": "gpu"}
    assert {name: passed.get(name) for name in expected} == expected


@pytest.mark.parametrize("words, options", [
    (["-u", "--keep=last"], {"unique": True, "keep_last": True}), (["--keep=first", "-u"], {"unique": True}),
    (["--repeated"], {"repeated": True}), (["--only-once"], {"only_once": True}),
    (["-u", "--order=input"], {"unique": True, "order": "input"}),
    (["--sample=3", "--sample-seed=x"], {"sample": 3, "sample_seed": "x"}), (["--top=3", "--verify=off"], {"top": 3}),
    (["--engine=cpu"], {})])
def test_options_of_the_command_do_what_arguments_of_the_function_do(tmp_path, words, options):
    pq.write_table(pa.table({"a": [3, 1, 2, 3, 1, 4], "row": range(6)}), tmp_path / "in.parquet")
    told = run_command("-k", "a", "-o", "out.parquet", "in.parquet", *words, cwd=tmp_path)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "one.parquet", by="a", **options)
    assert pq.read_table(tmp_path / "out.parquet").equals(pq.read_table(tmp_path / "one.parquet"))


def test_the_command_writes_reports(tmp_path):
    pq.write_table(pa.table({"a": [3, 1, 2]}), tmp_path / "in.parquet")
    told = run_command("-k", "a", "-o", "out.parquet", "in.parquet", "--stats-json=s", "--report=r", "--trace=t",
                       cwd=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet", "r", "s", "t"]


@pytest.mark.parametrize("message, typed", [
    ("key 'x': row_group_rows is for Parquet", None),
    ("use the CPU engine with engine=\"cpu\"", "use the CPU engine with --engine=cpu"),
    ("use fewer with threads=", "use fewer with --threads"),
    ("invalid value 'a' for by: b", "invalid value 'a' for --key: b"),
    ("a curve goes through 2 to 8 columns, or 1 to 4 of geometries, which count twice, and by has 1 column",
     "a curve goes through 2 to 8 columns, or 1 to 4 of geometries, which count twice, and --key has 1 column"),
    ("keep_last and only_once are incompatible: leave one of the two out",
     "--keep=last and --only-once are incompatible: leave one of the two out"),
    ('order="input" needs sample', "--order=input needs --sample"),
    ("cannot read 'with memory=.parquet': gone", None)])
def test_other_words_of_a_message_stay(message, typed):
    from sortie.jobs import parquet_command

    assert parquet_command.as_typed(message) == (typed or message)


def test_standard_output_has_no_format(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "in.parquet")
    told = run_command("-k", "a", "-o", "-", "in.parquet", cwd=tmp_path)
    assert told.returncode == 2 and os.listdir(tmp_path) == ["in.parquet"]
    assert told.stderr == ("sortie-parquet: output is '-', standard output, which has no suffix to tell the format: "
                           "name a file\n")


def test_the_command_has_help_and_a_version():
    told = run_command("--help")
    assert told.returncode == 0 and "sortie-parquet --key=user" in told.stdout
    assert run_command("--version").stdout == f"sortie-parquet {sortie.__version__}\n"


def test_the_wheel_has_the_command():
    text = (pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'sortie-parquet = "sortie.jobs.parquet_command:main"' in text


def test_a_strict_command_assumes_nothing(tmp_path):
    (tmp_path / "in.csv").write_text("k\n2\nNA\n")
    output = tmp_path / "out.csv"
    done = run_command("-k", "k", "-o", output, tmp_path / "in.csv")
    assert done.returncode == 0
    assert done.stderr.startswith("sortie-parquet: warning: column 'k': 1 of 2 records have a word that is taken for "
                                  "null")
    output.unlink()
    done = run_command("--strict", "-k", "k", "-o", output, tmp_path / "in.csv")
    assert (done.returncode, output.exists()) == (2, False)
    assert done.stderr.startswith("sortie-parquet: the sort would have to assume something: column 'k': 1 of 2 records")

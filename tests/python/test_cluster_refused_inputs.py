"""What repeating cannot mend ends a job at once, in the words of the command."""

import os
import struct

import pytest
from cluster_jobs import Jobs

import sortie
import sortie.cluster


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


@pytest.mark.parametrize("texts, options, message", [
    (['id,t\n1,"abc\n'], {"format": "csv", "keys": "id"}, "line 2, column 3: an opening quote without a closing one"),
    (["id,t\n1,a\n", "id,u\n1,a\n"], {"format": "csv", "keys": "id"}, "has another header than"),
    (["Jan  5 10:00:00 a\n"], {"keys": "1,3:time"}, "without a year"),
    (["1\nx\n"], {"keys": "1,1n", "strict": True}, "would have to assume something")])
def test_inputs_that_are_refused_are_read_once(jobs, monkeypatch, texts, options, message):
    paths = [jobs.folder / f"in{i}" for i in range(len(texts))]
    for path, text in zip(paths, texts):
        path.write_text(text)
        os.utime(path, (10 ** 9, 10 ** 9))
    jobs.inputs = paths
    jobs.output.write_text("before")
    with pytest.raises(sortie.Error, match=message) as told:
        jobs.sort_files(monkeypatch, shard="1M", **options)
    assert str(paths[-1]) in str(told.value) and "times" not in str(told.value) and "sortie:" not in str(told.value)
    assert len(jobs.commands()) == 1 and jobs.output.read_text() == "before"


def test_a_strict_job_counts_over_all_shards(jobs, monkeypatch):
    for path in jobs.inputs[:2]:
        path.write_text("x\n" + path.read_text())
    records = sum(len(path.read_text().splitlines()) for path in jobs.inputs)
    with pytest.raises(sortie.Error, match=f"no number could be read in 2 of {records} records, the first at "
                                           f"{jobs.inputs[0]}:1 'x'"):
        jobs.sort_files(monkeypatch, keys="1,1n", strict=True)
    assert len(set(jobs.commands())) == len(jobs.commands()) > 2


@pytest.mark.parametrize("how", ["fail", "die"])
def test_what_may_pass_is_tried_again(jobs, monkeypatch, how):
    jobs.fail("form-1", how)
    assert jobs.sort_files(monkeypatch).retries == 1


def test_a_command_that_is_not_there_is_told_at_once(jobs, monkeypatch, tmp_path):
    for command, kind in ((tmp_path / "none", FileNotFoundError), ("no-such-command", FileNotFoundError),
                          (jobs.inputs[0], PermissionError)):
        with pytest.raises(kind, match="cannot run '.*'") as told:
            jobs.sort_files(monkeypatch, command=command)
        assert isinstance(told.value, sortie.FileError) and not jobs.job.exists()


def test_a_scratch_folder_that_is_not_there_is_told_before_a_job_is_kept(jobs, monkeypatch):
    with pytest.raises(FileNotFoundError, match="cannot keep runs in '/nope/x'.*scratch="):
        jobs.sort_files(monkeypatch, scratch="node:/nope/x")
    assert not jobs.job.exists()


@pytest.mark.parametrize("output, kind", [("none/out", FileNotFoundError), ("a/", IsADirectoryError),
                                          ("a/out", NotADirectoryError), (".", IsADirectoryError)])
def test_an_output_that_has_no_place_has_the_error_of_the_system(jobs, monkeypatch, output, kind):
    jobs.output = f"{jobs.folder}/{output}"
    with pytest.raises(kind, match="cannot write") as told:
        jobs.sort_files(monkeypatch)
    assert told.value.errno and not jobs.job.exists()


@pytest.mark.parametrize("name", ["trace", "command", "scratch", "job"])
def test_empty_names_are_refused_by_name(jobs, monkeypatch, name):
    with pytest.raises(sortie.ArgumentError, match=f"{name}"):
        jobs.sort_files(monkeypatch, **{name: ""})
    assert not jobs.job.exists() and jobs.commands() == []


def test_an_empty_input_or_output_is_no_file(jobs, monkeypatch):
    for name in ("inputs", "output"):
        before = getattr(jobs, name)
        for empty in ("", b""):
            setattr(jobs, name, empty)
            with pytest.raises(FileNotFoundError, match="cannot (read|write) ''"):
                jobs.sort_files(monkeypatch)
        setattr(jobs, name, before)


@pytest.mark.parametrize("options", [{"memory": 1}, {"memory": "9b"}, {"zone": "UTC"}, {"na": "x"}, {"shard": "x"},
                                     {"ranges": "x"}])
def test_arguments_are_named_as_python_has_them(jobs, monkeypatch, options):
    [name] = options
    with pytest.raises((sortie.ArgumentError, TypeError), match=f"\\b{name}\\b"):
        jobs.sort_files(monkeypatch, **options)
    assert not jobs.job.exists()


def test_text_and_numbers_that_begin_like_tables_or_packed_data_are_sorted(jobs, monkeypatch):
    jobs.inputs = [jobs.folder / "in"]
    jobs.inputs[0].write_text("PAR1,x\nb\na\nPAR1")
    jobs.sort_files(monkeypatch, unpack=True)
    assert jobs.output.read_text() == "PAR1\nPAR1,x\na\nb\n"
    for number, first in enumerate((93, 559903, 4247762216, int.from_bytes(b"PAR1\x15\0\0\0", "little"))):
        jobs.inputs[0].write_bytes(struct.pack("<3Q", first, 5, 3))
        jobs.job = jobs.folder / f"job{number}"
        told = jobs.run("--format=u64")
        assert told.returncode == 0, told.stderr
        assert struct.unpack("<3Q", jobs.output.read_bytes()) == (3, 5, first)


def test_a_cluster_unpacks_always(jobs, monkeypatch):
    with pytest.raises(sortie.ArgumentError, match="invalid value False for unpack: commands of a cluster unpack"):
        jobs.sort_files(monkeypatch, unpack=False)

"""What cannot be sorted on a cluster as it is asked for is told at once, and no job is kept."""

import contextlib
import os
import pickle
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs

import sortie
import sortie.cluster.one_sort
from sortie.cluster.engine import with_advice
from sortie.cluster.job import JobDirectory
from sortie.cluster.job_plan import local_resources


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def test_a_mistake_in_the_options_keeps_no_job(jobs):
    told = jobs.run("-k0")
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and "field number is zero" in told.stderr
    assert not jobs.job.exists()
    assert jobs.run("-k1").returncode == 0
    assert jobs.output.read_bytes() == jobs.expected("-k1")


@pytest.mark.parametrize("options, message", [
    (["--merge"], "--merge does not go with a cluster"), (["--sum=2"], "option --sum needs --group"),
    (["--engine=no"], "invalid value 'no' for --engine"), (["--address=1.2.3.4"], "--address is that of Ray"),
    (["--trace=/none/of/these"], "cannot write '/none/of/these'"), (["--trace="], "cannot write ''"),
    (["--scratch=node:/\udcff"], "name of the scratch folder is not in UTF-8"),
    (["-o", "/dev/null/p-{}"], "'/dev/null' is no directory")])
def test_what_cannot_be_is_told_before_a_job_is_kept(jobs, options, message):
    words = jobs.words(*options)
    if "-o" in options:
        del words[-5:-3]
    told = jobs.run_words(words)
    assert told.returncode == 2 and message in told.stderr and told.stderr.count("\n") == 1, told.stderr
    assert not jobs.job.exists() and jobs.commands() == []


@pytest.mark.parametrize("name", ["out", "p-{}", "new/p-{}"])
def test_a_folder_that_cannot_be_written_to_is_told_before_a_job_is_kept(jobs, monkeypatch, name):
    # Whoever runs the tests may be allowed to write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: not os.path.samefile(path, jobs.folder))
    jobs.output = jobs.folder / name
    with pytest.raises(sortie.Error, match=f"'{jobs.folder}' cannot be written to"):
        jobs.sort_files(monkeypatch)
    assert not jobs.job.exists()


def test_a_link_as_the_output_leads_where_there_is_a_folder(jobs):
    jobs.output.symlink_to(jobs.folder / "none" / "out")
    told = jobs.run()
    assert told.returncode == 2 and "none' is no directory" in told.stderr and not jobs.job.exists()


@pytest.mark.parametrize("words", [["-k1"], ["a"], ["--workers=2"]])
def test_status_takes_nothing_else(jobs, words):
    told = jobs.run_words([*DRIVER, "status", f"--job={jobs.job}", *words])
    assert (told.returncode, told.stderr) == (2, "sortie-cluster: status takes --job=DIR, and nothing else\n")


@pytest.mark.parametrize("name", ["ranges", "workers", "attempts"])
@pytest.mark.parametrize("value", [0, -1])
def test_counts_below_one_are_refused_in_python(jobs, monkeypatch, name, value):
    with pytest.raises(sortie.Error, match=f"invalid value '{value}' for {name}: give 1 or more"):
        jobs.sort_files(monkeypatch, **{name: value})
    assert not jobs.job.exists()


def test_a_job_that_another_driver_has_begun_meanwhile_is_kept(tmp_path):
    job, other = JobDirectory(str(tmp_path / "job")), JobDirectory(str(tmp_path / "job"))

    def make_request(known):
        if not os.path.exists(job.path):
            other.open(lambda known: {"options": ["-r"]})
            other.write("formed/000000.json", {})
            other.close()
        return {"options": []}
    with contextlib.closing(job), pytest.raises(sortie.Error, match="holds a job with other options"):
        job.open(make_request)
    assert job.read("request.json") == {"options": ["-r"]}


@pytest.mark.parametrize("options", [["--engine=slurm"], ["--engine=ray", "--address=127.0.0.1:1"]])
@pytest.mark.parametrize("is_there", [False, True])
def test_an_engine_that_is_refused_leaves_no_job_directory(jobs, options, is_there):
    jobs.job = jobs.folder / "new" / "jobs" / "night"
    if is_there:
        jobs.job.mkdir(parents=True)
    words = [word for word in jobs.words(*options) if options != ["--engine=slurm"] or word not in ("-S", "256K")]
    told = jobs.run_words(words)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    if is_there:
        assert os.listdir(jobs.job) == []
    else:
        assert not (jobs.folder / "new").exists()


def test_what_is_wrong_in_the_package_itself_is_no_damaged_state(jobs, monkeypatch):
    def wrong(*values):
        raise TypeError("our own mistake")
    monkeypatch.setattr(sortie.cluster.one_sort, "read_formed", wrong)
    with pytest.raises(TypeError, match="our own mistake"):
        jobs.sort_files(monkeypatch)


def test_warnings_go_to_a_callable_that_ends_the_job_if_it_raises(jobs, monkeypatch):
    jobs.inputs[1].write_text("no time\n")
    told = []
    with pytest.raises(TypeError, match="warn must be a callable, not int"):
        jobs.sort_files(monkeypatch, keys="1:time", zone="UTC", warn=3)
    assert not jobs.job.exists()

    def refuse(message):
        raise KeyError(message)
    with pytest.raises(KeyError):
        jobs.sort_files(monkeypatch, keys="1:time", zone="UTC", warn=refuse)
    assert not jobs.output.exists()
    report = jobs.sort_files(monkeypatch, keys="1:time", zone="UTC", warn=told.append)
    assert told == report.all_warnings() != [] and jobs.output.exists()


def test_a_report_can_be_pickled_and_copied(jobs, monkeypatch):
    report = jobs.sort_files(monkeypatch)
    again = pickle.loads(pickle.dumps(report))
    assert type(again) is type(report) and again == report and str(again) == str(report)


@pytest.mark.parametrize("version, files", [
    (2, {"memory.max": "{memory}", "cpu.max": "150000 100000"}),
    (1, {"memory.limit_in_bytes": "{memory}", "cpu.cfs_quota_us": "150000", "cpu.cfs_period_us": "100000"})])
@pytest.mark.parametrize("limited", ["", "a", "a/b"])
def test_the_limits_of_every_group_count(tmp_path, version, files, limited):
    proc, mount = tmp_path / "proc" / "self", tmp_path / "sys" / "fs" / "cgroup"
    (mount / "a" / "b").mkdir(parents=True)
    proc.mkdir(parents=True)
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 64000000 kB\nMemAvailable: 32000000 kB\n")
    (proc / "cgroup").write_text("0::/a/b\n" if version == 2 else "1:memory,cpu:/a/b\n")
    kind = "cgroup2 cgroup rw" if version == 2 else "cgroup cgroup rw,memory,cpu"
    (proc / "mountinfo").write_text(f"1 1 0:1 / /sys/fs/cgroup rw - {kind}\n")
    without = local_resources(None, None, None, str(tmp_path))
    for name, text in files.items():
        (mount / limited / name).write_text(text.format(memory=400 << 20))
    found = local_resources(None, None, None, str(tmp_path))
    assert found.slots == min(2, without.slots) and without.memory_bytes > 1 << 30
    assert found.memory_bytes <= (400 << 20) // found.slots


@pytest.mark.parametrize("place, words", [("{job}/shards/1/run", "make room in the job directory '{job}'"),
                                          ("{scratch}/n/1/run", "make room in the scratch folder '/nvme'"),
                                          ("/out/.part", "make room for the output"), ("/elsewhere", None)])
def test_a_full_disk_is_told_with_what_helps(place, words):
    names = {"job": "/shared; x", "scratch": "/nvme/sortie-1"}
    said = f"on n: sortie: write failed: {place.format(**names)}: {os.strerror(28)}"
    told = with_advice(said + "; free some space, or choose another directory for the checkpoint", "/shared; x",
                       "/nvme/sortie-1", "/out/file")
    assert told == said + (f"; {words.format(**names)}, and give the command again to go on" if words else "")
    assert with_advice("no luck; sorry", "/shared", None, None) == "no luck; sorry"


def test_standard_streams_and_descriptors_are_refused(jobs, monkeypatch):
    for name in ("inputs", "output"):
        with pytest.raises(ValueError, match=f'{name} is "-", and standard'):
            sortie.cluster.sort_files(**{"inputs": jobs.inputs, "output": jobs.output, "job": jobs.job, name: "-"})
    (jobs.folder / "link").symlink_to("/dev/fd/0")
    for path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", str(jobs.folder / "link")):
        told = subprocess.run([*jobs.words(), path], stdin=open(jobs.inputs[0]), capture_output=True, text=True,
                              env=jobs.environment)
        assert told.returncode == 2 and f"'{path}' is another file in each process" in told.stderr
    told = jobs.run_words([*jobs.words(), "-"])
    assert told.returncode == 2 and "standard input cannot be divided" in told.stderr
    with open(jobs.output, "w") as output:
        words = [*jobs.words()[:-5], "-o", "/dev/stdout", *map(str, jobs.inputs)]
        told = subprocess.run(words, stdout=output, stderr=subprocess.PIPE, text=True, env=jobs.environment)
    assert told.returncode == 2 and "'/dev/stdout' is another file in each process" in told.stderr
    assert not jobs.job.exists()


@pytest.mark.parametrize("options", [["-o", "-"], ["--trace=-"]])
def test_a_minus_is_no_file_of_a_cluster(jobs, monkeypatch, options):
    told = subprocess.run([*jobs.words(), *options], capture_output=True, text=True, cwd=jobs.folder,
                          env=jobs.environment)
    assert told.returncode == 2 and "is '-', and standard output is no place for it" in told.stderr, told.stderr
    with pytest.raises(sortie.ArgumentError, match='^trace is "-", and standard output is no place for it'):
        jobs.sort_files(monkeypatch, trace="-")
    assert not (jobs.folder / "-").exists() and not jobs.job.exists()


def test_names_come_from_standard_input(jobs):
    words = [word for word in jobs.words() if word not in (str(jobs.output), *map(str, jobs.inputs))]
    names = "\0".join(map(str, jobs.inputs))
    told = subprocess.run([*words, "./-", "--files0-from=-"], input=names, capture_output=True, text=True,
                          cwd=jobs.folder, env=jobs.environment)
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    assert (jobs.folder / "-").read_bytes() == jobs.expected()


@pytest.mark.parametrize("name", ["a", "out", "job/trace", "hard"])
def test_a_timeline_is_not_written_over_what_is_sorted(jobs, name):
    os.link(jobs.inputs[1], jobs.folder / "hard")
    before = [path.read_bytes() for path in jobs.inputs]
    told = jobs.run(f"--trace={jobs.folder}/{name}")
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert [path.read_bytes() for path in jobs.inputs] == before and not jobs.job.exists()


@pytest.mark.parametrize("name", ["/dev/urandom", "fifo"])
def test_a_source_of_other_bytes_each_time_is_refused(jobs, name):
    os.mkfifo(jobs.folder / "fifo")
    told = jobs.run("-R", f"--random-source={jobs.folder / name}")
    assert told.returncode == 2 and "gives each command other bytes" in told.stderr and not jobs.job.exists()


@pytest.mark.parametrize("parts", [False, True])
def test_an_output_keeps_what_it_has_beside_its_contents(jobs, parts):
    target = jobs.folder / "out" / "part-1" if parts else jobs.output
    jobs.output = target.parent / "part-{}" if parts else target
    target.parent.mkdir(exist_ok=True)
    target.write_text("old")
    os.link(target, jobs.folder / "other name")
    target.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(target, 12, 34)
    before = target.stat()
    assert jobs.run().returncode == 0
    after = target.stat()
    for field in ("st_mode", "st_uid", "st_gid", "st_ino", "st_nlink"):
        assert getattr(after, field) == getattr(before, field)
    merged = b"".join(path.read_bytes() for path in sorted(target.parent.glob("part-*"))) if parts else \
        target.read_bytes()
    assert merged == jobs.expected() and (jobs.folder / "other name").read_bytes() == target.read_bytes()
    assert not list(target.parent.glob(".*"))
    assert jobs.run().returncode == 0


def test_an_owner_and_a_mode_stay_where_the_output_is_renamed(jobs):
    jobs.output.write_text("old")
    jobs.output.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(jobs.output, 12, 34)
    before = jobs.output.stat()
    assert jobs.run().returncode == 0
    after = jobs.output.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert after.st_ino != before.st_ino and jobs.output.read_bytes() == jobs.expected()

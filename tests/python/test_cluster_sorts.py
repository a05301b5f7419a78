"""Sorts on a cluster of this machine give, byte for byte, what one command gives."""

import json
import os
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs

import sortie


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


@pytest.mark.parametrize("options", [[], ["-r"], ["-u"], ["--count"], ["-s", "-r"], ["--top=10"], ["-u", "--top=700"],
                                     ["--verify=off"]])
def test_the_output_is_that_of_one_command(jobs, options):
    told = jobs.run(*options)
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults", "job", "out"]
    assert "0 attempts beside the first" in told.stderr


@pytest.mark.parametrize("values", [1, 3])
@pytest.mark.parametrize("options", [[], ["-u"]])
def test_hot_keys_are_divided_where_they_may_be(tmp_path, values, options):
    jobs = Jobs(tmp_path, values=values, lines=(8000, 6000, 0))
    assert jobs.run(*options).returncode == 0
    assert jobs.output.read_bytes() == jobs.expected(*options)
    report = json.loads((jobs.job / "report.json").read_text())["report"]
    if not options:
        assert report["ranges"] == 4 and report["skew"] < 2


def test_empty_inputs_give_an_empty_output(jobs):
    for path in jobs.inputs:
        path.write_text("")
    told = jobs.run()
    assert (told.returncode, jobs.output.read_bytes()) == (0, b""), told.stderr


def test_one_line_longer_than_a_shard(jobs):
    jobs.inputs[2].write_text("9" * 20000 + "\n" + "1" * 9000)
    told = jobs.run()
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected()


def test_times_have_the_zone_of_the_job(jobs):
    for number, path in enumerate(jobs.inputs):
        path.write_text("".join(f"2023-10-29 0{i * 7 % 5}:{i % 60:02} {['', 'CET', 'UTC', 'MSK'][(i + number) % 4]}\n"
                                for i in range(600)))
    options = ("-s", "-k1:time", "--zone=Europe/Berlin,MSK=+03:00")
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*options)


def test_a_header_stays_in_front_once(jobs):
    for path in jobs.inputs:
        path.write_text("zzz\n" + path.read_text())
    told = jobs.run("--header")
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected("--header")


def test_inputs_with_another_header_are_refused(jobs):
    for path in jobs.inputs:
        path.write_text(f"{path.name}\n" + path.read_text())
    told = jobs.run("--header")
    assert told.returncode == 2 and f"input {jobs.inputs[1]} has another header than {jobs.inputs[0]}" in told.stderr
    assert not jobs.output.exists()


@pytest.mark.parametrize("options", [[], ["-u"]])
def test_parts_one_behind_the_other_are_the_output(jobs, options):
    jobs.output = jobs.folder / "parts" / "part-{:03d}.txt"
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    folder = jobs.folder / "parts"
    manifest = json.loads((folder / "manifest.json").read_text())
    names = [part["file"] for part in manifest["parts"]]
    assert names == [f"part-{i:03d}.txt" for i in range(4)]
    assert sorted(os.listdir(folder)) == ["manifest.json", *names]
    parts = [(folder / name).read_bytes() for name in names]
    assert b"".join(parts) == jobs.expected(*options)
    assert [part["file_bytes"] for part in manifest["parts"]] == list(map(len, parts))
    assert [part["records"] for part in manifest["parts"]] == [data.count(b"\n") for data in parts]
    assert manifest["parts"][0]["begin"] is None and manifest["parts"][0]["end"] == manifest["parts"][1]["begin"]


def test_parts_stay_that_the_job_has_not_made(jobs):
    folder = jobs.folder / "parts"
    jobs.output = folder / "part-{}"
    assert jobs.run().returncode == 0
    former = (folder / "part-3").read_bytes()
    (folder / "part-9").write_text("mine")
    jobs.job = jobs.folder / "another job"
    assert jobs.run("--ranges=2").returncode == 0
    assert (folder / "part-3").read_bytes() == former and (folder / "part-9").read_text() == "mine"
    assert [part["file"] for part in json.loads((folder / "manifest.json").read_text())["parts"]] == ["part-0",
                                                                                                      "part-1"]


def test_an_input_may_be_the_output(jobs):
    expected = jobs.expected()
    jobs.output = jobs.inputs[0]
    os.chmod(jobs.output, 0o640)
    told = jobs.run()
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == expected and os.stat(jobs.output).st_mode & 0o777 == 0o640
    again = jobs.run()
    assert (again.returncode, again.stderr) == (0, told.stderr)
    assert jobs.output.read_bytes() == expected


def test_a_job_that_is_done_tells_its_report_again_and_works_no_more(jobs):
    told = jobs.run()
    count = len(jobs.commands())
    again = jobs.run()
    assert (again.returncode, again.stderr) == (0, told.stderr) and len(jobs.commands()) == count
    assert "state          done" in status(jobs)


def status(jobs):
    return subprocess.run([*DRIVER, "status", f"--job={jobs.job}"], capture_output=True, text=True, check=True).stdout


def test_nobody_has_to_read_the_report(jobs):
    told = jobs.run_words(["/bin/sh", "-c", '"$@" 2>&-', "sh", *jobs.words()])
    assert (told.returncode, told.stdout) == (0, "")
    assert jobs.output.read_bytes() == jobs.expected()


def test_status_names_an_output_whose_name_is_no_text(jobs):
    jobs.output = jobs.folder / "out\udcff"
    assert jobs.run().returncode == 0
    told = subprocess.run([*DRIVER, "status", f"--job={jobs.job}"], capture_output=True,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"})
    assert told.returncode == 0 and b"/out\xff\n" in told.stdout


def test_a_job_directory_of_another_sort_is_refused(jobs):
    assert jobs.run().returncode == 0
    told = jobs.run("-r")
    assert told.returncode == 2 and "holds a job with other options" in told.stderr
    jobs.inputs[0].write_text("1\n")
    told = jobs.run()
    assert told.returncode == 2 and "holds a job with other inputs" in told.stderr


def test_python_has_the_same(jobs, monkeypatch):
    heard = []
    report = jobs.sort_files(monkeypatch, descending=True, progress=lambda *told: heard.append(told))
    assert jobs.output.read_bytes() == jobs.expected("-r")
    assert report.output_records == report.input_records == 4000
    assert [stage["name"] for stage in report.stages] == ["form", "cut", "merge"]
    assert [told[0] for told in heard if told[1] == told[2]][-1] == "merge"
    assert list(dict.fromkeys(told[0] for told in heard)) == ["form", "cut", "merge"]
    assert str(report.shards) + " shards" in str(report)


def test_what_a_listener_raises_comes_out_as_it_is(jobs, monkeypatch):
    with pytest.raises(TypeError, match="1 positional argument"):
        jobs.sort_files(monkeypatch, progress=lambda stage: None)
    jobs.sort_files(monkeypatch)
    assert jobs.output.read_bytes() == jobs.expected()


def test_a_timeline_has_a_track_for_every_node(jobs):
    told = jobs.run(f"--trace={jobs.folder}/trace.json")
    assert told.returncode == 0, told.stderr
    events = json.loads((jobs.folder / "trace.json").read_text())["traceEvents"]
    assert [event["args"]["name"] for event in events if event["ph"] == "M"] == [os.uname().nodename]
    tasks = [event for event in events if event["ph"] == "X"]
    assert len(tasks) == 14 and {event["tid"] for event in tasks} == {1, 2}
    for lane in (1, 2):
        times = [(event["ts"], event["ts"] + event["dur"]) for event in tasks if event["tid"] == lane]
        # But for a millisecond, to which the results of tasks are rounded.
        assert all(end <= begin + 1002 for (_, end), (begin, _) in zip(times, times[1:]))


def test_plan_says_what_a_job_would_do(jobs):
    told = subprocess.run([*DRIVER, "plan", "--shard=6K", "--ranges=4", "--nodes=3", "--disk=1G", "-o", jobs.output,
                           *jobs.inputs], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert "shards    5," in told.stdout and "ranges    4 of" in told.stdout and "each of 3 nodes" in told.stdout
    assert not jobs.job.exists()


@pytest.mark.parametrize("arguments, message", [
    ([], None), (["--help"], None), (["--version"], None),
    (["sport"], "unknown command 'sport': known are sort, status, plan, simulate"),
    (["sort", "-o", "out", "in"], "missing --job: name a directory"),
    (["sort", "--job=j", "in"], "missing -o: say where the output goes"),
    (["sort", "--job=j", "-o", "out"], "no inputs are named"),
    (["sort", "--job=j", "-o", "out", "none"], "cannot read '.*/none': No such file or directory"),
    (["sort", "--job=j", "-o", "out", "."], "cannot divide '.*' among machines: it is no regular file"),
    (["sort", "--job=j", "-o", "none/out", "in"], "cannot write '.*/none/out': no such directory"),
    (["sort", "--job=j", "-o", "out.gz", "in"], "cannot pack '.*/out.gz'"),
    (["sort", "--job=j", "-o", "out.GZ", "in"], "cannot pack '.*/out.GZ'"),
    (["sort", "--job=j", "-o", "out", "--engine=moon", "in"], "invalid value 'moon' for --engine"),
    (["sort", "--job=j", "-o", "out", "--command=/none", "in"], "cannot run '/none': .*No such file"),
    (["status", "--job=none"], "there is no job in 'none'"),
])
def test_an_error_is_one_line_and_status_2(tmp_path, arguments, message):
    (tmp_path / "in").write_text("b\na\n")
    told = subprocess.run([*DRIVER, *arguments], capture_output=True, text=True, cwd=tmp_path)
    if message is None:
        assert told.returncode == 0 and told.stderr == ""
        return
    assert told.returncode == 2 and told.stdout == "" and told.stderr.count("\n") == 1
    with pytest.raises(sortie.Error, match=message):
        raise sortie.Error(told.stderr)
    assert not (tmp_path / "out").exists()


def test_names_are_never_read_by_a_shell(tmp_path):
    name = "$(touch pwned) ;'\" {x}\n--key"
    (tmp_path / name).write_text("b\na\n")
    told = subprocess.run([*DRIVER, "sort", "--job=a; b", "-o", f"out{name}", "--", name],
                          capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "LC_ALL": "C"})
    assert told.returncode == 0, told.stderr
    assert (tmp_path / f"out{name}").read_text() == "a\nb\n"
    assert sorted(os.listdir(tmp_path)) == sorted([name, f"out{name}", "a; b"])


def run_in(folder, *words):
    return subprocess.run([*DRIVER, "sort", *words], capture_output=True, text=True, cwd=folder)


def test_paths_lead_where_the_kernel_finds_them(tmp_path):
    deep = tmp_path / "real" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "link").symlink_to(deep)
    (tmp_path / "in").write_text("not this one\n")
    (tmp_path / "real" / "in").write_text("2\n1\n")
    for output in ("link/../out", "link/../part-{}"):
        told = run_in(tmp_path, f"--job=link/../job-{output[-1]}", "--ranges=1", "-o", output, "link/../in")
        assert told.returncode == 0, told.stderr
    assert (tmp_path / "real" / "out").read_text() == (tmp_path / "real" / "part-0").read_text() == "1\n2\n"
    assert sorted(os.listdir(tmp_path)) == ["in", "link", "real"]
    assert sorted(os.listdir(tmp_path / "real")) == ["deep", "in", "job-t", "job-}", "manifest.json", "out", "part-0"]
    told = run_in(tmp_path, "--job=job", "-o", "new/", "in")
    assert told.returncode == 2 and "it names a directory" in told.stderr and not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["in/part-00000", "in/part-7", "link", "in/manifest.json"])
def test_parts_do_not_replace_inputs(tmp_path, name):
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to("in/part-00001")
    (tmp_path / "in" / "part-00001").write_text("1\n")
    (tmp_path / name).write_text('{"parts": 1}\n')
    told = run_in(tmp_path, "--job=job", "-o", "in/part-{:05d}", name)
    assert told.returncode == 2 and "a part of the output would replace the input" in told.stderr, told.stderr
    assert not (tmp_path / "job").exists() and (tmp_path / name).read_text() == '{"parts": 1}\n'

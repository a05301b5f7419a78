"""The command sortie-prepare: shards without duplicates, in splits that stay, the same after a kill, and the steps as
commands."""

import collections
import hashlib
import json
import os
import subprocess
import sys

import pytest
from cluster_jobs import wait_until

import sortie
from sortie.__main__ import find_command
from sortie.prepare import prepare_command
from sortie.prepare.plan import Source, Wishes, plan

COMMAND = [sys.executable, "-m", "sortie.prepare.prepare_command"]
SHARES = "train=0.8,valid=0.1,test=0.1"


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def documents(count, mark=""):
    return [{"id": f"{mark}{number}", "text": f"Text  {mark}{number}.", "n": number} for number in range(count)]


def prepare(*words):
    done = subprocess.run([*COMMAND, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stderr


def shards(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    return [(part, [json.loads(line) for line in (folder / part["file"]).read_text().splitlines()])
            for part in manifest["parts"]]


def share_of(text):
    """As TextKey::shares documents it."""
    place = int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big") * 10 ** 9 >> 64
    return "train" if place < 8 * 10 ** 8 else "valid" if place < 9 * 10 ** 8 else "test"


def test_each_record_is_in_the_split_that_its_key_tells_and_duplicates_are_gone(tmp_path):
    rows = documents(1000)
    again = [{**row, "id": f"copy {row['id']}", "text": row["text"].upper().replace("  ", " ")} for row in rows[::3]]
    inputs = [write(tmp_path / "a.jsonl", rows), write(tmp_path / "b.jsonl", again)]
    status, said = prepare("-o", tmp_path / "out", "--unique-by=.text:normal", "--split-by=.id", f"--shares={SHARES}",
                           "--seed=7", "--shard-records=100", "--dropped", *inputs)
    assert (status, "warning" in said) == (0, False), said
    found = shards(tmp_path / "out")
    assert sorted(row["n"] for _, part in found for row in part) == list(range(1000))
    for part, records in found:
        assert {share_of(row["id"]) for row in records} == {part["split"]}
        assert part["file"].startswith(part["split"] + "-0000") and part["records"] == len(records) <= 100
    order = [row["n"] for part, records in found if part["split"] == "train" for row in records]
    assert order != sorted(order)
    dropped = (tmp_path / "out" / "dropped.tsv").read_text().splitlines()
    assert dropped[0] == "file\trecord\tkept_file\tkept_record"
    assert sorted(dropped[1:]) == sorted(f"{inputs[1]}\t{number + 1}\t{inputs[0]}\t{3 * number + 1}"
                                         for number in range(len(again)))
    assert not (tmp_path / "out" / ".work").exists()


def test_one_sort_is_enough_where_the_split_goes_by_what_is_unique(tmp_path):
    inputs = [write(tmp_path / "a.jsonl", documents(300) + documents(300))]
    words = ["--unique-by=.text", "--split-by=.text", f"--shares={SHARES}", "--shard-records=50", *inputs]
    assert prepare("-o", tmp_path / "out", *words)[0] == 0
    found = shards(tmp_path / "out")
    assert sorted(row["n"] for _, part in found for row in part) == list(range(300))
    assert all(share_of(row["text"]) == part["split"] for part, records in found for row in records)
    shown = subprocess.run([*COMMAND, "--plan", "-o", "out", *words], capture_output=True, text=True).stdout
    assert shown.count("\n") == 2 and "\nshards: sortie --jsonl --unique --key=.text:hash " in shown


@pytest.mark.parametrize("split", [".id", ".text"])
def test_whole_keys_drop_what_hashes_drop(tmp_path, split):
    inputs = [write(tmp_path / "a.jsonl", documents(200) * 2)]
    words = ["--unique-by=.text:normal", "--whole-keys", f"--split-by={split}", f"--shares={SHARES}", "--seed=1", *inputs]
    status, said = prepare("-o", tmp_path / "out", *words)
    assert (status, "warning" in said) == (0, False), said
    found = [(part["split"], row) for part, records in shards(tmp_path / "out") for row in records]
    assert sorted(row["n"] for _, row in found) == list(range(200))
    assert all(share_of(row[split[1:]]) == name for name, row in found)
    shown = subprocess.run([*COMMAND, "--plan", "-o", "out", *words], capture_output=True, text=True).stdout
    assert "--key=.text:normal:hash --key=.text:normal " in shown


def test_no_document_changes_sides_when_data_are_added(tmp_path):
    sides = []
    for count in (200, 400):
        path = write(tmp_path / f"{count}.jsonl", documents(count))
        assert prepare("-o", tmp_path / f"out{count}", "--split-by=.id", f"--shares={SHARES}", f"--seed={count}", path)[0] == 0
        sides.append({row["id"]: part["split"] for part, rows in shards(tmp_path / f"out{count}") for row in rows})
    assert sides[0].items() <= sides[1].items()


def test_weights_are_exact_and_the_seed_decides(tmp_path):
    first, second = write(tmp_path / "a.jsonl", documents(101, "a")), write(tmp_path / "b.jsonl", documents(50, "b"))
    made = []
    for name in ("one", "two"):
        status, said = prepare("-o", tmp_path / name, "--seed=3", f"--source=0.3:{first}", f"--source=2:{second}")
        assert status == 0, said
        made.append([row["id"] for _, rows in shards(tmp_path / name) for row in rows])
    assert made[0] == made[1]
    of_first = [name for name in made[0] if name.startswith("a")]
    assert len(of_first) == len(set(of_first)) == 30
    assert sorted(name for name in made[0] if name.startswith("b")) == sorted([f"b{n}" for n in range(50)] * 2)


def test_a_step_that_is_done_is_not_done_again(tmp_path, monkeypatch):
    inputs = [write(tmp_path / "a.jsonl", documents(100) * 2)]
    words = ["-o", str(tmp_path / "out"), "--unique-by=.text", "--split-by=.id", f"--shares={SHARES}", *inputs]
    calls = []

    def killed_at_shards(paths, output, **arguments):
        calls.append(os.path.basename(output))
        if "shards" not in allowed and "{" in output:
            raise KeyboardInterrupt
        return sortie.sort_files(paths, output, **arguments)

    monkeypatch.setattr("sortie.prepare.runs.sort_files", killed_at_shards)
    allowed = set()
    with pytest.raises(KeyboardInterrupt):
        prepare_command._run(words)
    assert calls == ["distinct.jsonl", "{}-{:05d}.jsonl"]
    allowed.add("shards")
    prepare_command._run(words)
    assert calls[2:] == ["{}-{:05d}.jsonl"]
    prepare_command._run(words)
    assert len(calls) == 3
    assert sum(len(rows) for _, rows in shards(tmp_path / "out")) == 100


def test_a_kill_at_any_time_leaves_what_the_same_command_completes(tmp_path):
    path = write(tmp_path / "a.jsonl", documents(20000) * 2)
    words = ["--unique-by=.text", "--split-by=.id", f"--shares={SHARES}", "--shard-records=1000", path]
    assert prepare("-o", tmp_path / "whole", *words)[0] == 0
    killed = subprocess.Popen([*COMMAND, "-o", str(tmp_path / "killed"), *words])
    wait_until(lambda: (tmp_path / "killed" / ".work" / "distinct.jsonl").exists() or killed.poll() is not None)
    killed.kill()
    killed.wait()
    assert prepare("-o", tmp_path / "killed", *words)[0] == 0
    assert [rows for _, rows in shards(tmp_path / "killed")] == [rows for _, rows in shards(tmp_path / "whole")]
    assert {path.name for path in (tmp_path / "killed").iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}


def test_it_is_a_word_of_the_command(tmp_path):
    script = tmp_path / "sortie-prepare"
    script.write_text('#!/bin/sh\necho "$0: $*"\nexit 3\n')
    script.chmod(0o755)
    done = subprocess.run([find_command(), "prepare", "-o", "x y"], capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert (done.returncode, done.stdout) == (3, f"{script}: -o x y\n")


def test_a_folder_of_other_work_is_left_alone(tmp_path):
    inputs = write(tmp_path / "a.jsonl", documents(10))
    out = tmp_path / "out"
    assert prepare("-o", out, "--seed=1", inputs)[0] == 0
    status, said = prepare("-o", out, "--seed=2", inputs)
    assert status == 2 and "was begun with other options: name another folder, or remove this one" in said
    write(tmp_path / "a.jsonl", documents(11))
    status, said = prepare("-o", out, "--seed=1", inputs)
    assert status == 2 and "other inputs, or some have changed" in said
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    status, said = prepare("-o", tmp_path / "full", inputs)
    assert status == 2 and "holds other files: name a new folder, or an empty one" in said


def test_shards_by_weight_and_the_sums_in_the_manifest(tmp_path):
    path = write(tmp_path / "a.jsonl", documents(100))
    status, said = prepare("-o", tmp_path / "out", "--shard-weight=500", "--weight=.n", path)
    assert status == 0, said
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["weight"] == sum(range(100)) and len(manifest["seed"]) == 32
    for part, rows in shards(tmp_path / "out"):
        assert part["weight"] == sum(row["n"] for row in rows) <= 500


@pytest.mark.parametrize("words, complaint", [
    ([], "there is nothing to prepare"),
    (["a.jsonl", "--split-by=.id"], "--split-by and --shares go together"),
    (["a.jsonl", "--dropped"], "say with --unique-by which these are"),
    (["--source=0:a.jsonl"], "invalid weight '0'"),
    (["--source=a.jsonl"], "write WEIGHT:FILE"),
    (["--source=0.5:a.jsonl", "--in-order"], "leave --in-order out"),
    (["a.jsonl", "b.csv"], "say with --format which it is"),
    (["a.jsonl", "--in-order"], "need no preparation"),
    (["a.jsonl", "--shard-weight=3"], "needs --weight"),
    (["a.jsonl", "--shard-size=1G", "--shard-records=3"], "give one of them"),
    (["none-*.jsonl"], "no file matches 'none-*.jsonl'"),
    (["-"], "standard input comes once"),
    (["a.tar.gz"], "'a.tar.gz' is called like an archive of samples: one sort makes shards of it"),
    (["--source=1:a.npy"], "'a.npy' is called like a file of tokens"),
    (["a.parquet"], "'a.parquet' is called like a table: turn it into JSON Lines first, sortie-parquet -k COLUMN"),
])
def test_mistakes_are_told_in_one_line(tmp_path, words, complaint):
    status, said = prepare("-o", tmp_path / "out", *words)
    assert status == 2 and complaint in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_in_order_of_the_inputs():
    wishes = Wishes("out", (Source(("a.txt",)),), "lines", "s", unique_by="1", in_order=True, shards={"split_size": "1G"})
    assert [step.arguments["order"] for step in plan(wishes)] == ["input"]


def test_a_text_of_two_sources_belongs_to_the_first(tmp_path):
    books = write(tmp_path / "books.jsonl", documents(60, "book") * 2)
    news = write(tmp_path / "news.jsonl", [{**row, "of": "news"} for row in documents(50, "news") + documents(60, "book")])
    web = write(tmp_path / "web.jsonl", [{**row, "of": "web"} for row in documents(40, "web") + documents(50, "news")])
    status, said = prepare("-o", tmp_path / "out", f"--source=2:{books}", f"--source=1:{news}", f"--source=0.5:{web}",
                           "--unique-by=.text:normal", "--stats")
    assert status == 0 and "own-1: 50 records" in said and "own-2: 40 records" in said and "sample-2: 20 records" in said
    rows = [row for _, records in shards(tmp_path / "out") for row in records]
    found = collections.Counter(row["id"].rstrip("0123456789") for row in rows)
    assert found == {"book": 120, "news": 50, "web": 20}
    assert all(row.get("of") == "news" for row in rows if row["id"].startswith("news"))


def on_cluster(folder, *words):
    """Small shards of inputs, and few ranges."""
    return prepare(f"--job={folder / 'jobs'}", "--workers=2", "--shard=20K", "--ranges=3", "-S", "1M", "--threads=1",
                   *words)


def files_of(folder):
    """prepare.json knows when files were written."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "prepare.json"}


@pytest.mark.parametrize("words", [
    ["--unique-by=.text:normal", "--split-by=.id", f"--shares={SHARES}", "--shard-records=50"],
    ["--unique-by=.text", "--shard-size=9K"],
    ["--unique-by=.text", "--keep=max:.n", "--in-order", "--shard-records=100", "--pack=zst"],
    ["--shard-size=20K", "--seed=x"]], ids=" ".join)
def test_a_cluster_prepares_what_one_machine_does(tmp_path, words):
    rows = documents(700)
    inputs = [write(tmp_path / "a.jsonl", rows), write(tmp_path / "b.jsonl", rows[::3])]
    assert prepare("-o", tmp_path / "one", *words, *inputs)[0] == 0
    status, said = on_cluster(tmp_path, "-o", tmp_path / "many", *words, *inputs)
    assert (status, said) == (0, ""), said
    assert files_of(tmp_path / "many") == files_of(tmp_path / "one") and not (tmp_path / "jobs").exists()


def test_a_mixture_on_a_cluster_is_that_of_one_machine(tmp_path):
    books = write(tmp_path / "books.jsonl", documents(300, "book"))
    web = write(tmp_path / "web.jsonl", documents(300, "web") + documents(150, "book"))
    words = [f"--source=2:{books}", f"--source=0.4:{web}", "--shard-records=200", "--unique-by=.text"]
    assert prepare("-o", tmp_path / "one", *words)[0] == 0
    assert on_cluster(tmp_path, "-o", tmp_path / "many", *words) == (0, "")
    assert files_of(tmp_path / "many") == files_of(tmp_path / "one")


@pytest.mark.parametrize("words, message", [
    (["--unique-by=.text", "--dropped"], "--dropped lists what one process drops"),
    (["--weight=.n", "--shard-weight=9"], "--weight and --shard-weight are for one machine"),
    (["--unique-by=.text", "-T", "/tmp"], "-T is for one machine")], ids=" ".join)
def test_what_a_cluster_cannot_prepare_is_refused_at_once(tmp_path, words, message):
    status, said = on_cluster(tmp_path, "-o", tmp_path / "out", *words, write(tmp_path / "a.jsonl", documents(9)))
    assert status == 2 and message in said and not (tmp_path / "out").exists() and not (tmp_path / "jobs").exists()


def test_options_of_a_cluster_need_a_job(tmp_path):
    status, said = prepare("-o", tmp_path / "out", "--workers=2", write(tmp_path / "a.jsonl", documents(9)))
    assert status == 2 and "--workers is for a cluster: name the directory of its jobs with --job" in said


def test_a_plan_shows_the_jobs_of_a_cluster(tmp_path):
    words = ["--unique-by=.text", "--split-by=.id", f"--shares={SHARES}", write(tmp_path / "a.jsonl", documents(9))]
    done = subprocess.run([*COMMAND, "-o", tmp_path / "out", "--job=jobs", "--plan", *words], capture_output=True,
                          text=True, cwd=tmp_path)
    assert done.returncode == 0
    for step, line in zip(("distinct", "shards"), done.stdout.splitlines()[1:], strict=True):
        assert line.startswith(f"{step}: sortie-cluster sort --job={tmp_path}/jobs/{step} ")


@pytest.mark.parametrize("place", ["one machine", "cluster"])
@pytest.mark.parametrize("was_there", [False, True])
def test_a_step_that_fails_before_another_is_done_leaves_nothing(tmp_path, place, was_there):
    """So the command can be given again, with what was wrong corrected."""
    path = write(tmp_path / "a.jsonl", documents(50))
    run = prepare if place == "one machine" else lambda *words: on_cluster(tmp_path, *words)
    out = tmp_path / "out"
    if was_there:
        out.mkdir()
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"text": "a"}\n{"text":\n')
    for wrong in (["--unique-by=text", path], ["--unique-by=.text", path, broken]):
        status, said = run("-o", out, *wrong)
        assert status == 2 and said.count("\n") == 1, said
        assert out.exists() == was_there and not (tmp_path / "jobs").exists()
        assert not was_there or not list(out.iterdir())
    assert run("-o", out, "--unique-by=.text", "--strict", path) == (0, "")
    assert sum(len(rows) for _, rows in shards(out)) == 50


def test_strict_refuses_records_that_lack_a_key(tmp_path):
    path = write(tmp_path / "a.jsonl", [*documents(3), {"id": "x"}, {"id": "y"}])
    status, said = prepare("-o", tmp_path / "out", "--unique-by=.text", path)
    assert status == 0 and "2 of 5 records have no such value" in said and "they count as equal" in said
    status, said = prepare("-o", tmp_path / "strict", "--unique-by=.text", "--strict", path)
    assert status == 2 and "would have to assume something" in said and not (tmp_path / "strict").exists()


def test_commands_of_a_plan_do_what_the_preparation_does(tmp_path):
    books = write(tmp_path / "books.jsonl", documents(60, "book") * 2)
    web = write(tmp_path / "web.jsonl", documents(40, "web") + documents(20, "book"))
    words = ["--unique-by=.text", "--shard-size=2kB", "-S", "1MB", "--seed=it's 7", f"--source=2:{books}",
             f"--source=0.5:{web}"]
    assert prepare("-o", tmp_path / "done", *words)[0] == 0
    shown = subprocess.run([*COMMAND, "--plan", "-o", "planned", *words], capture_output=True, text=True, cwd=tmp_path)
    assert shown.returncode == 0 and "  # N: 0.5 of the records of own-1\n" in shown.stdout
    commands = [line.partition(": ")[2].replace("--sample=N,", "--sample=20,") for line in shown.stdout.splitlines()]
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "sortie").symlink_to(find_command())
    path = f"{programs}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-e", "-c", "\n".join(commands)], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PATH": path})
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "planned" / ".work").rename(tmp_path / "work")
    assert files_of(tmp_path / "planned") == files_of(tmp_path / "done")

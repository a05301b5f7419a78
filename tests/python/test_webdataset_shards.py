"""The shards of a sort of tar archives, read by the loaders that they are for: webdataset, and datasets if it is installed."""

import collections
import io
import json
import random
import subprocess
import sys
import tarfile

import pytest

import sortie

webdataset = pytest.importorskip("webdataset")


def write_archive(path, samples, form=tarfile.GNU_FORMAT):
    with tarfile.open(path, "w", format=form) as archive:
        for key, files in samples:
            for extension, data in files.items():
                info = tarfile.TarInfo(f"{key}.{extension}")
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))


def make_samples(count, seed):
    choice = random.Random(seed)
    return [(f"train/{number:05d}" + ("-long" * 40 if number % 11 == 0 else ""),
             {"jpg": choice.randbytes(choice.randrange(3000)), "cls": str(number).encode(),
              "json": json.dumps({"number": number}).encode()}) for number in range(count)]


def read_back(paths):
    """What the loader gives: for each sample its key, and its files in their order."""
    loader = webdataset.WebDataset([str(path) for path in paths], shardshuffle=False)
    return [(sample["__key__"], {name: data for name, data in sample.items() if not name.startswith("__")}) for sample in loader]


def comparable(samples):
    return collections.Counter((key, tuple(files.items())) for key, files in samples)


@pytest.fixture
def archives(tmp_path):
    samples = make_samples(300, 1)
    random.Random(2).shuffle(samples)
    paths = [tmp_path / "a.tar", tmp_path / "b.tar"]
    write_archive(paths[0], samples[:150])
    write_archive(paths[1], samples[150:], tarfile.PAX_FORMAT)
    return paths, samples


def test_a_loader_reads_the_samples_of_shuffled_shards(archives, tmp_path):
    paths, samples = archives
    manifest = tmp_path / "shards.json"
    sortie.sort_files(paths, tmp_path / "shard-{:06d}.tar", shuffle="7", split_records=70, manifest=manifest)
    shards = sorted(tmp_path.glob("shard-*.tar"))
    found = read_back(shards)
    assert comparable(found) == comparable(samples)
    assert found != samples
    index = json.loads(manifest.read_text())
    assert index["__kind__"] == "wids-shard-index-v1"
    assert [(tmp_path / one["url"], one["nsamples"]) for one in index["shardlist"]] == list(zip(shards, [70, 70, 70, 70, 20]))
    assert [one["filesize"] for one in index["shardlist"]] == [path.stat().st_size for path in shards]


def test_a_loader_reads_samples_in_the_order_of_their_keys(archives, tmp_path):
    paths, samples = archives
    sortie.sort_files(paths, tmp_path / "out.tar")
    assert read_back([tmp_path / "out.tar"]) == sorted(samples)


def test_samples_of_packed_archives_are_the_same(archives, tmp_path):
    import gzip
    paths, samples = archives
    packed = tmp_path / "a.tar.gz"
    packed.write_bytes(gzip.compress(paths[0].read_bytes()))
    sortie.sort_files([packed, paths[1]], tmp_path / "out.tar.gz")
    assert read_back([tmp_path / "out.tar.gz"]) == sorted(samples)


def test_a_loader_skips_what_is_carried_along(tmp_path):
    path = tmp_path / "a.tar"
    folder = tarfile.TarInfo("train")
    folder.type = tarfile.DIRTYPE
    with tarfile.open(path, "w") as archive:
        archive.addfile(folder)
        for name in ("train/2.txt", "README", "train/2.cls", "train/1.txt", ".hidden"):
            info = tarfile.TarInfo(name)
            info.size = 1
            archive.addfile(info, io.BytesIO(b"x"))
    sortie.sort_files(path, tmp_path / "out.tar")
    assert read_back([tmp_path / "out.tar"]) == [("train/1", {"txt": b"x"}), ("train/2", {"txt": b"x", "cls": b"x"})]
    with tarfile.open(tmp_path / "out.tar") as archive:
        assert sorted(archive.getnames()) == sorted(["train", "train/1.txt", "train/2.txt", "train/2.cls", "README", ".hidden"])


def test_duplicates_of_a_content_go(archives, tmp_path):
    paths, samples = archives
    again = tmp_path / "again.tar"
    write_archive(again, [(f"other/{key}", files) for key, files in samples[:40]])
    sortie.sort_files([*paths, again], tmp_path / "out.tar", by="content", unique=True)
    assert comparable(read_back([tmp_path / "out.tar"])) == comparable(samples)


def test_a_loader_expands_the_names_of_shards_in_their_order(archives, tmp_path):
    paths, samples = archives
    sortie.sort_files(paths, tmp_path / "s-{:03d}.tar", split_records=80, manifest=tmp_path / "s.json")
    listed = json.loads((tmp_path / "s.json").read_text())["shardlist"]
    assert [one["url"] for one in listed] == [f"s-{number:03d}.tar" for number in range(4)]
    loader = webdataset.WebDataset(str(tmp_path / "s-{000..003}.tar"), shardshuffle=False)
    assert [sample["__key__"] for sample in loader] == [key for key, _ in sorted(samples)]
    assert [len(read_back([tmp_path / one["url"]])) for one in listed] == [one["nsamples"] for one in listed]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_long_and_foreign_names_and_empty_files_stay(tmp_path, form):
    """Of ustar the front of a long name stands elsewhere; the others have headers for it."""
    long = "folder/" * 14 + "x" * 60 if form == tarfile.USTAR_FORMAT else "deep/" * 60 + "name" * 40
    samples = [(long, {"jpg": b"", "cls": b"1"}), ("空/é", {"txt": b"", "json": b"{}"}), ("a", {"seg.png": b"1", "PNG": b""}), ("b", {"cls": b""})]
    write_archive(tmp_path / "in.tar", samples, form)
    sortie.sort_files(tmp_path / "in.tar", tmp_path / "out.tar")
    expected = sorted(samples, key=lambda sample: sample[0].encode())
    with tarfile.open(tmp_path / "in.tar") as before, tarfile.open(tmp_path / "out.tar") as after:
        names = [f"{key}.{extension}" for key, files in expected for extension in files]
        assert after.getnames() == names and sorted(before.getnames()) == sorted(names)
        for name in names:
            assert after.extractfile(name).read() == before.extractfile(name).read()
            assert after.getmember(name).pax_headers == before.getmember(name).pax_headers
    assert read_back([tmp_path / "out.tar"]) == [(key, {extension.lower(): data for extension, data in files.items()})
                                                 for key, files in expected]


def test_fewer_samples_than_shards_leave_archives_that_a_loader_takes(tmp_path):
    samples = make_samples(2, 3)
    write_archive(tmp_path / "in.tar", samples)
    sortie.sort_files(tmp_path / "in.tar", tmp_path / "s-{:03d}.tar", split=4, manifest=tmp_path / "s.json")
    listed = json.loads((tmp_path / "s.json").read_text())["shardlist"]
    assert len(listed) == 4 and sum(one["nsamples"] for one in listed) == 2
    loader = webdataset.WebDataset([str(tmp_path / one["url"]) for one in listed], shardshuffle=False, empty_check=False)
    assert [sample["__key__"] for sample in loader] == sorted(key for key, _ in samples)


def test_datasets_reads_the_shards_of_a_preparation(tmp_path):
    datasets = pytest.importorskip("datasets")
    rows = [{"id": f"{number:04d}", "text": f"Text {number % 400}"} for number in range(600)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for pack in ("none", "gz"):
        out = tmp_path / pack
        subprocess.run([sys.executable, "-m", "sortie.prepare.prepare_command", "-o", out, "--unique-by=.text", "--split-by=.id",
                        "--shares=train=0.8,test=0.2", "--shard-records=100", f"--pack={pack}", tmp_path / "in.jsonl"], check=True)
        parts = json.loads((out / "manifest.json").read_text())["parts"]
        of_split = {name: [part for part in parts if part["split"] == name] for name in ("train", "test")}
        loaded = datasets.load_dataset("json", cache_dir=str(tmp_path / "cache"), data_files={
            name: [str(out / part["file"]) for part in found] for name, found in of_split.items()})
        for name, found in of_split.items():
            assert len(loaded[name]) == sum(part["records"] for part in found)
        assert sorted(row["id"] for name in of_split for row in loaded[name]) == [row["id"] for row in rows[:400]]


def test_datasets_reads_the_shards(archives, tmp_path):
    datasets = pytest.importorskip("datasets")
    paths, samples = archives
    (tmp_path / "made").mkdir()
    sortie.sort_files(paths, tmp_path / "made" / "shard-{:06d}.tar", shuffle="1", split_records=100)
    files = [str(path) for path in sorted((tmp_path / "made").iterdir())]
    loaded = datasets.load_dataset("webdataset", data_files={"train": files}, split="train", streaming=True)
    loaded = loaded.cast_column("jpg", datasets.Value("binary"))
    found = [(row["__key__"], row["cls"]) for row in loaded]
    assert sorted(key for key, _ in found) == sorted(key for key, _ in samples)

"""The shards of a sort of tar archives, read by the loaders that they are for: webdataset, and datasets if it is installed."""

import collections
import io
import json
import random
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

"""Token files: documents of Megatron's .bin and .idx, of .npy arrays and of bare tokens are shuffled, drawn, rid of duplicates and
cut into files. Read and written here by numpy, as the layouts of their formats have them."""

import collections
import gzip
import json
import struct

import pytest

import sortie

np = pytest.importorskip("numpy")

CODES = {"u1": 1, "i1": 2, "i2": 3, "i4": 4, "i8": 5, "u2": 8}


def write_megatron(stem, documents, dtype):
    """documents: lists of sequences, which are lists of tokens. As megatron.core.datasets.indexed_dataset.IndexedDatasetBuilder."""
    sequences = [np.array(sequence, dtype=dtype) for document in documents for sequence in document]
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64) * np.dtype(dtype).itemsize]).astype(np.int64)[:len(lengths)]
    firsts = np.cumsum([0] + [len(document) for document in documents], dtype=np.int64)
    with open(f"{stem}.bin", "wb") as file:
        for sequence in sequences:
            file.write(sequence.tobytes())
    with open(f"{stem}.idx", "wb") as file:
        file.write(b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, CODES[dtype], len(lengths), len(firsts)))
        file.write(lengths.tobytes() + offsets.tobytes() + firsts.tobytes())


def read_megatron(stem):
    """As _IndexReader reads it: every number by its place."""
    index = open(f"{stem}.idx", "rb").read()
    assert index[:9] == b"MMIDIDX\x00\x00"
    version, code, sequences, firsts = struct.unpack_from("<QBQQ", index, 9)
    assert version == 1
    dtype = {code: name for name, code in CODES.items()}[code]
    lengths = np.frombuffer(index, np.int32, sequences, 34)
    offsets = np.frombuffer(index, np.int64, sequences, 34 + lengths.nbytes)
    documents = np.frombuffer(index, np.int64, firsts, 34 + lengths.nbytes + offsets.nbytes)
    assert len(index) == 34 + lengths.nbytes + offsets.nbytes + documents.nbytes
    tokens = np.memmap(f"{stem}.bin", dtype=dtype, mode="r") if lengths.sum() else np.array([], dtype)
    assert len(tokens) == lengths.sum()
    size = np.dtype(dtype).itemsize
    return [[tokens[offsets[i] // size:offsets[i] // size + lengths[i]].tolist() for i in range(begin, end)]
            for begin, end in zip(documents, documents[1:])]


def random_documents(count, seed, most=500):
    choice = np.random.default_rng(seed)
    return [[choice.integers(0, most, choice.integers(0, 40)).tolist() for _ in range(choice.integers(0, 4))] for _ in range(count)]


def as_set(documents):
    return collections.Counter(json.dumps(document) for document in documents)


@pytest.mark.parametrize("dtype", ["u2", "i4"])
def test_documents_of_megatron_are_shuffled_and_cut(tmp_path, dtype):
    documents = random_documents(400, 1)
    write_megatron(tmp_path / "a", documents[:150], dtype)
    write_megatron(tmp_path / "b", documents[150:], dtype)
    inputs = [tmp_path / "a.idx", tmp_path / "b.idx"]
    sortie.sort_files(inputs, tmp_path / "same.bin")
    assert read_megatron(tmp_path / "same") == documents
    sortie.sort_files(inputs, tmp_path / "out.bin", shuffle="7")
    shuffled = read_megatron(tmp_path / "out")
    assert shuffled != documents and as_set(shuffled) == as_set(documents)
    sortie.sort_files(inputs, tmp_path / "part-{:03d}.bin", shuffle="7", split_records=90, manifest=tmp_path / "list.json")
    parts = [read_megatron(tmp_path / f"part-{number:03d}") for number in range(5)]
    assert [len(part) for part in parts] == [90, 90, 90, 90, 40]
    assert sum(parts, []) == shuffled
    listed = json.loads((tmp_path / "list.json").read_text())["parts"]
    assert [part["file_bytes"] for part in listed] == [(tmp_path / part["file"]).stat().st_size for part in listed]


def test_tokens_that_are_told_by_the_index_beside_them_are_a_guess(tmp_path):
    write_megatron(tmp_path / "a", [[[1, 2]], [[3]]], "u2")
    told = []
    report = sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", warn=told.append)
    assert read_megatron(tmp_path / "out") == [[[1, 2]], [[3]]]
    assert len(told) == 1 and "is taken for megatron by its name: beside it is" in told[0] and "--format=megatron" in told[0]
    assert [(assumption.kind, assumption.count) for assumption in report.assumptions] == [("format-by-name", 1)]
    (tmp_path / "out.bin").write_text("as it was")
    with pytest.raises(sortie.Error, match="would have to assume something: input '?.*a.bin'? is taken for megatron"):
        sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", strict=True)
    assert (tmp_path / "out.bin").read_text() == "as it was"
    for path, options in (("a.idx", {}), ("a.bin", {"format": "megatron"})):
        sortie.sort_files(tmp_path / path, tmp_path / "out.bin", strict=True, warn=told.append, **options)
    assert len(told) == 1


def test_a_token_file_is_named_by_either_of_its_files(tmp_path):
    write_megatron(tmp_path / "a", [[[1, 2]], [[3]]], "u2")
    sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", format="megatron")
    assert read_megatron(tmp_path / "out") == [[[1, 2]], [[3]]]


def test_equal_documents_go(tmp_path):
    documents = random_documents(300, 2, most=3)
    write_megatron(tmp_path / "a", documents, "u2")
    sortie.sort_files(tmp_path / "a.idx", tmp_path / "once.bin", by="content", unique=True, order="input")
    seen, expected = set(), []
    for document in documents:
        tokens = tuple(sum(document, []))
        if tokens not in seen:
            expected.append(document)
        seen.add(tokens)
    assert read_megatron(tmp_path / "once") == expected
    with pytest.raises(sortie.Error, match="give --by=content"):
        sortie.sort_files(tmp_path / "a.idx", tmp_path / "once.bin", unique=True)


def test_an_empty_token_file_stays_one(tmp_path):
    write_megatron(tmp_path / "a", [], "u2")
    sortie.sort_files(tmp_path / "a.idx", tmp_path / "out.bin")
    assert read_megatron(tmp_path / "out") == []


def test_rows_of_an_array_are_documents(tmp_path):
    rows = np.arange(3000, dtype="i4").reshape(1000, 3)
    np.save(tmp_path / "a.npy", rows[:400])
    np.save(tmp_path / "b.npy", rows[400:])
    inputs = [tmp_path / "a.npy", tmp_path / "b.npy"]
    sortie.sort_files(inputs, tmp_path / "out.npy", shuffle="7")
    out = np.load(tmp_path / "out.npy")
    assert out.dtype == rows.dtype and out.shape == rows.shape and not (out == rows).all()
    assert (out[out[:, 0].argsort()] == rows).all()
    sortie.sort_files(inputs, tmp_path / "first.npy", top=10)
    assert (np.load(tmp_path / "first.npy") == rows[:10]).all()
    sortie.sort_files(inputs, tmp_path / "part-{}.npy", split=3)
    parts = [np.load(tmp_path / f"part-{number}.npy") for number in range(3)]
    assert (np.concatenate(parts) == rows).all() and max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("dtype", ["u1", "<u2", "i4", "<i8"])
def test_arrays_are_mapped_by_numpy(tmp_path, dtype):
    rows = np.random.default_rng(5).integers(0, 100, (777, 9)).astype(dtype)
    np.save(tmp_path / "a.npy", rows)
    sortie.sort_files(tmp_path / "a.npy", tmp_path / "p-{:02d}.npy", shuffle="7", split_records=100, manifest=tmp_path / "m.json")
    listed = json.loads((tmp_path / "m.json").read_text())["parts"]
    parts = [np.load(tmp_path / part["file"], mmap_mode="r") for part in listed]
    assert all(isinstance(part, np.memmap) and part.dtype == rows.dtype and part.flags.c_contiguous for part in parts)
    # Whoever maps an array wants its elements aligned.
    assert all(part.offset % 64 == 0 for part in parts)
    assert [len(part) for part in parts] == [part["records"] for part in listed] == [100] * 7 + [77]
    assert sorted(np.concatenate(parts).tolist()) == sorted(rows.tolist())


def test_an_end_token_makes_documents_of_bare_tokens_and_flat_arrays(tmp_path):
    documents = [document[0] + [0] for document in random_documents(500, 3) if document]
    documents = [[token for token in document[:-1] if token != 0] + [0] for document in documents]
    tokens = np.array(sum(documents, []), dtype="u2")
    tokens.tofile(tmp_path / "a.bin")
    np.save(tmp_path / "a.npy", tokens)
    sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", format="tokens", token_type="u16", token_end=0, shuffle="7")
    out = np.fromfile(tmp_path / "out.bin", dtype="u2")
    ends = np.flatnonzero(out == 0) + 1
    shuffled = [part.tolist() for part in np.split(out, ends[:-1])]
    assert as_set(shuffled) == as_set(documents) and shuffled != documents
    sortie.sort_files(tmp_path / "a.npy", tmp_path / "out.npy", token_end=0, shuffle="7")
    assert (np.load(tmp_path / "out.npy") == out).all()


@pytest.mark.parametrize("dtype, end", [("i1", -1), ("i2", -32768), ("i4", -100), ("i8", -2 ** 63), ("u8", 2 ** 63 - 1)])
def test_an_end_token_is_any_number_that_the_type_holds(tmp_path, dtype, end):
    np.array([7, end, 5, 6, end], dtype=dtype).tofile(tmp_path / "a.bin")
    token_type = f"{dtype[0]}{8 * int(dtype[1])}"
    report = sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", format="tokens", token_type=token_type, token_end=end,
                               top=1)
    assert report.output_records == 1 and np.fromfile(tmp_path / "out.bin", dtype=dtype).tolist() == [7, end]
    with pytest.raises(sortie.Error, match="none that u16 holds"):
        sortie.sort_files(tmp_path / "a.bin", tmp_path / "out.bin", format="tokens", token_type="u16", token_end=-1)


def test_what_is_dropped_is_told_by_file_and_number(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1, 2], [3, 4], [1, 2]], dtype="u2"))
    np.save(tmp_path / "none.npy", np.zeros((0, 2), dtype="u2"))
    np.save(tmp_path / "b.npy", np.array([[5, 6], [3, 4]], dtype="u2"))
    inputs = [str(tmp_path / f"{name}.npy") for name in ("a", "none", "b")]
    sortie.sort_files(inputs, tmp_path / "out.npy", by="content", unique=True, dropped=tmp_path / "dropped.tsv")
    rows = [line.split("\t") for line in (tmp_path / "dropped.tsv").read_text().splitlines()]
    assert rows[0] == ["file", "record", "kept_file", "kept_record"]
    assert sorted(rows[1:]) == [[inputs[0], "3", inputs[0], "1"], [inputs[2], "2", inputs[0], "2"]]


def test_the_list_of_files_has_the_indexes_too(tmp_path):
    write_megatron(tmp_path / "a", random_documents(100, 4), "u2")
    sortie.sort_files(tmp_path / "a.idx", tmp_path / "p-{}.bin", shuffle="7", split_records=30, manifest=tmp_path / "m.json")
    parts = json.loads((tmp_path / "m.json").read_text())["parts"]
    assert [part["index"] for part in parts] == [f"p-{number}.idx" for number in range(4)]
    assert [part["index_bytes"] for part in parts] == [(tmp_path / part["index"]).stat().st_size for part in parts]
    assert len({part["index_checksum"] for part in parts}) == 4
    sortie.sort_files(tmp_path / "p-1.idx", tmp_path / "q-{}.bin", split_records=30, manifest=tmp_path / "n.json")
    again = json.loads((tmp_path / "n.json").read_text())["parts"][0]
    assert (again["file_checksum"], again["index_checksum"]) == (parts[1]["file_checksum"], parts[1]["index_checksum"])


def test_a_file_that_is_an_array_by_its_name_alone_says_how_it_is_read_otherwise(tmp_path):
    (tmp_path / "a.npy").write_text("b\na\n")
    with pytest.raises(sortie.Error, match="is taken for npy by its name: if it is something else, say what"):
        sortie.sort_files(tmp_path / "a.npy", tmp_path / "out.npy")
    sortie.sort_files(tmp_path / "a.npy", tmp_path / "out.npy", format="lines")
    assert (tmp_path / "out.npy").read_text() == "a\nb\n"


@pytest.mark.parametrize("name, options, message", [
    ("a.npy.gz", {"format": "npy"}, "it is packed by gzip, and tokens are read again when they are copied: unpack it first"),
    ("a.bin", {"format": "tokens", "token_end": 0}, "--token-type"),
    ("a.bin", {"format": "tokens", "token_type": "u16"}, "--token-end"),
    ("a.bin", {"format": "tokens", "token_type": "f4", "token_end": 0}, "tokens are u8"),
    ("a.bin", {"format": "tokens", "token_type": "u16", "token_end": 70000}, "none that u16 holds"),
    ("a.bin", {"format": "tokens", "token_type": "u16", "token_end": 0}, "no end token is behind the last document"),
    ("odd.bin", {"format": "tokens", "token_type": "u16", "token_end": 0}, "no whole tokens"),
    ("a.bin", {"format": "megatron"}, "a.idx"),
    ("a.npy", {"token_type": "u16"}, "for bare tokens"),
    ("a.npy", {}, "--token-end"),
    ("a.npy", {"token_end": 0, "by": "length"}, "by place or by content"),
])
def test_what_is_missing_or_wrong_is_told(tmp_path, name, options, message):
    np.array([1, 2, 3], dtype="u2").tofile(tmp_path / "a.bin")
    (tmp_path / "odd.bin").write_bytes(b"abc")
    np.save(tmp_path / "a.npy", np.array([1, 0], dtype="u2"))
    (tmp_path / "a.npy.gz").write_bytes(gzip.compress((tmp_path / "a.npy").read_bytes()))
    out = tmp_path / ("out" + (tmp_path / name).suffix)
    out.write_text("as it was")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_files(tmp_path / name, out, **options)
    assert out.read_text() == "as it was"


def test_inputs_have_tokens_of_one_type(tmp_path):
    np.save(tmp_path / "a.npy", np.ones((2, 3), "u2"))
    np.save(tmp_path / "b.npy", np.ones((2, 3), "u4"))
    np.save(tmp_path / "c.npy", np.ones((2, 4), "u2"))
    with pytest.raises(sortie.Error, match="its tokens are u32"):
        sortie.sort_files([tmp_path / "a.npy", tmp_path / "b.npy"], tmp_path / "out.npy")
    with pytest.raises(sortie.Error, match="rows are not as long"):
        sortie.sort_files([tmp_path / "a.npy", tmp_path / "c.npy"], tmp_path / "out.npy")

"""Normal forms of keys are what Python makes of the same text, and shares what the documented hash gives."""

import hashlib
import json
import random
import sys
import unicodedata

import pytest

import sortie

# White space of Unicode; str.split() takes the separators of ASCII for some, too.
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
ALPHABET = ["a", "B", " ", "  ", "\t", "!", "-", "$", "ß", "ẞ", "İ", "ﬁ", "Å", "A\u030a", "\u0345", "\u0301", "\u0323", "ｆｕｌｌ", "①", "한",
            "\u1112\u1161\u11ab", "中", "が", "か\u3099", "…", "«", "\u00a0", "\u3000", "Ω", "Σ", "ς", "ǅ", "é", "e\u0301", "👍🏽"]


def normal(text, parts):
    if "nfkc" in parts:
        text = unicodedata.normalize("NFKC", text)
    if "case" in parts:
        text = text.casefold()
        if "nfkc" in parts:
            text = unicodedata.normalize("NFKC", text)
    if "punct" in parts:
        text = "".join(letter for letter in text if not unicodedata.category(letter).startswith("P"))
    if "space" in parts:
        text = " ".join(filter(None, "".join("\n" if letter in SPACES else letter for letter in text).split("\n")))
    return text


@pytest.mark.parametrize("parts", ["nfkc", "case", "space", "punct", "case,nfkc", "case,space,nfkc,punct"])
def test_normal_forms_are_what_python_makes_of_the_text(tmp_path, parts):
    random.seed(20)
    texts = ["".join(random.choices(ALPHABET, k=random.randrange(6))) for _ in range(4000)]
    texts += ["x" + "\u0301" * 3000, "中" * 20000, "Ä" * 20000, "中\u0301" * 9000]
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    sortie.sort_files(path, out, format="jsonl", keys=f".text:normal({parts})", unique=True, order="input")
    first = {}
    for text in texts:
        first.setdefault(normal(text, parts), text)
    assert [json.loads(line)["text"] for line in out.read_text().splitlines()] == list(first.values())
    hashed = tmp_path / "hashed.jsonl"
    sortie.sort_files(path, hashed, format="jsonl", keys=f".text:normal({parts}):hash", unique=True, order="input")
    assert hashed.read_bytes() == out.read_bytes()


def write_texts(path, texts):
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))


@pytest.mark.parametrize("parts", ["nfkc", "case", "space", "punct", "case,nfkc", "case,space,nfkc,punct"])
def test_the_normal_form_of_every_character_is_that_of_python(tmp_path, parts):
    """Each character that Python's Unicode (14.0 in Python 3.11; utf8proc 2.8 has 15.0) assigns, alone and between letters, and what
    it becomes: of those that are equal the first is left."""
    assigned = [chr(point) for point in range(sys.maxunicode + 1)
                if unicodedata.category(chr(point)) not in ("Cn", "Cs", "Co")]
    assert len(assigned) > 144_000
    assigned += [chr(point) for first in (0xE000, 0xF0000, 0x100000) for point in range(first, first + 0xFFFE, 997)
                 if unicodedata.category(chr(point)) == "Co"]
    texts = [text for letter in assigned for text in (letter, f"a{letter}\u0301b", normal(letter, parts))]
    write_texts(tmp_path / "in.jsonl", texts)
    sortie.sort_files(tmp_path / "in.jsonl", tmp_path / "out.jsonl", format="jsonl", keys=f".text:normal({parts})", unique=True,
                      order="input")
    first = {}
    for text in texts:
        first.setdefault(normal(text, parts), text)
    found = [json.loads(line)["text"] for line in (tmp_path / "out.jsonl").open()]
    wrong = [[f"{ord(letter):04X}" for letter in text] for text in set(found) ^ set(first.values())]
    assert found == list(first.values()), wrong[:20]


@pytest.mark.parametrize("seed", range(3))
def test_normal_forms_of_random_strings_are_those_of_python(tmp_path, seed):
    """Marks of every class behind letters that combine, and characters of all scripts, so that marks change places."""
    choice = random.Random(seed)
    assigned = [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) not in ("Cn", "Cs", "Co")]
    marks = [letter for letter in assigned if unicodedata.combining(letter)]
    composed = [letter for letter in assigned if unicodedata.decomposition(letter)]
    kinds = [assigned, marks, composed, ALPHABET, list(SPACES), list("abcDEF.,-")]
    texts = ["".join(choice.choice(choice.choice(kinds)) for _ in range(choice.randrange(1, 12))) for _ in range(20_000)]
    texts = [text for text in texts for text in (text, unicodedata.normalize("NFD", text), text.upper())]
    write_texts(tmp_path / "in.jsonl", texts)
    for parts in ("nfkc", "case,space,nfkc,punct"):
        sortie.sort_files(tmp_path / "in.jsonl", tmp_path / "out.jsonl", format="jsonl", keys=f".text:normal({parts})",
                          unique=True, order="input")
        first = {}
        for text in texts:
            first.setdefault(normal(text, parts), text)
        assert [json.loads(line)["text"] for line in (tmp_path / "out.jsonl").open()] == list(first.values())


def test_shares_are_what_others_compute_of_the_normal_form(tmp_path):
    texts = [f"Text  {number}!" for number in range(500)]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    sortie.sort_files(path, tmp_path / "share-{}.jsonl", format="jsonl", keys=".text", split_by=".text:normal",
                      shares="a=0.333333333,b=0.5,c=0.166666667")
    found = {json.loads(line)["text"]: name for name in "abc"
             for line in (tmp_path / f"share-{name}.jsonl").read_text().splitlines()}
    for text in texts:
        digest = hashlib.md5(normal(text, "case,space,nfkc,punct").encode()).digest()
        place = int.from_bytes(digest[:8], "big") * 10 ** 9 >> 64
        assert found[text] == ("a" if place < 333333333 else "b" if place < 833333333 else "c")


def test_the_best_of_equal_records_and_the_dropped_ones(tmp_path):
    path, dropped = tmp_path / "in.csv", tmp_path / "dropped.tsv"
    path.write_text("k,n\na,1\na,5\nb,2\na,5\n")
    sortie.sort_files(path, tmp_path / "out.csv", format="csv", keys="k", unique=True, keep_best="max:n:n", dropped=dropped)
    assert (tmp_path / "out.csv").read_text() == "k,n\na,5\nb,2\n"
    assert [line.split("\t")[1::2] for line in dropped.read_text().splitlines()[1:]] == [["2", "3"], ["5", "3"]]
    with pytest.raises(sortie.ArgumentError, match="write max:KEY or min:KEY"):
        sortie.sort_files(path, path, format="csv", keys="k", unique=True, keep_best="n")


def test_parts_by_weight(tmp_path):
    path, names = tmp_path / "in.jsonl", tmp_path / "part-{}.jsonl"
    path.write_text("".join(json.dumps({"n": number, "t": number % 7}) + "\n" for number in range(3000)))
    sortie.sort_files(path, names, format="jsonl", keys=".n", weight=".t", split_weight=1000, manifest=tmp_path / "m.json")
    manifest = json.loads((tmp_path / "m.json").read_text())
    assert manifest["weight"] == sum(number % 7 for number in range(3000))
    read = []
    for part in manifest["parts"]:
        rows = [json.loads(line) for line in (tmp_path / part["file"]).read_text().splitlines()]
        assert part["weight"] == sum(row["t"] for row in rows) <= 1000
        read += [row["n"] for row in rows]
    assert read == list(range(3000)) and all(part["weight"] > 993 for part in manifest["parts"][:-1])

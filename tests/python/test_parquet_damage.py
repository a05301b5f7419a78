"""Damaged Parquet files: an error that names the file, or the right rows. Headers of pages and footers have no
checksum."""

import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402

# Sorts a file once for each of some bits that are flipped, and prints what is neither refused by name nor right.
FLIP_ALL = """
import pathlib, sys, pyarrow, sortie
from sortie.parquet.parquet_input import ParquetInput
path, damaged, begin, end, bits = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:])

def rows(path):
    file = ParquetInput(str(path))
    return [row for batch in file.batches(False) for row in batch.to_pylist()], file.schema.types

whole, right = path.read_bytes(), rows(path)
refused = 0
for place in range(begin, end):
    for bit in ((place * 5 % 8,) if bits == 1 else range(8)):
        data = bytearray(whole)
        data[place] ^= 1 << bit
        damaged.write_bytes(data)
        try:
            found = rows(damaged)
            # No other part of a file tells the same as an annotation of a type.
            if found != right and (found[1] == right[1] or len(found[0]) != len(right[0])):
                print("other rows:", place, bit)
        except sortie.Error as error:
            refused += 1
            if str(damaged) not in str(error):
                print("no name:", place, bit, error)
        except Exception as error:
            print(type(error).__name__, place, bit, error)
print("refused", refused > 0)
"""


def table(rows=60):
    r = random.Random(3)
    return pa.table({"k": [r.randrange(100) for _ in range(rows)],
                     "s": [r.choice(["a", "bb", None]) for _ in range(rows)], "l": [[i] * (i % 3) for i in range(rows)],
                     "d": pa.array([r.choice("xyz") for _ in range(rows)]).dictionary_encode()})


def flip(path, place, mask):
    data = bytearray(path.read_bytes())
    data[place] ^= mask
    path.write_bytes(data)


def footer_of(path):
    data = path.read_bytes()
    return len(data) - 8 - int.from_bytes(data[-8:-4], "little"), len(data)


def refusal(*arguments, **options):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(*arguments, **options)
    return str(caught.value)


def damaged_page_header(path):
    pq.write_table(table(200), path, write_page_checksum=True, store_schema=False, write_statistics=False,
                   row_group_size=70)
    flip(path, 226, 2)


def test_a_row_group_that_ends_early_is_refused_and_the_file_stays(tmp_path):
    path = tmp_path / "in.parquet"
    damaged_page_header(path)
    before = path.read_bytes()
    assert refusal(path, path, by="k") == (f"cannot read '{path}': it is damaged: row group 1 has 70 rows by the "
                                           "footer, and 0 can be read")
    assert path.read_bytes() == before


def test_a_damaged_header_of_a_page_is_no_end_of_the_rows(tmp_path, run_python):
    path = tmp_path / "in.parquet"
    pq.write_table(table(), path, write_page_checksum=True, store_schema=False, write_statistics=False,
                   row_group_size=40)
    done = run_python(FLIP_ALL, path, tmp_path / "damaged.parquet", "4", footer_of(path)[0], "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "refused True\n"


@pytest.mark.parametrize("columns", [["k"], ["k", "s", "l", "d"]])
def test_a_damaged_footer_is_an_error_and_no_end_of_the_process(tmp_path, run_python, columns):
    path = tmp_path / "in.parquet"
    pq.write_table(table(30).select(columns), path, row_group_size=20)
    done = run_python(FLIP_ALL, path, tmp_path / "damaged.parquet", *footer_of(path), "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "refused True\n"


def test_counts_of_levels_that_do_not_fit_are_refused(tmp_path, run_python):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"k": pa.array([3, None, 1])}), path)
    flip(path, 130, 2)
    program = "import sortie, sys\ntry: sortie.sort_parquet(sys.argv[1], sys.argv[1], by='k')\n" \
              "except sortie.Error as error: print(error)"
    done = run_python(program, path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"cannot read '{path}': its footer is damaged")


def test_rows_with_words_that_a_dictionary_does_not_have_are_refused(tmp_path, run_python):
    path = tmp_path / "in.parquet"
    # In this version of pages the header tells where levels end, and no checksum covers it.
    pq.write_table(table(20).select(["d"]), path, write_page_checksum=True, data_page_version="2.0", compression="none",
                   write_statistics=False)
    file = pq.ParquetFile(path)
    begin = file.metadata.row_group(0).column(0).dictionary_page_offset
    # Words of the dictionary by its header.
    done = run_python(FLIP_ALL, path, tmp_path / "damaged.parquet", begin, begin + 25, 8)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "refused True\n"

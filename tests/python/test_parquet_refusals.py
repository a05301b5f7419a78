"""What sort_parquet() cannot read or write is refused by name, and what only looks like it is written."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402


def refusal(*arguments, **options):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(*arguments, **options)
    return str(caught.value)


def write_encrypted(path, **options):
    """Keys are stored as they are, as nobody's secret is in a test."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption", reason="pyarrow was built without encryption")

    class PlainKeys(encryption.KmsClient):
        def __init__(self, _):
            super().__init__()

        def wrap_key(self, key, _):
            return key

    factory = encryption.CryptoFactory(PlainKeys)
    properties = factory.file_encryption_properties(
        encryption.KmsConnectionConfig(),
        encryption.EncryptionConfiguration(footer_key="k", double_wrapping=False, **options))
    with pq.ParquetWriter(path, pa.schema({"a": "int64", "b": "int64"}), encryption_properties=properties) as writer:
        writer.write_table(pa.table({"a": [1, 2], "b": [2, 1]}))


def test_encrypted_columns_of_a_file_with_a_plain_footer_are_refused(tmp_path, run_python):
    write_encrypted(tmp_path / "in.parquet", plaintext_footer=True, column_keys={"k": ["a"]})
    program = """
import sortie, sys
try:
    sortie.sort_parquet(sys.argv[1], sys.argv[2], by="b")
except sortie.Error as error:
    print(error)
"""
    # It would end the process.
    done = run_python(program, tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (f"column 'a' of '{tmp_path / 'in.parquet'}' is encrypted, and no key can be given: write "
                           "the file without encryption\n")


@pytest.mark.parametrize("options", [{"column_keys": {"k": ["a"]}}, {"uniform_encryption": True}])
def test_a_file_with_an_encrypted_footer_is_refused(tmp_path, options):
    write_encrypted(tmp_path / "in.parquet", **options)
    told = refusal(tmp_path / "in.parquet", tmp_path / "out.parquet", by="b")
    assert told.startswith(f"cannot read '{tmp_path / 'in.parquet'}': ")

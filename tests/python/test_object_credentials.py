"""Credentials of object stores: where they come from, and that they are in nothing that is told."""

import importlib.util
import io
import os
import pickle
import subprocess
import sys

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402
from sortie.objects import profiles, store, store_errors  # noqa: E402

needs_obstore = pytest.mark.skipif(importlib.util.find_spec("obstore") is None, reason="obstore is not installed")
SECRETS = ("AKIATHEKEY", "thesecretofthekey", "TOPSECRET")


@needs_obstore
def test_credentials_are_in_no_message_report_or_trace(s3, tmp_path):
    file = io.BytesIO()
    pq.write_table(pa.table({"key": range(1000)}), file)
    s3.objects["bucket/in.parquet"] = file.getvalue()
    signed = f"{s3.url}/bucket/in.parquet?X-Amz-Credential=AKIATHEKEY&X-Amz-Signature=TOPSECRET#TOPSECRET"
    report = sortie.sort_parquet(signed, tmp_path / "out.parquet", by="key", stats_json=tmp_path / "stats",
                                 trace=tmp_path / "trace", report=tmp_path / "report.html")
    assert report.output_records == 1000
    assert any("X-Amz-Signature=TOPSECRET" in path for _, path, _ in s3.asked)
    told = [str(report), repr(report), report.to_json()]
    told += [path.read_text() for path in tmp_path.iterdir() if path.suffix != ".parquet"]
    for kind in ("refused", "missing", "unavailable"):
        s3.faults.clear()
        s3.fail("head", kind, times=30)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(sortie.Error) as error:
            patch.setattr(store, "RETRIES", {**store.RETRIES, "max_retries": 0})
            sortie.sort_parquet(signed, tmp_path / "out.parquet", by="key")
        assert f"'{s3.url}/bucket/in.parquet'" in str(error.value)
        told += [str(error.value), repr(error.value), repr(error.value.__context__)]
        told.append(repr(pickle.loads(pickle.dumps(error.value))))
    for url in ("s3://AKIATHEKEY:thesecretofthekey@bucket/in.parquet", "https://user:TOPSECRET@server/in.parquet"):
        for arguments in ((url, tmp_path / "out.parquet"), (tmp_path / "out.parquet", url)):
            with pytest.raises(sortie.ArgumentError,
                               match="has a name or a password in front of '@': leave them out") as error:
                sortie.sort_parquet(*arguments, by="key")
            told.append(str(error.value))
    assert not any(secret in text for text in told for secret in SECRETS)
    assert "TOPSECRET" not in repr(pickle.dumps(store.ObjectName(signed)))


def test_without_obstore_the_remedy_is_told(run_python, tmp_path):
    program = ("import sys; sys.modules['obstore'] = None; import sortie\n"
               "try: sortie.sort_parquet('s3://bucket/in.csv', 'out.csv', by='key')\n"
               "except sortie.MissingModuleError as error: print(error)")
    done = run_python(program, cwd=tmp_path)
    told = "objects on stores need obstore, which is not installed: pip install 'sortie-sort[objects]'\n"
    assert done.stdout == told, done.stderr


def test_profiles_of_aws_give_keys_where_the_environment_has_none(monkeypatch, tmp_path):
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    assert profiles.s3_options() == {}
    (tmp_path / "config").write_text("[default]\nregion = eu-west-1\n[profile other]\nregion=eu-north-1\n"
                                     "endpoint_url=http://here\n[profile sso]\nsso_session = x\n")
    (tmp_path / "credentials").write_text("[other]\naws_access_key_id = KEY\naws_secret_access_key = SECRET%\n")
    assert profiles.s3_options() == {"region": "eu-west-1"}
    monkeypatch.setenv("AWS_PROFILE", "other")
    keys = {"access_key_id": "KEY", "secret_access_key": "SECRET%", "region": "eu-north-1", "endpoint": "http://here"}
    assert profiles.s3_options() == keys
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://there")
    assert profiles.s3_options() == {name: value for name, value in keys.items() if name != "endpoint"}
    monkeypatch.setenv("AWS_PROFILE", "none")
    with pytest.raises(sortie.Error, match=r"^there is no profile 'none' \(AWS_PROFILE\) in "):
        profiles.s3_options()
    monkeypatch.setenv("AWS_PROFILE", "sso")
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(sortie.Error, match="^the profile 'sso' has no keys of its own .* pip install boto3$"):
        profiles.s3_options()
    (tmp_path / "config").write_text("no section\n")
    with pytest.raises(sortie.Error, match="it is not as such files are$"):
        profiles.s3_options()
    (tmp_path / "config").write_text("[profile other]\nregion=eu-north-1\n")
    monkeypatch.setenv("AWS_PROFILE", "other")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATHEKEY")
    assert profiles.s3_options() == {"region": "eu-north-1"}


@pytest.mark.parametrize("url, plain", [("https://user:SECRET@host/x", "https://host/x"),
                                        ("HTTPS://h/x?sig=SECRET", "https://h/x"), ("s3://key:SEC/RET@b/k", "s3://b/k"),
                                        ("https://user:SEC/RET@host/x", "https://host/x")])
def test_no_part_of_a_password_is_shown_by_the_package_or_the_command(url, plain):
    assert store.shown(url) == plain
    command = os.path.join(os.path.dirname(sortie.__file__), "sortie-command")
    done = subprocess.run([command, url], capture_output=True, text=True)
    assert done.returncode == 2 and "SEC" not in done.stderr and plain in done.stderr


def test_what_the_library_says_in_other_words_is_not_shown():
    assert "SECRET" not in str(store_errors.plain_error(store.ObjectName("s3://b/k"), "read",
                                                        ValueError("AWS4-HMAC token=SECRET")))

"""Profiles of AWS: obstore takes credentials from the environment, files of tokens, and the metadata of a machine or a
container, but not from ~/.aws. Keys that a profile holds are read here; other profiles, such as those of SSO, by
boto3."""

from __future__ import annotations

import configparser
import importlib
import os
from typing import Any

from .._errors import Error, file_error_of

_KEYS = {"aws_access_key_id": "access_key_id", "aws_secret_access_key": "secret_access_key",
         "aws_session_token": "session_token", "region": "region", "endpoint_url": "endpoint"}
_ENVIRONMENT = {"region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
                "endpoint": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")}


def s3_options() -> dict[str, Any]:
    """What the profile adds to the environment, which counts more. Nothing if there is no profile."""
    has_keys = bool(os.environ.get("AWS_ACCESS_KEY_ID") or os.environ.get("AWS_SKIP_SIGNATURE"))
    named = os.environ.get("AWS_PROFILE")
    told = _profile(named or "default")
    if told is None:
        if named:
            raise Error(f"there is no profile '{named}' (AWS_PROFILE) in {_path('config')} and {_path('credentials')}")
        return {}
    options = {ours: told[theirs] for theirs, ours in _KEYS.items()
               if theirs in told and not any(os.environ.get(name) for name in _ENVIRONMENT.get(ours, ()))}
    if has_keys:
        return {name: value for name, value in options.items() if name in _ENVIRONMENT}
    if "access_key_id" in options or not (named or set(told) - {"region", "endpoint_url", "output"}):
        return options
    return {**options, "credential_provider": _by_boto3(named or "default")}


def _profile(name: str) -> dict[str, str] | None:
    found: dict[str, str] | None = None
    for kind in ("config", "credentials"):
        parser = configparser.RawConfigParser(strict=False)
        try:
            with open(_path(kind), encoding="utf-8") as file:
                parser.read_file(file)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise file_error_of(error, f"cannot read the profiles in '{_path(kind)}'", _path(kind)) from None
        except (configparser.Error, UnicodeDecodeError):
            raise Error(f"cannot read the profiles in '{_path(kind)}': it is not as such files are") from None
        section = name if kind == "credentials" or name == "default" else f"profile {name}"
        if parser.has_section(section):
            found = {**(found or {}), **dict(parser.items(section))}
    return found


def _path(kind: str) -> str:
    names = {"config": "AWS_CONFIG_FILE", "credentials": "AWS_SHARED_CREDENTIALS_FILE"}
    return os.environ.get(names[kind]) or os.path.expanduser(f"~/.aws/{kind}")


def _by_boto3(name: str) -> Any:
    try:
        session = importlib.import_module("boto3").Session(profile_name=name)
        return importlib.import_module("obstore.auth.boto3").Boto3CredentialProvider(session)
    except ImportError:
        raise Error(f"the profile '{name}' has no keys of its own (aws_access_key_id), and boto3, which finds others, "
                    "is not installed: pip install boto3") from None

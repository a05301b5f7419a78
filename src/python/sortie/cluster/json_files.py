"""State as small JSON files that are whole or not there: written under a name of their own, then renamed."""

import json
import os
import secrets
from typing import Any


def attempt_name() -> str:
    """A name that no other attempt has, on whatever machine."""
    return f"attempt-{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"


def write_json(path: str, value: Any) -> None:
    write_text(path, json.dumps(value, separators=(",", ":")) + "\n")


def write_text(path: str, text: str) -> None:
    temporary = f"{path}.{attempt_name()}"
    try:
        with open(temporary, "x", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        remove_file(temporary)
        raise


def read_json(path: str) -> Any:
    """None if there is no such file, or it holds no JSON."""
    try:
        with open(path, encoding="ascii") as file:
            return json.load(file)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):
        return None


def remove_file(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass

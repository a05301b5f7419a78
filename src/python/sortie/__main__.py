"""python -m sortie ARGS runs the command; python -m sortie --version says what this build can do."""

import os
import platform
import signal
import sys
import sysconfig

from . import Error, _native, plan_files


def find_command() -> str:
    """The command of this package: beside its files in a build tree, among the scripts otherwise."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))]
    # pip install --target has no folder of scripts but one beside the packages.
    folders.append(os.path.join(os.path.dirname(here), "bin"))
    for path in [os.path.join(here, "sortie-command"), *(os.path.join(folder, "sortie") for folder in folders)]:
        if os.access(path, os.X_OK):
            return path
    raise Error("the command 'sortie' is not installed beside the package; install the package again")


def _gpu() -> str:
    """Whether sorts can take a GPU, and if not, why."""
    try:
        plan_files(os.devnull, engine="gpu")
    except Error as error:
        return f"no ({error})"
    return "yes"


def _print_version() -> None:
    print(f"sortie {_native.version}, Python {platform.python_version()}")
    gpu = _gpu()
    print(f"engine      {'gpu, cpu' if gpu == 'yes' else 'cpu'}")
    print(f"GPU module  {'there' if _native.has_gpu_module() else 'not there'}")
    print(f"GPU         {gpu}")
    print(f"build       {_native.build}")


def main() -> None:
    # Python ignores it, and so would the command: whoever reads no further ends both as usual.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.argv[1:] == ["--version"]:
        _print_version()
        return
    try:
        path = find_command()
    except Error as error:
        raise SystemExit(f"sortie: {error}") from None
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()

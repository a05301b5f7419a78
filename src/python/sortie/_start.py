"""Ctrl-C while the modules of a command are loaded, before the command can handle it."""

import os
import signal
import sys

_MODULES = ("sortie", "sortie.cluster")
_SCRIPTS = ("sortie-cluster", "sortie-parquet")


def let_ctrl_c_end_commands() -> None:
    """In a process that is about to run a command of the package: it ends without a traceback. Programs that import the
    package keep what they have."""
    is_module = sys.argv[:1] == ["-m"] and _module_name() in _MODULES
    is_script = os.path.basename(sys.argv[0] if sys.argv else "") in _SCRIPTS
    if (is_module or is_script) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        except ValueError:
            pass  # of another thread than the first


def handle_ctrl_c() -> None:
    """From here on it is a KeyboardInterrupt again, unless it is ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _module_name() -> str:
    """What stands behind -m, while Python looks for it."""
    words = sys.orig_argv
    for at, word in enumerate(words):
        if word == "-m":
            return "".join(words[at + 1:at + 2])
        if word.startswith("-m"):
            return word[2:]
    return ""

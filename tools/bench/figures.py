"""How the programs of tools/bench write figures, large and tiny ones."""


def seconds(value):
    """"12.35", "0.0123": hundredths, or three digits of what is shorter than a second."""
    return f"{value:.2f}" if value >= 0.9995 else f"{value:.3g}"


def size(size_bytes):
    """"1.5 GB", "800 KB", in units of 1000."""
    for unit, unit_bytes in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size_bytes >= unit_bytes:
            return f"{size_bytes / unit_bytes:.3g} {unit}"
    return f"{size_bytes} bytes"


def count(number, what):
    """"1 thread", "2 threads"."""
    return f"{number} {what}{'' if number == 1 else 's'}"

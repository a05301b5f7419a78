"""What `sortie-cluster --help` and its manual page say, and the options that are the cluster's own."""

from .._command_help import CommandHelp, Option, OptionGroup, in_columns

HELP = CommandHelp(
    name="sortie-cluster",
    purpose="sort files that are too large for one machine",
    forms=("sort --job=DIR -o OUT [OPTION]... FILE...", "status --job=DIR", "plan -o OUT [OPTION]... FILE...",
           "simulate --nodes=N --data=SIZE --disk=READ,WRITE --network=SPEED [OPTION]..."),
    description="Sorts files that are too large for one machine by many commands sortie, in shards and then in ranges of "
    "the order. The output is that of one sortie, byte for byte. The options of the sort are those of sortie. Inputs "
    "that are packed, CSV, length-prefixed or of entries are not divided. Small inputs that follow each other are one "
    "shard. Shards of Parquet files are whole row groups. Times without a year need --year.",
    exit_status="0 if the output is complete, 2 after an error, which leaves the output as it was.",
    environment="LC_ALL, LC_COLLATE, LC_CTYPE, LC_NUMERIC, LC_TIME, LANG: the locale, on all machines.",
    files="The job directory holds the runs and all that is known of the job, as small files of JSON.",
    examples=(
        ("sortie-cluster sort --engine=ray --job=/shared/night --shard=50G -k3,3n -o /shared/out /shared/in/*",
         "as tasks of the cluster of Ray that this machine belongs to"),
        ("sortie-cluster status --job=/shared/night", "how far it is"),
        ("sortie-cluster plan --nodes=8 --disk=4G,2G -o /shared/out /shared/in/*",
         "shards, ranges, scratch space and seconds of such a job"),
    ),
    references=("sortie", "sortie-inspect", "sortie-parquet"),
)

OF_JOBS = OptionGroup("", (
    Option(("--job",), "DIR", "keeps all that the job knows, on a disk that every machine sees; given the same command "
           "again, a job that was ended goes on"),
    Option(("-o",), "OUT", "one file, or parts with a manifest: 'out/part-{:05d}'"),
    Option(("--engine",), "ENGINE", "local (default): processes on this machine; ray: tasks of Ray; slurm: array jobs "
           "of Slurm, with -S; auto, cpu or gpu: for each command"),
    Option(("--address",), "ADDRESS", "of Ray (default: auto, the cluster that this machine belongs to)"),
    Option(("--workers",), "N", "commands that run at once (default: CPUs by --parallel)"),
    Option(("-S",), "SIZE", "memory of each command (default: three quarters of what is available, divided)"),
    Option(("--parallel",), "N", "threads of each command (default: 1; with Ray, as many as the smallest node has CPUs)"),
    Option(("--shard",), "SIZE", "what one command forms runs of, 50G at most by default"),
    Option(("--ranges",), "N", "ranges that are merged, each by a command (default: as many as inputs fill shards)"),
    Option(("--scratch",), "node:DIR", "keep runs on a disk of the node that forms them, in DIR there (default: in the job "
           "directory)"),
    Option(("--attempts",), "N", "how often a task may fail (default: 3)"),
    Option(("--command",), "FILE", "the command sortie on all machines (default: that of the package)"),
    Option(("--files0-from",), "F", "read the names of inputs from F, each ended by NUL"),
    Option(("--progress",), "WHEN", "auto (default: on a terminal), always or never"),
    Option(("--trace",), "FILE", "write a timeline to FILE, with a track for every node"),
    Option(("--quiet",), "", "print no report in the end"),
    Option(("--help",), "", "show this text"),
))

OF_TABLES = OptionGroup("For Parquet files, whose rows become one Parquet file or parts, 'out/part-{:05d}.parquet', as "
                        "sortie-parquet has it", (
    Option(("--key",), "COLUMN[:asc|:desc][:nulls-first|:nulls-last]", "a column to sort by; the first counts most"),
    Option(("--nulls",), "WHERE", "where nulls of other keys come: first or last (default)"),
    Option(("--row-group-rows",), "N", "rows of a row group of the output"),
    Option(("--compression",), "NAME", "of the output"),
    Option(("-u",), "", "keep the first of rows with equal keys only"),
    Option(("--top",), "N", "keep the first N rows only"),
))

OF_PLANS = OptionGroup("For plan", (
    Option(("--nodes",), "N", "machines (default: 1)"),
    Option(("--disk",), "READ,WRITE", "speed of the disks of one, such as 4G,2G, in bytes a second (default: 2G,1G)"),
    Option(("--network",), "SPEED", "of the network between files and machines, if it is slower"),
))

OPTIONS = (OF_JOBS, OF_TABLES, OF_PLANS)

# Named above for what they do to a job; they are the sort's, too, and parse_words() gives them to whom they belong.
_SHARED = ("engine", "parallel", "files0-from", "key", "top")


def own_options(*groups: OptionGroup) -> dict[str, str]:
    """Names of the options that are not the sort's: "=" if one takes a value."""
    names = ((option.names[0], option.value) for group in groups for option in group.options)
    return {name[2:]: "=" if value else "" for name, value in names
            if name.startswith("--") and name[2:] not in _SHARED}


def help_text() -> str:
    options = in_columns(OPTIONS, 21)
    return f"{HELP.usage}\n{HELP.introduction}\n\n{options}\n\n{HELP.epilog}\n"

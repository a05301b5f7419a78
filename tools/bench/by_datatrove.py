"""Drops documents whose text another one has, by datatrove's steps for exact duplicates: signatures, a search for equal ones, a
filter. Called by training, with a Python that has datatrove:

    by_datatrove.py FOLDER_OF_PARTS OUT_FOLDER SCRATCH_FOLDER PROCESSES

A task takes whole files, so that the documents lie in as many parts as there are processes.
"""
import sys

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup.exact_dedup import ExactDedupConfig, ExactDedupFilter, ExactDedupSignature, ExactFindDedups
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig


def text_of(document: Document) -> bytes:
    return document.text.encode()


def main():
    parts, out, scratch, count = sys.argv[1:4] + [int(sys.argv[4])]
    config = ExactDedupConfig(content_getter=text_of, hash_config=HashConfig(precision=64, hash_fc="xxhash"))
    steps = [
        [JsonlReader(parts, compression=None), ExactDedupSignature(f"{scratch}/signatures", config, finder_workers=count)],
        [ExactFindDedups(f"{scratch}/signatures", f"{scratch}/found", config)],
        [JsonlReader(parts, compression=None), ExactDedupFilter(f"{scratch}/found", config), JsonlWriter(out, compression=None)],
    ]
    for number, step in enumerate(steps):
        # The seconds of processes that are forked count as ours.
        LocalPipelineExecutor(step, tasks=count, workers=count, logging_dir=f"{scratch}/logs{number}", start_method="fork").run()


if __name__ == "__main__":
    main()

"""Sorts of 100 TB that others have published, and what the model says of Sortie on machines like theirs.

Exoshuffle-CloudSort: arXiv:2301.03734, 40 i4i.4xlarge, input and output on S3, 5378 s. The machine has 16 virtual
cores, 128 GiB, a network of up to 25 Gbit/s and one NVMe drive, which reads 3.09 GB/s and writes 2.29 (measured for
github.com/scylladb/scylla-machine-image). They read partitions of 2 GB and wrote some of 4 GB
(github.com/exoshuffle/cloudsort).

Tencent Sort: sortbenchmark.org/tencentsort2016.pdf, 512 nodes with 20 POWER8 cores, 512 GB, NVMe and 100 Gbit/s; 98.8 s
("Indy"). A node's 195 GB fit in its memory. How fast its drives are is assumed here.
"""

from typing import NamedTuple

from ._simulation_setup import Setup

_GB, _GBIT = 1e9, 1e9 / 8


class Published(NamedTuple):
    name: str
    seconds: float
    setup: Setup
    remark: str


PUBLISHED = (
    Published("Exoshuffle-CloudSort 2022, 40 nodes", 5378.0, Setup(
        nodes=40, data_bytes=10**14, shard_bytes=50 * 10**9, disk_read=3.09 * _GB, disk_write=2.29 * _GB,
        network=25 * _GBIT, cores=16, memory_bytes=128 << 30, files="shared"),
        "input and output on S3, assumed to be as fast as the nodes' networks"),
    Published("Tencent Sort 2016, 512 nodes", 98.8, Setup(
        nodes=512, data_bytes=10**14, shard_bytes=10**14 // 2048 + 1, disk_read=12 * _GB, disk_write=6 * _GB,
        network=100 * _GBIT, cores=20, memory_bytes=256 << 30, scratch="memory"),
        "disks assumed to do 12 and 6 GB/s a node; runs in memory"),
)

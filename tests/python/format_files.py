"""Files of formats for tests: BAM and BCF in blocks of BGZF that end anywhere, archives of samples, tokens."""

import io
import random
import struct
import tarfile
import zlib

REFERENCES = (("chr1", 5000), ("chr2", 3000), ("chrM", 400))

_QUALITIES = bytes(byte % 40 for byte in range(256))


def bgzf(contents, block_bytes):
    """Blocks of so many bytes, which records know nothing of, and the empty one at the end."""
    packed = bytearray()
    for begin in (*range(0, len(contents), block_bytes), len(contents)):
        piece = contents[begin:begin + block_bytes]
        pack = zlib.compressobj(1, zlib.DEFLATED, -15)
        data = pack.compress(piece) + pack.flush()
        packed += b"\x1f\x8b\x08\x04" + bytes(5) + b"\xff\x06\0BC\x02\0" + struct.pack("<H", len(data) + 25) + data
        packed += struct.pack("<II", zlib.crc32(piece), len(piece))
    return bytes(packed)


def _read(name, numbers):
    reference = numbers.randrange(-1, len(REFERENCES))
    position = -1 if reference < 0 else numbers.randrange(300)
    bases = numbers.randrange(1, 200)
    flag = 4 if reference < 0 else numbers.choice([0, 16])
    tags = b"NMC" + bytes([numbers.randrange(100)]) + b"XTZ" + b"abcabcab"[:numbers.randrange(9)] + b"\0"
    body = struct.pack("<iiBBHHHiiii", reference, position, len(name) + 1, 60, 0, 0, flag, bases, -1, -1, 0)
    body += name + b"\0" + numbers.randbytes((bases + 1) // 2) + numbers.randbytes(bases).translate(_QUALITIES) + tags
    return struct.pack("<I", len(body)) + body


def write_bam(path, reads, seed, block_bytes=1500, references=REFERENCES):
    """Reads at few places, so that many are equal."""
    numbers = random.Random(seed)
    text = b"@HD\tVN:1.6\n" + b"".join(b"@SQ\tSN:%s\tLN:%d\n" % (name.encode(), length) for name, length in references)
    contents = b"BAM\1" + struct.pack("<I", len(text)) + text + struct.pack("<I", len(references))
    for name, length in references:
        contents += struct.pack("<I", len(name) + 1) + name.encode() + b"\0" + struct.pack("<I", length)
    contents += b"".join(_read(b"%d.read%d" % (seed, number), numbers) for number in range(reads))
    path.write_bytes(bgzf(contents, block_bytes))
    return path


def write_bcf(path, variants, seed, block_bytes=1500):
    numbers = random.Random(seed)
    contigs = b"".join(b"##contig=<ID=%s,length=%d>\n" % (name.encode(), length) for name, length in REFERENCES)
    text = b"##fileformat=VCFv4.2\n" + contigs + b"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n\0"
    contents = b"BCF\2\2" + struct.pack("<I", len(text)) + text
    for _ in range(variants):
        body = struct.pack("<3if2I", numbers.randrange(len(REFERENCES)), numbers.randrange(300), 1, 30, 2 << 16, 0)
        body += b"\x07\x17A\x17" + numbers.choice([b"C", b"G", b"T"]) + b"\0"
        contents += struct.pack("<2I", len(body), 0) + body
    path.write_bytes(bgzf(contents, block_bytes))
    return path


def write_tar(path, samples, seed, mode="w"):
    """Samples of two files each; every third one has the contents of another."""
    numbers = random.Random(seed)
    with tarfile.open(path, mode) as archive:
        for number in numbers.sample(range(samples), samples):
            value = numbers.randrange(samples // 3 + 1)
            for suffix, data in (("txt", b"text %d" % value), ("bin", bytes([value % 251]) * (value % 900))):
                entry = tarfile.TarInfo(f"{seed}/{number:05}.{suffix}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    return path


def write_tokens(path, documents, seed):
    """Numbers of 16 bits, of which 0 ends a document."""
    numbers = random.Random(seed)
    tokens = [token for _ in range(documents) for token in (*numbers.choices(range(1, 60), k=numbers.randrange(40)), 0)]
    path.write_bytes(struct.pack(f"<{len(tokens)}H", *tokens))
    return path

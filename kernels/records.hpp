// What the pipeline needs around the sort: it counts and finds the lines of a piece, reads the prefixes of records,
// gathers records in sorted order, and cuts what was gathered into parts of whole lines.
//
// Nothing synchronises or allocates. Inputs and outputs must not overlap. Pointers are to device memory; scratch is
// aligned to 256 bytes. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// Sets out.prefixes[i] and out.indices[i], i < count, to the prefix and the number of record first_record + i. To
/// append to earlier pieces, pass pointers to where the piece's pairs begin. first_record + count <= 2^32.
void extract_prefixes(const RecordKeys& keys, std::uint64_t first_record, std::uint64_t count, const PrefixPairs& out,
                      cudaStream_t stream);

/// Reads any one word of the keys: words[i] becomes word `word_index` of the key of record indices[i].
void extract_words(const RecordKeys& keys, const std::uint32_t* indices, std::uint64_t count, std::uint64_t word_index,
                   std::uint64_t* words, cudaStream_t stream);

/// Copies record indices[i] to out + i * record_bytes, i < count. `indices` may point into the middle of a sorted
/// array, so that output is gathered piece by piece. Reads whole units of 16 bytes, which may begin before a record
/// and end behind it; with `record_count`, the number of all records, it reads nothing behind the last one.
void gather_fixed(const std::byte* records, std::uint64_t record_bytes, const std::uint32_t* indices,
                  std::uint64_t count, std::byte* out, cudaStream_t stream);
void gather_fixed(const std::byte* records, std::uint64_t record_bytes, std::uint64_t record_count,
                  const std::uint32_t* indices, std::uint64_t count, std::byte* out, cudaStream_t stream);

/// Scratch for gather_offsets(): about 8 bytes per 2048 lines.
std::uint64_t gather_offsets_scratch_bytes(std::uint64_t count);

/// Sets out_offsets[0..count] to where line indices[i] begins in the gathered output, counted from 0, delimiters
/// included; out_offsets[count] is the output's size. This is an exclusive scan of the lengths.
void gather_offsets(const std::uint64_t* offsets, const std::uint32_t* indices, std::uint64_t count,
                    std::uint64_t* out_offsets, void* scratch, cudaStream_t stream);

/// Copies bytes [begin, end) of the gathered output of lines indices[0..count) to out[0 .. end - begin). The output is
/// gathered a piece at a time; a piece may begin and end within a line. `out_offsets` come from gather_offsets().
/// `records` and `out` are aligned to 16 bytes; records may be read up to the next multiple of 16 bytes. Needs end <=
/// out_offsets[count].
void gather_lines(const std::byte* records, const std::uint64_t* offsets, const std::uint32_t* indices,
                  std::uint64_t count, const std::uint64_t* out_offsets, std::uint64_t begin, std::uint64_t end,
                  std::byte* out, cudaStream_t stream);

/// Sets counts[i], i < list_count, to how many delimiters bytes [bounds[i], bounds[i + 1]) hold. `bounds` ascend;
/// `bytes` are aligned to 16 bytes.
void count_lines(const std::byte* bytes, char delimiter, const std::uint64_t* bounds, std::uint32_t list_count,
                 std::uint64_t* counts, cudaStream_t stream);

/// Scratch for scan_lines(): about 8 bytes per 32 KiB of lines.
std::uint64_t scan_lines_scratch_bytes(std::uint64_t byte_count);

/// Finds the n lines of `bytes`, which end with a delimiter: offsets[0] = base, offsets[i + 1] = base + the end of
/// line i, its delimiter included, for n + 1 offsets in all. The caller knows n. To append to earlier pieces of a
/// chunk, pass as `base` where `bytes` begin in the chunk, and as `offsets` a pointer to the last offset written so
/// far, which has that value already. `bytes` need no alignment.
void scan_lines(const std::byte* bytes, std::uint64_t byte_count, char delimiter, std::uint64_t base,
                std::uint64_t* offsets, void* scratch, cudaStream_t stream);

/// The first line that begins at or after a position of the gathered output, or the output's end: where it can be cut
/// into parts. The search runs on the device, so that the host need not read the offset of every line.
struct LineCut {
  std::uint64_t byte = 0;           ///< where the line begins
  std::uint64_t previous_byte = 0;  ///< where the line before it begins; 0 if there is none
};

/// Sets cuts[k], k < cut_count, to the cut for position min(k * stride_bytes, size of the output). `out_offsets` has
/// count + 1 entries, as gather_offsets() writes them. O(log count) per cut. Takes device pointers.
/// Does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void find_line_cuts(const std::uint64_t* out_offsets, std::uint64_t count, std::uint64_t stride_bytes,
                    std::uint64_t cut_count, LineCut* cuts, cudaStream_t stream);

}  // namespace sortie::kernels

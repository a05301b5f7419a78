// The order-independent checksum of records that lie in device memory. It is the sum modulo 2^128 that
// base/checksum.hpp makes on the host, so that records on the device can be compared with those that were read.
//
// Does not synchronise or allocate. Pointers are to device memory, records and numbers aligned to 16 bytes. The
// functions add to `sum`, which is in device memory, so that pieces may follow one another; the caller clears it
// first. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/report.hpp>

namespace sortie::kernels {

/// Adds hash_record() of every fixed-length record. Records may be read up to the next multiple of 4 bytes. Records
/// longer than 384 bytes (or less, where blocks have little shared memory) are not staged: one thread reads each of
/// them in place, which is slower.
void add_record_checksum(const std::byte* records, std::uint64_t record_bytes, std::uint64_t count, Checksum* sum,
                         cudaStream_t stream);

/// Adds hash_record() of every line, its delimiter included. Line i is the bytes [offsets[i], offsets[i + 1]) of
/// `records`. `byte_count` is the length of all lines; their mean length decides how the work is divided. Tiles of
/// much longer lines are read in place. `records` may be read up to the next multiple of 4 bytes.
void add_line_checksum(const std::byte* records, std::uint64_t byte_count, const std::uint64_t* offsets,
                       std::uint64_t count, Checksum* sum, cudaStream_t stream);

/// Adds checksum_numbers() of 4-byte or 8-byte numbers.
void add_number_checksum(const std::uint32_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream);
void add_number_checksum(const std::uint64_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream);

}  // namespace sortie::kernels

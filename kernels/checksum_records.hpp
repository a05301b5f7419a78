// The order-independent checksum of records that lie in device memory: the sum modulo 2^128 that
// base/checksum.hpp makes on the host, so that what is on the device can be compared with what was read.
//
// Does not synchronise or allocate. Pointers are to device memory, records and numbers aligned to 16 bytes.
// `sum`, in device memory, is added to, so that pieces may follow one another: the caller clears it first.
// Throws sortie::Error if a launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/report.hpp>

namespace sortie::kernels {

/// The sum of hash_record() over fixed records. Records may be read up to the next multiple of 4 bytes.
/// Longer ones than 384 bytes (less, where blocks have little shared memory) are read where they lie, by one thread
/// each, and so not as fast.
void add_record_checksum(const std::byte* records, std::uint64_t record_bytes, std::uint64_t count, Checksum* sum,
                         cudaStream_t stream);

/// The same over lines, delimiters included: line i is the bytes [offsets[i], offsets[i + 1]) of `records`.
/// `byte_count`: of all lines; how the work is divided follows from their mean length. Where lines are much
/// longer than that, they are read where they lie. May be read up to the next multiple of 4 bytes.
void add_line_checksum(const std::byte* records, std::uint64_t byte_count, const std::uint64_t* offsets,
                       std::uint64_t count, Checksum* sum, cudaStream_t stream);

/// checksum_numbers() of 4-byte or 8-byte numbers.
void add_number_checksum(const std::uint32_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream);
void add_number_checksum(const std::uint64_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream);

}  // namespace sortie::kernels

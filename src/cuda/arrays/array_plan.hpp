// How an array of numbers is divided among GPUs, by position and by value, and each share into chunks and parts. Pure:
// numbers in, numbers out.
//
//   array   | share of GPU 0    | share of GPU 1    | ...
//   share   | chunk | chunk | chunk | rest |             sorted one by one as they arrive
//   share   | part | part | part | part | rest |         sent back one by one
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sortie::cuda {

/// Where the shares of `devices` GPUs begin, and the end of the last one; their sizes differ by one number at most.
std::vector<std::uint64_t> array_shares(std::uint64_t count, unsigned devices);

/// Chunks begin at multiples of so many numbers, where kernels may read 16 bytes at once.
inline constexpr std::uint64_t kChunkAlignment = 4;

/// Numbers in a chunk of a share of `count`: a sixteenth, so that little is left to sort when the last one has arrived,
/// but not so few that the GPU idles. A multiple of kChunkAlignment.
std::uint64_t array_chunk(std::uint64_t count);

/// Numbers in a part of a share of `count`: a 32nd, so that the way back soon begins, but not so few that a transfer
/// takes no time. A multiple of kernels::kPackedBlockCodes.
std::uint64_t array_part(std::uint64_t count);

/// Ranks in the whole at which the parts of all shares begin, and the end of the last one. `begins`: array_shares().
std::vector<std::uint64_t> array_part_ranks(const std::vector<std::uint64_t>& begins, std::uint64_t part);

/// Device memory that a share of `count` numbers of `number_bytes` takes: twice the share, and scratch. `sequences`:
/// how many sorted arrays are merged into it, part by part; 1: nothing is merged.
std::uint64_t array_device_bytes(std::uint64_t count, unsigned number_bytes, unsigned sequences);

/// Scratch bytes of the kernels that sort and merge it; they take turns.
std::uint64_t array_scratch_bytes(std::uint64_t count, unsigned sequences);

}  // namespace sortie::cuda

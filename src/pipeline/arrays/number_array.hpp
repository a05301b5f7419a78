// What sort() and argsort() of arrays of numbers in memory share: what the numbers are, their rows, and who works.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stop_token>

#include <sortie/format.hpp>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "record/key_plan.hpp"

namespace sortie {

/// Longest array, in bytes, that the calling thread sorts alone: to start others takes longer (two cores: 1000 numbers
/// in 19 us, 560 with a team).
inline constexpr std::size_t kMostBytesOfOneThread = 256 << 10;

/// Whether the calling thread is to sort an array alone. A sort that is to stop is left to a team, which throws
/// Stopped.
inline bool is_for_one_thread(std::size_t bytes, const std::stop_token& stop) {
  return bytes <= kMostBytesOfOneThread && !stop.stop_requested();
}

/// Numbers of so few bytes are counted.
inline bool are_counted(const KeyPart& field) { return field.bytes <= 2; }

/// The one field of an array's numbers. Throws Error if there are no such numbers.
KeyPart number_field(FieldKind kind, unsigned number_bytes, bool descending);

/// Calls `work(first byte, bytes)` for each row. Rows that one thread sorts alone are shared by all threads.
template <class Work>
void for_each_row(std::size_t bytes, std::size_t row_bytes, const Work& work) {
  const std::size_t rows = bytes / row_bytes;
  if (row_bytes > kMostBytesOfOneThread) {
    for (std::size_t row = 0; row < rows; ++row) work(row * row_bytes, row_bytes);
    return;
  }
  parallel_for_ranges(0, rows, std::max<std::size_t>(1, kMostBytesOfOneThread / row_bytes),
                      [&](std::size_t begin, std::size_t end) {
                        throw_if_stopped();
                        for (; begin < end; ++begin) work(begin * row_bytes, row_bytes);
                      });
}

/// Throws Error unless rows of so many numbers, all of them if it is 0, fill the array. Returns the bytes of a row.
std::size_t row_bytes_of(std::size_t bytes, std::size_t row_length, unsigned number_bytes);

/// Throws Error if the numbers do not lie at a multiple of their size. `name`: of the array, in the message.
void refuse_unaligned(const void* numbers, unsigned number_bytes, const char* name);

bool lie_apart(std::span<const std::byte> a, std::span<const std::byte> b);

/// `asked`: 0 for as many as there are.
unsigned threads_for(unsigned asked);

}  // namespace sortie

#include "python/memory_streams.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include <sortie/error.hpp>

namespace sortie::python {

void PageReturn::advance(const std::byte* done) {
  constexpr std::ptrdiff_t kStep = 16 << 20;
  if (!is_on_ || done - next_ < kStep) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(next_) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(done) / page * page;
  next_ = done;
  // The system refuses where the program has locked its memory.
  is_on_ = ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0;
}

std::size_t MemorySource::read(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), rest_.size());
  std::copy_n(rest_.begin(), bytes, target.begin());
  rest_ = rest_.subspan(bytes);
  pages_.advance(rest_.data());
  return bytes;
}

void MemorySink::write(std::span<const std::byte> records) {
  if (records.size() > rest_.size())
    throw Error("the array has no room for what was sorted: let it be as long as the input");
  std::ranges::copy(records, rest_.begin());
  rest_ = rest_.subspan(records.size());
  pages_.advance(rest_.data());
}

}  // namespace sortie::python

#include "base/touch_pages.hpp"

#include <algorithm>

#include "base/page_size.hpp"
#include "base/parallel.hpp"
#include "base/size.hpp"

namespace sortie {
namespace {

/// Bytes that one task touches, in 0.4 ms: long beside the cost of a task, short beside what others wait for.
constexpr std::size_t kTouchedBytes = kHugePageBytes;

}  // namespace

void touch_pages(std::span<std::byte> memory) {
  for (std::size_t at = 0; at < memory.size(); at += kPageBytes) {
    static_cast<volatile std::byte*>(memory.data())[at] = std::byte{};
  }
}

void touch_pages_in_parallel(std::span<std::byte> memory) {
  parallel_for(0, divide_up(memory.size(), kTouchedBytes), [&](std::size_t slice) {
    const std::size_t begin = slice * kTouchedBytes;
    touch_pages(memory.subspan(begin, std::min(kTouchedBytes, memory.size() - begin)));
  });
}

}  // namespace sortie

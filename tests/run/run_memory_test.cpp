#include "run/run_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

#include <sortie/error.hpp>

#include "base/memory_region.hpp"

namespace sortie {
namespace {

constexpr std::size_t kBytes = 3 * kPinStrideBytes + 12'345;

/// Counts pinned memory, and pins at most `limit` times.
class PinLog {
 public:
  explicit PinLog(std::size_t limit = ~std::size_t{0}) : limit_(limit) {}

  MemoryPinner pinner() {
    return [this](std::span<std::byte> memory) -> std::unique_ptr<MemoryPin> {
      const std::scoped_lock lock(mutex_);
      if (pins_made_ == limit_) return nullptr;
      ++pins_made_;
      pinned_[memory.data()] = memory.size();
      return std::make_unique<Pin>(*this, memory.data());
    };
  }
  std::size_t pinned_bytes() {
    const std::scoped_lock lock(mutex_);
    std::size_t bytes = 0;
    for (const auto& [begin, size] : pinned_) bytes += size;
    return bytes;
  }
  /// Whether each pinned range ends at a multiple of the stride or with the memory.
  bool meets_at_strides(const std::byte* end) {
    const std::scoped_lock lock(mutex_);
    return std::ranges::all_of(pinned_, [&](const auto& pinned) {
      const std::byte* const pin_end = pinned.first + pinned.second;
      return pin_end == end || reinterpret_cast<std::uintptr_t>(pin_end) % kPinStrideBytes == 0;
    });
  }

 private:
  class Pin : public MemoryPin {
   public:
    Pin(PinLog& log, const std::byte* begin) : log_(log), begin_(begin) {}
    ~Pin() override {
      const std::scoped_lock lock(log_.mutex_);
      log_.pinned_.erase(begin_);
    }

   private:
    PinLog& log_;
    const std::byte* begin_;
  };

  std::size_t limit_;
  std::mutex mutex_;
  std::size_t pins_made_ = 0;
  std::map<const std::byte*, std::size_t> pinned_;
};

TEST(RunMemory, IsPinnedStrideByStride) {
  PinLog log;
  {
    RunMemory memory(kBytes, log.pinner());
    const std::span<std::byte> bytes = memory.wait_until_ready();
    EXPECT_EQ(bytes.size(), kBytes);
    EXPECT_TRUE(memory.is_pinned());
    EXPECT_EQ(log.pinned_bytes(), kBytes);
    EXPECT_TRUE(log.meets_at_strides(bytes.data() + bytes.size()));
  }
  EXPECT_EQ(log.pinned_bytes(), 0U);
}

TEST(RunMemory, GivesAStrideBackWithItsLastByte) {
  PinLog log;
  RunMemory memory(kBytes, log.pinner());
  const std::span<std::byte> bytes = memory.wait_until_ready();
  std::ranges::fill(bytes, std::byte{1});
  // Steps that never meet strides. The last bytes are kept.
  constexpr std::size_t kStep = 10'000'019;
  constexpr std::size_t kKept = 100;
  for (std::size_t at = 0; at < kBytes - kKept; at += kStep) {
    const std::size_t step = std::min(kStep, kBytes - kKept - at);
    memory.release(at, step);
    EXPECT_EQ(bytes[at + step], std::byte{1}) << at;
  }
  EXPECT_GT(log.pinned_bytes(), 0U);
  EXPECT_LE(log.pinned_bytes(), kPinStrideBytes);
  EXPECT_EQ(bytes.back(), std::byte{1});
  memory.release(kBytes - kKept, kKept);
  EXPECT_EQ(log.pinned_bytes(), 0U);
}

TEST(RunMemory, ServesUnpinnedWhereItCannotBePinned) {
  PinLog log(1);
  RunMemory memory(kBytes, log.pinner());
  const std::span<std::byte> bytes = memory.wait_until_ready();
  EXPECT_FALSE(memory.is_pinned());
  bytes.back() = std::byte{1};
  memory.release(0, kBytes);
  EXPECT_EQ(log.pinned_bytes(), 0U);
}

TEST(RunMemory, SurvivesAPinnerThatThrows) {
  RunMemory memory(kBytes, [](std::span<std::byte>) -> std::unique_ptr<MemoryPin> { throw Error("no device"); });
  memory.wait_until_ready().back() = std::byte{1};
  EXPECT_FALSE(memory.is_pinned());
}

TEST(RunMemory, CanBeDroppedWhileItIsPrepared) {
  PinLog log;
  { const RunMemory memory(kBytes, log.pinner()); }
  EXPECT_EQ(log.pinned_bytes(), 0U);
}

TEST(RunMemory, IsUntouchedWithoutAPinner) {
  RunMemory memory(kBytes);
  const std::span<std::byte> bytes = memory.wait_until_ready();
  EXPECT_FALSE(memory.is_pinned());
  bytes[0] = bytes[5'000'000] = std::byte{1};
  memory.release(0, 5'000'000);
  EXPECT_EQ(bytes[5'000'000], std::byte{1});
}

}  // namespace
}  // namespace sortie

// Run files that lie in memory and are prepared for one run.
#include <array>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "pipeline/runs/run_store.hpp"
#include "pipeline/store_support.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

std::string numbered_lines() {
  std::string lines;
  for (int i = 100'000; i < 103'000; ++i) lines += std::to_string(i) + "\n";
  return lines;
}

// Its records lie in the file before the run has reserved their bytes. The three runs may have two files.
TEST(RunStoreInMemoryFiles, NoRunBeginsInAFileInWhichAnotherOneIsMade) {
  RunStore::Options options{0, 64 << 10, Repeats::kKept, true};
  options.prepares_files = true;
  options.most_files = 2;
  const std::string lines = numbered_lines();
  std::string many = lines;
  while (many.size() < (66U << 20)) many += many;
  options.expected_bytes = 3 * many.size();
  with_threads(4, [&] {
    StoreForTest test(parsed("lines"), options, Compression::kNone, nullptr, {}, "/dev/shm");
    const auto first = test.store.begin_run(many.size());
    std::span<std::byte> room;
    for (int tries = 0; room.empty() && tries < 500; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      room = first->room(0, many.size());
    }
    if (room.empty()) GTEST_SKIP() << "this system makes no huge pages of files in memory";
    std::memcpy(room.data(), many.data(), many.size());
    std::array others{test.store.begin_run(lines.size()), test.store.begin_run(lines.size())};
    first->append(room);
    for (const auto& other : others) {
      std::string part = lines;
      other->append(as_writable(part));
      EXPECT_TRUE(contents_of(other->finish()) == lines);
    }
    EXPECT_TRUE(contents_of(first->finish()) == many);
  });
}

}  // namespace
}  // namespace sortie

// Results that are kept in memory until they are complete, as no file can take them before.
#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::error_of;
using test::read_whole_file;
using test::write_whole_file;
using testing::HasSubstr;

constexpr char kNoScratch[] = "/nonexistent/scratch";

/// A target with a second name, so that it must be written over, and no directory for the result.
class Held {
 public:
  explicit Held(const std::string& old_contents) {
    write_whole_file(directory_ / "target", old_contents);
    std::filesystem::create_hard_link(directory_ / "target", directory_ / "link");
  }

  std::unique_ptr<Output> open(FileSystem& files, HeldResult& held) const {
    return open_output(files, directory_ / "target", {}, nullptr, {kNoScratch}, &held);
  }
  std::string contents() const { return read_whole_file(directory_ / "link"); }
  std::set<std::string> names() const { return directory_.names(); }

 private:
  test::TemporaryDirectory directory_;
};

TEST(HeldOutput, IsWrittenOverItsTargetWhenItIsComplete) {
  const auto files = make_posix_file_system();
  const std::string result = test::words(3 << 20);
  for (const std::string& old_contents : {std::string("old"), std::string(4 << 20, 'x'), std::string()}) {
    const Held position(old_contents);
    HeldResult held{.most_bytes = result.size()};
    const auto output = position.open(*files, held);
    EXPECT_TRUE(held.is_used);
    output->expect(result.size());
    output->write(as_bytes(result).first(1000));
    output->write(as_bytes(result).subspan(1000));
    EXPECT_EQ(position.contents(), old_contents);
    output->finish();
    EXPECT_TRUE(position.contents() == result);
    EXPECT_EQ(position.names(), (std::set<std::string>{"target", "link"}));
  }
}

TEST(HeldOutput, IsNoLargerThanItMayBe) {
  const auto files = make_posix_file_system();
  const Held position("old");
  HeldResult held{.most_bytes = 10};
  const std::string message = "cannot create temporary file in '/nonexistent/scratch': ";
  EXPECT_THAT(error_of([&] { position.open(*files, held)->expect(11); }), HasSubstr(message));
  const auto output = position.open(*files, held);
  output->write(as_bytes("0123456789"));
  EXPECT_THAT(error_of([&] { output->write(as_bytes("x")); }), HasSubstr(message));
  EXPECT_EQ(position.contents(), "old");
}

TEST(HeldOutput, EveryFailedOperationLeavesTheOldOrTheWholeNewContents) {
  const auto files = make_posix_file_system();
  for (std::uint64_t first = 1;; ++first) {
    SCOPED_TRACE("operation " + std::to_string(first));
    const Held position("old");
    test::FaultPlan plan;
    plan.first = first;
    test::FaultyFileSystem faulty(*files, plan);
    std::string error;
    try {
      HeldResult held;
      const auto output = position.open(faulty, held);
      output->write(as_bytes("the new contents"));
      output->finish();
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    if (error.empty()) {
      EXPECT_EQ(position.contents(), "the new contents");
    } else if (!error.ends_with("target is incomplete, and there is no other copy: sort again")) {
      EXPECT_EQ(position.contents(), "old") << error;
    }
    if (faulty.operations() < first) break;
  }
}

// Whatever takes the last descriptors meanwhile.
TEST(HeldOutput, WaitsForADescriptor) {
  const auto files = make_posix_file_system();
  for (const std::uint64_t most_bytes : {std::uint64_t{100}, std::uint64_t{4}}) {
    const test::TemporaryDirectory directory;
    std::uint64_t first = 1;
    for (bool is_held = false; !is_held; ++first) {
      ASSERT_LT(first, 20U);
      test::FaultPlan plan;
      plan.first = first;
      plan.error_number = EMFILE;
      test::FaultyFileSystem faulty(*files, plan);
      HeldResult held{.most_bytes = most_bytes};
      try {
        const auto output = open_output(faulty, directory / "new", {}, nullptr, {}, &held);
        is_held = held.is_used;
        if (!is_held) continue;
        output->write(as_bytes("new "));
        output->write(as_bytes("contents"));
        output->finish();
      } catch (const Error&) {
        ASSERT_FALSE(held.is_used);
      }
    }
    EXPECT_EQ(read_whole_file(directory / "new"), "new contents");
    EXPECT_EQ(directory.names(), std::set<std::string>{"new"});
  }
}

}  // namespace
}  // namespace sortie

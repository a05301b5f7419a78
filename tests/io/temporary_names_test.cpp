#include <sortie/temporary_names.hpp>

#include <chrono>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TemporaryNames, RemovesWhatHasAnEntry) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"a", "b", "c"}) test::write_whole_file(directory / name, "x");
  TemporaryNames names;
  const TemporaryNames::Entry first(&names, directory / "a");
  std::optional<TemporaryNames::Entry> second(std::in_place, &names, directory / "b");
  second.reset();
  const TemporaryNames::Entry missing(&names, directory / "missing");
  EXPECT_TRUE(names.remove_files().owns_lock());
  EXPECT_THAT(directory.names(), ElementsAre("b", "c"));
}

TEST(TemporaryNames, EntriesNeedNobodyWhoCleansUp) {
  const TemporaryNames::Entry entry(nullptr, "path");
  EXPECT_EQ(entry.path(), "path");
}

// A file that is made meanwhile is removed too.
TEST(TemporaryNames, RemovalWaitsWhileTheyAreHeld) {
  const test::TemporaryDirectory directory;
  TemporaryNames names;
  const TemporaryNames::Entry entry(&names, directory / "a");
  std::thread remover;
  {
    const auto lock = entry.hold();
    remover = std::thread([&] { const auto removed = names.remove_files(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    test::write_whole_file(directory / "a", "x");
  }
  remover.join();
  EXPECT_THAT(directory.names(), IsEmpty());
}

// remove_files() runs in the middle, as on a signal, on a file system where every file needs a name.
TEST(TemporaryNames, KnowAnOutputUntilItIsInItsPlace) {
  const test::TemporaryDirectory directory;
  const auto posix_files = make_posix_file_system();
  test::FaultPlan plan;
  plan.needs_names = true;
  test::FaultyFileSystem files(*posix_files, plan);
  TemporaryNames names;
  {
    const auto output = open_output(files, directory / "target", {}, &names);
    output->write(test::as_bytes("unfinished"));
    EXPECT_EQ(directory.names().size(), 1u);
    EXPECT_TRUE(names.remove_files().owns_lock());
    EXPECT_THAT(directory.names(), IsEmpty());
  }
  const auto output = open_output(files, directory / "target", {}, &names);
  output->write(test::as_bytes("complete"));
  output->finish();
  EXPECT_TRUE(names.remove_files().owns_lock());
  EXPECT_THAT(directory.names(), ElementsAre("target"));
}

}  // namespace
}  // namespace sortie

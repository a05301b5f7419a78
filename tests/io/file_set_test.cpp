// Files that take their places together.
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "io/output/file_set.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::read_whole_file;
using test::write_whole_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void add_file(FileSet& set, const std::string& path, const std::string& contents) {
  const auto output = set.begin(path);
  output->write(as_bytes(contents));
  output->finish();
}

/// Three files, of which the second replaces one that is there.
class FilesOfASet {
 public:
  FilesOfASet() { write_whole_file(directory_ / "b", "old"); }

  void put_in_place(FileSystem& files, std::size_t most_open, TemporaryNames* names = nullptr) const {
    FileSet set(files, names, most_open);
    for (const char* const name : {"a", "b", "c"}) add_file(set, directory_ / name, std::string("new ") + name);
    set.put_in_place();
  }

  bool all_are_there() const {
    return directory_.names() == std::set<std::string>{"a", "b", "c"} && read_whole_file(directory_ / "a") == "new a" &&
           read_whole_file(directory_ / "b") == "new b" && read_whole_file(directory_ / "c") == "new c";
  }
  bool none_is_there() const {
    return directory_.names() == std::set<std::string>{"b"} && read_whole_file(directory_ / "b") == "old";
  }
  std::string operator/(const char* name) const { return directory_ / name; }

 private:
  test::TemporaryDirectory directory_;
};

TEST(FileSet, RemovesWhatManyFilesReplace) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  TemporaryNames names;
  const auto name_of = [](int i) { return "part-" + std::to_string(i); };
  for (int i = 0; i < 300; ++i) write_whole_file(directory / name_of(i), "old");
  {
    FileSet set(*files, &names, 10);
    for (int i = 0; i < 400; ++i) add_file(set, directory / name_of(i), name_of(i));
    set.put_in_place();
  }
  EXPECT_EQ(directory.names().size(), 400U);
  for (int i = 0; i < 400; ++i) EXPECT_EQ(read_whole_file(directory / name_of(i)), name_of(i));
  {
    FileSet set(*files, &names, 10);
    for (int i = 0; i < 400; ++i) add_file(set, directory / name_of(i), "never in place");
  }
  EXPECT_EQ(directory.names().size(), 400U);
  EXPECT_EQ(read_whole_file(directory / "part-7"), "part-7");
}

TEST(FileSet, TakesItsPlaceWithOpenFilesAndWithClosedOnes) {
  const auto files = make_posix_file_system();
  for (const std::size_t most_open : {0u, 1u, 3u, 100u}) {
    const FilesOfASet made;
    made.put_in_place(*files, most_open);
    EXPECT_TRUE(made.all_are_there()) << most_open;
  }
}

TEST(FileSet, LeavesNothingIfItIsNotPutInPlace) {
  const auto files = make_posix_file_system();
  for (const std::size_t most_open : {0u, 100u}) {
    const FilesOfASet made;
    {
      FileSet set(*files, nullptr, most_open);
      add_file(set, made / "a", "new a");
      add_file(set, made / "b", "new b");
      const auto unfinished = set.begin(made / "c");
      unfinished->write(as_bytes("new c"));
    }
    EXPECT_TRUE(made.none_is_there());
  }
}

TEST(FileSet, EveryFailedOperationLeavesAllOrNone) {
  const auto files = make_posix_file_system();
  for (const bool needs_names : {false, true}) {
    for (const std::size_t most_open : {1u, 100u}) {
      for (std::uint64_t first = 1;; ++first) {
        SCOPED_TRACE("operation " + std::to_string(first));
        const FilesOfASet made;
        test::FaultPlan plan;
        plan.first = first;
        plan.needs_names = needs_names;
        test::FaultyFileSystem faulty(*files, plan);
        std::string error;
        try {
          made.put_in_place(faulty, most_open);
        } catch (const Error& thrown) {
          error = thrown.what();
        }
        if (test::output_is_complete(error)) {
          EXPECT_TRUE(made.all_are_there()) << error;
        } else {
          EXPECT_TRUE(made.none_is_there()) << error;
        }
        if (error.empty() && faulty.operations() < first) break;
      }
    }
  }
}

TEST(FileSet, NothingIsLostIfWhatFailsGoesOnFailing) {
  const auto files = make_posix_file_system();
  for (std::uint64_t first = 1;; ++first) {
    SCOPED_TRACE("operation " + std::to_string(first));
    const FilesOfASet made;
    test::FaultPlan plan;
    plan.first = first;
    plan.from_then_on = true;
    test::FaultyFileSystem faulty(*files, plan);
    std::string error;
    try {
      made.put_in_place(faulty, 100);
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    const std::size_t begin = error.find("what was there is in ");
    if (begin != std::string::npos) {
      EXPECT_EQ(read_whole_file(error.substr(begin + 21, error.find(';', begin) - begin - 21)), "old");
      EXPECT_THAT(error, HasSubstr("b has its place already"));
      EXPECT_EQ(read_whole_file(made / "b"), "new b");
    } else if (test::output_is_complete(error)) {
      EXPECT_TRUE(made.all_are_there());
    } else {
      EXPECT_EQ(read_whole_file(made / "b"), "old");
    }
    if (error.empty()) break;
  }
}

TEST(FileSet, KeepsThePermissionsOfWhatItReplaces) {
  const auto files = make_posix_file_system();
  for (const std::size_t most_open : {0u, 100u}) {
    const FilesOfASet made;
    ASSERT_EQ(::chmod((made / "b").c_str(), 0640), 0);
    made.put_in_place(*files, most_open);
    struct stat status {};
    ASSERT_EQ(::stat((made / "b").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0640u);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ASSERT_EQ(::stat((made / "a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0666u & ~mask);
  }
}

TEST(FileSet, FollowsLinks) {
  const auto files = make_posix_file_system();
  const FilesOfASet made;
  ASSERT_EQ(::symlink("b", (made / "link").c_str()), 0);
  FileSet set(*files, nullptr, 100);
  add_file(set, made / "link", "new");
  set.put_in_place();
  EXPECT_EQ(read_whole_file(made / "b"), "new");
}

TEST(FileSet, RefusesWhatCannotBeExchanged) {
  const auto files = make_posix_file_system();
  const FilesOfASet made;
  ASSERT_EQ(::symlink("b", (made / "link").c_str()), 0);
  ASSERT_EQ(::link((made / "b").c_str(), (made / "other").c_str()), 0);
  ASSERT_EQ(::mkfifo((made / "pipe").c_str(), 0600), 0);
  const auto refusal = [&](const std::string& path) {
    FileSet set(*files, nullptr, 100);
    try {
      add_file(set, made / "a", "");
      set.begin(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(made / "a"), HasSubstr("two parts would be the file"));
  EXPECT_THAT(refusal(made / "b"), HasSubstr("it has other names, another owner or attributes; move it"));
  EXPECT_THAT(refusal(made / "pipe"), HasSubstr("which is no file"));
  EXPECT_THAT(refusal(made / "."), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(made / "missing/a"), HasSubstr("No such file or directory"));
}

TEST(FileSet, SignalRemovesWhatHasHiddenNames) {
  const auto files = make_posix_file_system();
  const FilesOfASet made;
  TemporaryNames names;
  FileSet set(*files, &names, 0);
  for (const char* const name : {"a", "b", "c"}) add_file(set, made / name, "new");
  EXPECT_FALSE(made.none_is_there());
  const auto lock = names.remove_files();
  EXPECT_TRUE(made.none_is_there());
}

}  // namespace
}  // namespace sortie

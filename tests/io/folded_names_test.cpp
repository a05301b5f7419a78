// Names that reach one file: none of two files of a job takes the place of the other.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/quote.hpp"
#include "io/files/file_uses.hpp"
#include "io/files/folded_names.hpp"
#include "io/files/forwarding_file_system.hpp"
#include "io/io_support.hpp"
#include "io/output/file_set.hpp"
#include "support/folding_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::error_of;
using test::read_whole_file;
using test::write_whole_file;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::pair<std::string, std::string>> kSameNames = {
    {"CO", "Co"}, {"caf\xC3\xA9", "cafe\xCC\x81"}, {"\xC3\x89", "\xC3\xA9"}, {"a", "A"}};

/// Whether files need names, whether inodes tell files apart, how many files stay open.
class FoldedFileSet : public testing::TestWithParam<std::tuple<bool, bool, std::size_t>> {
 protected:
  void put(const std::vector<std::string>& names) {
    FileSet set(files_, nullptr, std::get<2>(GetParam()));
    for (const std::string& name : names) {
      const auto output = set.begin(directory_ / name);
      output->write(as_bytes("new " + name));
      output->finish();
    }
    set.put_in_place();
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> posix_files_ = make_posix_file_system();
  test::FoldingFileSystem files_{*posix_files_, std::get<0>(GetParam()), std::get<1>(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(FileSystems, FoldedFileSet,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0, 1, 100)));

TEST_P(FoldedFileSet, RefusesTwoFilesThatWouldBeOne) {
  for (const auto& [first, second] : kSameNames) {
    for (const auto& names : {std::vector{first, second}, std::vector<std::string>{"x", first, "y", second, "z"}}) {
      const std::string error = error_of([&] { put(names); });
      EXPECT_THAT(error, HasSubstr(quote_path(directory_ / first)));
      EXPECT_THAT(error, HasSubstr(quote_path(directory_ / second)));
      EXPECT_THAT(error, HasSubstr("would be one file: this file system takes their names for the same; "));
      EXPECT_THAT(directory_.names(), IsEmpty());
    }
  }
}

TEST_P(FoldedFileSet, RefusesTheSecondFileWhenItBegins) {
  for (const auto& [first, second] : kSameNames) {
    FileSet set(files_, nullptr, std::get<2>(GetParam()));
    set.begin(directory_ / first)->finish();
    EXPECT_THROW(set.begin(directory_ / second), SameFileError) << first;
  }
  EXPECT_THAT(directory_.names(), IsEmpty());
}

TEST_P(FoldedFileSet, LeavesFilesOfAnOlderJobAsTheyWere) {
  write_whole_file(directory_ / "b", "old");
  write_whole_file(directory_ / "co", "old");
  EXPECT_THAT(error_of([&] { put({"B", "CO", "d", "Co"}); }), HasSubstr("would be one file"));
  EXPECT_EQ(directory_.names(), (std::set<std::string>{"b", "co"}));
  EXPECT_EQ(read_whole_file(directory_ / "b"), "old");
  EXPECT_EQ(read_whole_file(directory_ / "co"), "old");
}

TEST_P(FoldedFileSet, ReplacesFilesOfAnOlderJobWhoseNamesAreFolded) {
  write_whole_file(directory_ / "co", "old");
  put({"CO", "NY"});
  EXPECT_EQ(directory_.names(), (std::set<std::string>{"co", "ny"}));
  EXPECT_EQ(read_whole_file(directory_ / "co"), "new CO");
}

TEST(FoldedFileSetWithInodes, RefusesNamesThatOnlyDifferInDotsAtTheEnd) {
  const auto posix_files = make_posix_file_system();
  for (const bool needs_names : {false, true}) {
    const test::TemporaryDirectory directory;
    test::FoldingFileSystem files(*posix_files, needs_names);
    write_whole_file(directory / "old", "old");
    FileSet set(files, nullptr, 100);
    for (const char* const name : {"old", "a", "a."}) {
      const auto output = set.begin(directory / name);
      output->write(as_bytes(name));
      output->finish();
    }
    EXPECT_THAT(error_of([&] { set.put_in_place(); }), HasSubstr("would be one file"));
    EXPECT_EQ(read_whole_file(directory / "old"), "old");
    EXPECT_FALSE(directory.names().contains("a"));
  }
}

TEST(FoldedNames, MayBeOneIfTheyAgreeButForCaseAndWhatIsNotAscii) {
  EXPECT_TRUE(may_be_one_name("CO", "Co"));
  EXPECT_TRUE(may_be_one_name("a", "a. "));
  EXPECT_TRUE(may_be_one_name("caf\xC3\xA9", "cafe\xCC\x81"));
  EXPECT_FALSE(may_be_one_name("a", "a"));
  EXPECT_FALSE(may_be_one_name("a", "b"));
  EXPECT_FALSE(may_be_one_name("part-1", "part-10"));
}

TEST(FoldedNames, AreFoundByTheFileSystemAndLeaveNothing) {
  const auto posix_files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  test::FoldingFileSystem files(*posix_files, true, false);
  const std::string folder = directory / "";
  for (const auto& [first, second] : kSameNames) {
    EXPECT_TRUE(are_one_name(files, folder, first, second)) << first;
    EXPECT_FALSE(are_one_name(*posix_files, folder, first, second)) << first;
  }
  EXPECT_FALSE(are_one_name(files, folder, "a", "b"));
  EXPECT_FALSE(are_one_name(files, directory / "missing/", "a", "A"));
  EXPECT_THAT(directory.names(), IsEmpty());
}

// What the end of the process sees, which has no arguments of a test's own.
const test::TemporaryDirectory* directory_at_end = nullptr;
std::optional<std::set<std::string>> names_at_end;

/// A signal comes as soon as a file has been made.
class InterruptedFiles : public ForwardingFileSystem {
 public:
  InterruptedFiles(FileSystem& files, TemporaryNames& names) : ForwardingFileSystem(files), names_(names) {}

  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    std::unique_ptr<File> file = ForwardingFileSystem::create(path, options);
    names_.remove_files_and_end([](const TemporaryNames&) { names_at_end = directory_at_end->names(); });
    return file;
  }

 private:
  TemporaryNames& names_;
};

TEST(FoldedNames, LeaveNothingWhereASignalEndsTheProcess) {
  const test::TemporaryDirectory directory;
  directory_at_end = &directory;
  TemporaryNames names;
  const auto posix_files = make_posix_file_system(&names);
  InterruptedFiles files(*posix_files, names);
  EXPECT_FALSE(are_one_name(files, directory / "", "a", "A"));
  EXPECT_EQ(names_at_end, std::set<std::string>());
}

TEST(FoldedNames, AreToldOfADirectory) {
  const auto posix_files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  test::FoldingFileSystem files(*posix_files, true);
  EXPECT_TRUE(folds_names(files, directory / ""));
  EXPECT_FALSE(folds_names(*posix_files, directory / ""));
  EXPECT_TRUE(lead_to_one_name(files, directory / "caf\xC3\xA9", directory / "cafe\xCC\x81"));
  EXPECT_FALSE(lead_to_one_name(*posix_files, directory / "caf\xC3\xA9", directory / "cafe\xCC\x81"));
  EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(FoldedNames, OfTwoTargetsAreRefused) {
  using Kind = FileUse::Kind;
  const auto posix_files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  test::FoldingFileSystem files(*posix_files, true, false);
  const auto refuse = [&](const std::string& a, const std::string& b) {
    refuse_shared_targets(files,
                          {{Kind::kTarget, directory / a, "the trace"}, {Kind::kOutput, directory / b, "the output"}});
  };
  for (const bool exists : {false, true}) {
    if (exists) write_whole_file(directory / "out", "old");
    EXPECT_THAT(error_of([&] { refuse("OUT", "out"); }), HasSubstr("which is also the output"));
    EXPECT_NO_THROW(refuse("other", "out"));
  }
}

}  // namespace
}  // namespace sortie

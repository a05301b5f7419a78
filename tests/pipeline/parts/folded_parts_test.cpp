// Whole sorts into parts where the file system takes names for the same that differ in case.
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sortie/text_keys.hpp>

#include "pipeline/setup/sort_files.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/folding_file_system.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

/// The error of the sort into parts for the values of its first field, where names that differ in case are one.
std::string error_where_names_are_folded(SortForTest& job, bool needs_names) {
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  FoldingFileSystem folding(*files, needs_names, false);
  std::string error;
  with_threads(2, [&] {
    try {
      SortJob(folding, job.options, {}).run();
    } catch (const Error& thrown) {
      error = thrown.what();
    }
  });
  return error;
}

TEST(FoldedParts, OfValuesWhoseNamesReachOneFileAreRefusedBeforeAnythingIsReplaced) {
  for (const bool needs_names : {false, true}) {
    SortForTest job(parsed("lines"), {"NY 1\nCo 2\nCO 3\nca 4\n"});
    job.options.format.text.keys = {parse_text_key("1,1")};
    job.options.output = job.directory / "part-{}";
    job.options.parts.by_first_key = true;
    write_whole_file(job.directory / "part-ny", "as it was");
    const std::set<std::string> names = job.directory.names();
    const std::string error = error_where_names_are_folded(job, needs_names);
    EXPECT_TRUE(error.starts_with("the parts of the values 'CO' and 'Co' would be one file, ")) << error;
    EXPECT_TRUE(
        error.ends_with("let the key ignore case, make the values alike, or write the parts to another file "
                        "system"))
        << error;
    EXPECT_EQ(job.directory.names(), names);
    EXPECT_EQ(read_whole_file(job.directory / "part-ny"), "as it was");
    job.options.format.text.keys = {parse_text_key("1,1f")};
    EXPECT_EQ(error_where_names_are_folded(job, needs_names), "");
    EXPECT_EQ(read_whole_file(job.directory / "part-ny"), "NY 1\n");
  }
}

TEST(FoldedParts, AndTheirManifestAreNotOneFile) {
  for (const bool needs_names : {false, true}) {
    SortForTest job(parsed("lines"), {"b\na\n"});
    job.options.format.text.keys = {parse_text_key("1,1")};
    job.options.output = job.directory / "part-{}";
    job.options.parts.by_first_key = true;
    job.options.parts.manifest_path = job.directory / "PART-A";
    const std::set<std::string> names = job.directory.names();
    const std::string error = error_where_names_are_folded(job, needs_names);
    EXPECT_NE(error.find("PART-A would be one file: "), std::string::npos) << error;
    EXPECT_EQ(job.directory.names(), names);
  }
}

TEST(FoldedParts, AndWhatIsWrittenBesideThemAreNotOneFile) {
  for (const bool needs_names : {false, true}) {
    for (std::string SortOptions::*path :
         {&SortOptions::trace_path, &SortOptions::report_path, &SortOptions::stats_json_path}) {
      SortForTest job(parsed("lines"), {"a\ncaf\xC3\xA9\n"});
      job.options.format.text.keys = {parse_text_key("1,1")};
      job.options.output = job.directory / "part-{}";
      job.options.parts.by_first_key = true;
      job.options.*path = job.directory / "part-cafe\xCC\x81";
      write_whole_file(job.directory / "part-a", "as it was");
      std::set<std::string> names = job.directory.names();
      // There is a trace of a sort that fails, too.
      if (path == &SortOptions::trace_path) names.insert("part-caf\xC3\xA9");
      const std::string error = error_where_names_are_folded(job, needs_names);
      EXPECT_TRUE(error.starts_with("a part of the output would replace ")) << error;
      EXPECT_TRUE(error.ends_with(", which is in use for another purpose: name the parts otherwise")) << error;
      EXPECT_EQ(job.directory.names(), names);
      EXPECT_EQ(read_whole_file(job.directory / "part-a"), "as it was");
    }
  }
}

TEST(FoldedParts, WithNumbersAreFoundBeforeAnythingIsRead) {
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  FoldingFileSystem folding(*files, false);
  SortForTest job(parsed("lines"), {"b\na\n"});
  job.options.output = job.directory / "caf\xC3\xA9-{:02d}";
  job.options.parts.count = 2;
  const auto refuse = [&](FileSystem& where, const std::string& trace) {
    job.options.trace_path = job.directory / trace;
    try {
      refuse_shared_targets_of_sort(where, job.options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* const same : {"cafe\xCC\x81-01", "CAF\xC3\x89-01"}) {
    EXPECT_TRUE(refuse(folding, same).starts_with("a part of the output could replace ")) << same;
    EXPECT_EQ(refuse(*files, same), "");
  }
  EXPECT_EQ(refuse(folding, "cafe\xCC\x81-1"), "");
  EXPECT_EQ(refuse(folding, "caf\xC3\xA8-01"), "");
}

}  // namespace
}  // namespace sortie

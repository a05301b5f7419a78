#include "io/io_error.hpp"

#include <cerrno>

#include <gtest/gtest.h>

namespace sortie {
namespace {

TEST(IoError, EscapesControlCharactersInNames) {
  EXPECT_EQ(quote_path("a b.txt"), "'a b.txt'");
  EXPECT_EQ(quote_path("a\nb\tc"), "'a\\nb\\tc'");
  EXPECT_EQ(quote_path(std::string("\x1b[31m\x7f\0", 7)), "'\\x1b[31m\\x7f\\x00'");
  EXPECT_EQ(quote_path("gr\xc3\xbc\xc3\x9f"), "'gr\xc3\xbc\xc3\x9f'");
}

TEST(IoError, NamesThingReasonAndRemedy) {
  EXPECT_EQ(io_message("open", "'x'", ENOENT, FileRole::kInput), "cannot open 'x': No such file or directory");
  EXPECT_EQ(io_message("write", "'x'", ENOSPC, FileRole::kScratch),
            "cannot write 'x': No space left on device; free some space or choose another directory with -T");
  EXPECT_EQ(io_message("write", "'x'", ENOSPC, FileRole::kOutput),
            "cannot write 'x': No space left on device; free some space or choose another output with -o");
  EXPECT_EQ(io_message("open", "'x'", EMFILE, FileRole::kScratch),
            "cannot open 'x': Too many open files; raise the limit on open files with ulimit -n");
}

}  // namespace
}  // namespace sortie

#include "io/files/io_error.hpp"

#include <cerrno>

#include <gtest/gtest.h>

namespace sortie {
namespace {

TEST(IoError, NamesThingReasonAndRemedy) {
  EXPECT_EQ(io_message("open", "x", ENOENT, FileRole::kInput), "cannot read: x: No such file or directory");
  EXPECT_EQ(io_message("read", "x", EISDIR, FileRole::kInput), "read failed: x: Is a directory");
  EXPECT_EQ(io_message("open", "x", EISDIR, FileRole::kOutput), "open failed: x: Is a directory");
  EXPECT_EQ(io_message("create", "temporary file in 'x'", EIO, FileRole::kScratch),
            "cannot create temporary file in 'x': Input/output error");
  EXPECT_EQ(io_message("sync", "x", EIO, FileRole::kOutput), "cannot sync x: Input/output error");
  EXPECT_EQ(io_message("write", "x", ENOSPC, FileRole::kScratch),
            "write failed: x: No space left on device; free some space or choose another scratch directory");
  EXPECT_EQ(io_message("write", "x", ENOSPC, FileRole::kOutput),
            "write failed: x: No space left on device; free some space or name another file");
  EXPECT_EQ(io_message("open", "x", EMFILE, FileRole::kScratch),
            "open failed: x: Too many open files; raise the limit on open files with ulimit -n");
}

}  // namespace
}  // namespace sortie

#include "io/files/io_error.hpp"

#include <cerrno>

#include <gtest/gtest.h>

#include <sortie/system_file_error.hpp>

namespace sortie {
namespace {

TEST(IoError, NamesThingReasonAndRemedy) {
  EXPECT_EQ(io_message("open", "x", ENOENT, FileRole::kInput), "cannot read: x: No such file or directory");
  EXPECT_EQ(io_message("read", "x", EISDIR, FileRole::kInput), "read failed: x: Is a directory");
  EXPECT_EQ(io_message("open", "x", EISDIR, FileRole::kOutput), "open failed: x: Is a directory");
  EXPECT_EQ(io_message("open", "a/x", ENOENT, FileRole::kOutput),
            "open failed: a/x: No such file or directory; make its folder first, or name another file");
  EXPECT_EQ(io_message("open", "''", ENOENT, FileRole::kOutput), "open failed: '': No such file or directory");
  EXPECT_EQ(io_message("open", "a/x", ENOTDIR, FileRole::kOutput),
            "open failed: a/x: Not a directory; a folder in front of it is a file: name another one");
  EXPECT_EQ(io_message("open", "x", ENAMETOOLONG, FileRole::kInput),
            "cannot read: x: File name too long; choose a shorter name, of 255 bytes at most");
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

TEST(IoError, TellsTheSystemsNumberToPrograms) {
  try {
    throw_io_error("open", "x", ENOENT, FileRole::kInput);
  } catch (const SystemFileError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
    EXPECT_EQ(error.path(), "x");
    const SystemFileError copy(FileError::Kind::kWriteSmallOutput, error);
    EXPECT_EQ(copy.kind(), FileError::Kind::kWriteSmallOutput);
    EXPECT_EQ(copy.error_number(), ENOENT);
  }
}

}  // namespace
}  // namespace sortie

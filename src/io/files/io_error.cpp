#include "io/files/io_error.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <sortie/system_file_error.hpp>

namespace sortie {
namespace {

struct Advice {
  std::string_view words;
  Remedy remedy = Remedy::kOther;
};

Advice advice_for_full_disk(FileRole role) {
  switch (role) {
    case FileRole::kScratch:
      return {"free some space or choose another scratch directory", Remedy::kOtherScratch};
    case FileRole::kCheckpoint:
      return {"free some space and run the same sort again, or choose another directory for the checkpoint"};
    default:
      return {"free some space or name another file"};
  }
}

Advice advice_for_bad_position(FileRole role) {
  if (role == FileRole::kScratch) return {"choose another scratch directory", Remedy::kOtherScratch};
  if (role == FileRole::kCheckpoint) return {"choose another directory for the checkpoint"};
  return {};
}

// An output that is not there yet.
Advice advice_for_place(int error_number, std::string_view object) {
  if (error_number == ENOENT && object != "''") return {"make its folder first, or name another file"};
  if (error_number == ENOTDIR) return {"a folder in front of it is a file: name another one"};
  return {};
}

Advice advice_for(std::string_view action, std::string_view object, int error_number, FileRole role) {
  if (role == FileRole::kOutput && action == "open") {
    const Advice advice = advice_for_place(error_number, object);
    if (!advice.words.empty()) return advice;
  }
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return advice_for_full_disk(role);
    case EFBIG:
      return {"raise the limit on file sizes with ulimit -f"};
    case EMFILE:
      return {"raise the limit on open files with ulimit -n"};
    case ENAMETOOLONG:
      return {"choose a shorter name, of 255 bytes at most"};
    case EACCES:
    case ENOENT:
    case ENOTDIR:
    case EROFS:
      return advice_for_bad_position(role);
    default:
      return {};
  }
}

// An input that is there and may be read, but for which there is no descriptor, fails to open.
std::string opening(std::string_view action, int error_number, FileRole role) {
  const bool has_no_descriptor = error_number == EMFILE || error_number == ENFILE;
  if (role == FileRole::kInput && action == "open" && !has_no_descriptor) return "cannot read: ";
  if (action == "open" || action == "read" || action == "write") return std::string(action) + " failed: ";
  return "cannot " + std::string(action) + " ";
}

FileError::Kind kind_of(std::string_view action, FileRole role) {
  if (role == FileRole::kInput && action == "open") return FileError::Kind::kOpenInput;
  const bool writes = action == "write" || action == "reserve space for" || action == "sync";
  return role == FileRole::kOutput && writes ? FileError::Kind::kWriteOutput : FileError::Kind::kOther;
}

SystemFileError io_error(std::string_view action, std::string_view object, int error_number, FileRole role) {
  std::string reason = std::string(object) + ": " + std::system_category().message(error_number);
  const std::string plain = opening(action, error_number, role) + reason;
  const Advice advice = advice_for(action, object, error_number, role);
  const FileError error(kind_of(action, role), plain, std::move(reason), std::string(advice.words), advice.remedy);
  return {error, std::string(object), error_number};
}

}  // namespace

std::string io_message(std::string_view action, std::string_view object, int error_number, FileRole role) {
  return io_error(action, object, error_number, role).what();
}

void throw_io_error(std::string_view action, std::string_view object, int error_number, FileRole role) {
  throw io_error(action, object, error_number, role);
}

}  // namespace sortie

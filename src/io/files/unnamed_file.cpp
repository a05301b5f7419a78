#include "io/files/unnamed_file.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "base/random_bits.hpp"
#include "io/files/transfer.hpp"

namespace sortie {
namespace {

constexpr std::uint32_t kPrivateMode = 0600;

std::string random_path(const std::string& directory) {
  char name[32];
  std::snprintf(name, sizeof name, "/.sortie-%016" PRIx64, random_bits());
  return directory + name;
}

/// The link by which the kernel shows an open file: through it the file can be given a name without privileges.
std::string descriptor_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

Descriptor open_temporary(const std::string& directory, int flags, std::uint32_t mode) {
  return Descriptor(above_standard(retry_interrupted(
      [&] { return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | flags, static_cast<mode_t>(mode)); })));
}

/// Whether a file system or kernel answers that it does not know O_TMPFILE.
bool knows_no_temporary(int error_number) {
  return error_number == EOPNOTSUPP || error_number == EISDIR || error_number == EINVAL;
}

}  // namespace

Descriptor open_unnamed_file(const std::string& directory, TemporaryNames* names) {
  Descriptor file = open_temporary(directory, O_EXCL, kPrivateMode);
  return file.is_open() || !knows_no_temporary(errno) ? std::move(file) : open_and_unlink_file(directory, names);
}

Descriptor open_and_unlink_file(const std::string& directory, TemporaryNames* names) {
  const std::string path = random_path(directory);
  const auto lock = names == nullptr ? TemporaryNames::Lock() : names->hold();
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file(above_standard(retry_interrupted([&] { return ::open(path.c_str(), flags, kPrivateMode); })));
  if (file.is_open() && !unlink_file(path)) file.close();
  return file;
}

bool unlink_file(const std::string& path, int directory) noexcept {
  const auto is_gone = [&] {
    return retry_interrupted([&] { return ::unlinkat(directory, path.c_str(), 0); }) == 0 || errno == ENOENT;
  };
  return is_gone() || is_gone();
}

std::optional<Descriptor> open_unlinked_file(const std::string& directory, std::uint32_t mode) {
  Descriptor file = open_temporary(directory, 0, mode);
  if (!file.is_open()) return knows_no_temporary(errno) ? std::nullopt : std::optional(std::move(file));
  const std::string shown = descriptor_path(file.number());  // through /proc
  const bool can_be_named = retry_interrupted([&] { return ::access(shown.c_str(), F_OK); }) == 0;
  return can_be_named ? std::optional(std::move(file)) : std::nullopt;
}

int name_unlinked_file(int descriptor, const std::string& path) {
  const std::string shown = descriptor_path(descriptor);
  return retry_interrupted(
      [&] { return ::linkat(AT_FDCWD, shown.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW); });
}

}  // namespace sortie

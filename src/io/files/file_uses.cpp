#include "io/files/file_uses.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/folded_names.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

using Kind = FileUse::Kind;

/// Device and inode.
using Identity = std::pair<std::uint64_t, std::uint64_t>;

Identity identity_of(const FileStatus& status) { return {status.device, status.inode}; }

/// A file that exists, or the missing names that lead to it from a directory that exists.
struct Location {
  Identity there;
  std::vector<std::string> missing;
  FileStatus::Kind kind = FileStatus::Kind::kMissing;
  bool is_pipe = false;
  std::string existing_path;  // path of the file or directory that exists

  friend bool operator==(const Location& a, const Location& b) { return a.there == b.there && a.missing == b.missing; }
};

Location find_location(FileSystem& files, std::string path) {
  Location location;
  FileStatus status = files.status(path);
  location.kind = status.kind;
  location.is_pipe = status.is_pipe;
  if (status.kind == FileStatus::Kind::kMissing) path = files.resolve_links(path);
  while (status.kind == FileStatus::Kind::kMissing) {
    path = without_end_slashes(std::move(path));
    std::string directory = directory_of(path);
    if (directory == path) break;  // a root that does not exist
    if (std::string name = name_in_directory(path); name != ".") {
      location.missing.insert(location.missing.begin(), std::move(name));
    }
    path = std::move(directory);
    status = files.status(path);
  }
  location.there = identity_of(status);
  location.existing_path = std::move(path);
  return location;
}

bool is_target(const FileUse& use) { return use.kind == Kind::kOutput || use.kind == Kind::kTarget; }

Location location_of(FileSystem& files, const FileUse& use) {
  if (use.path == "-" && use.kind == Kind::kInput) return find_location(files, "/dev/stdin");
  if (use.path == "-" && is_target(use)) return find_location(files, "/dev/stdout");
  return find_location(files, use.path);
}

/// Whether the directory with this identity is at `path`, or above it.
bool is_above(FileSystem& files, const Identity& identity, std::string path) {
  std::optional<Identity> below;
  try {
    while (true) {
      const Identity here = identity_of(files.status(path));
      if (here == identity) return true;
      if (below == here) return false;  // the root lies in itself
      below = here;
      path += "/..";
    }
  } catch (const Error&) {
    return false;  // a directory above may not be examined
  }
}

/// Whether `location` lies in the directory, at whatever depth.
bool lies_in(FileSystem& files, const Location& directory, const Location& location) {
  if (!directory.missing.empty()) {
    return directory.there == location.there && directory.missing.size() < location.missing.size() &&
           std::equal(directory.missing.begin(), directory.missing.end(), location.missing.begin());
  }
  const bool is_file = location.missing.empty() && location.kind != FileStatus::Kind::kDirectory;
  const std::string path = is_file ? directory_of(files.resolve_links(location.existing_path)) : location.existing_path;
  return is_above(files, directory.there, path);
}

/// Whether two targets in one directory have names that its file system takes for the same.
bool names_are_one(FileSystem& files, const FileUse& target, const FileUse& other) {
  if (other.path == "-" || target.path == "-" || other.kind == Kind::kDirectory) return false;
  return lead_to_one_name(files, target.path, other.path);
}

/// Whether the rule applies to the two uses, of which the first is a target.
bool exclude_each_other(const FileUse& target, const FileUse& other) {
  return target.kind != Kind::kOutput || other.kind != Kind::kInput;
}

/// The same for a stream, which keeps nothing. Reading and writing one socket mixes nothing up.
bool exclude_each_other_in_stream(const Location& location, const FileUse& target, const FileUse& other) {
  return location.is_pipe && target.kind == Kind::kTarget && other.kind != Kind::kInput;
}

[[noreturn]] void refuse(const FileUse& target, const std::string& relation, const FileUse& other) {
  throw Error(target.name + " cannot be written to " + quote_path(target.path) + ", which " + relation + other.name +
              ": name another file");
}

/// Two texts on standard output would follow one another, whatever that leads to.
void refuse_shared_standard_output(const FileUse& target, const std::vector<FileUse>& uses) {
  for (const FileUse& other : uses) {
    if (&other != &target && target.path == "-" && other.path == "-" && is_target(other)) {
      refuse(target, "is also ", other);
    }
  }
}

void refuse_shared(FileSystem& files, const FileUse& target, const Location& target_location, const FileUse& other) {
  if (!exclude_each_other(target, other)) return;
  const Location location = location_of(files, other);
  const bool is_inside = other.kind == Kind::kDirectory && lies_in(files, location, target_location);
  if (!is_inside && !(target_location == location) && !names_are_one(files, target, other)) return;
  const bool is_stream = location.kind == FileStatus::Kind::kStream;
  if (is_stream && !exclude_each_other_in_stream(location, target, other)) return;
  refuse(target, is_inside ? "lies in " : "is also ", other);
}

}  // namespace

void refuse_shared_targets(FileSystem& files, const std::vector<FileUse>& uses) {
  for (const FileUse& target : uses) {
    const auto concerns = [&](const FileUse& other) { return &other != &target && exclude_each_other(target, other); };
    if (!is_target(target) || std::ranges::none_of(uses, concerns)) continue;
    refuse_shared_standard_output(target, uses);
    const Location location = location_of(files, target);
    if (location.kind == FileStatus::Kind::kStream && !location.is_pipe) continue;
    for (const FileUse& other : uses) {
      if (&other != &target) refuse_shared(files, target, location, other);
    }
  }
}

}  // namespace sortie

#include "io/files/folded_names.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/letter_case.hpp"
#include "base/random_bits.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

bool is_ascii(std::string_view name) {
  return std::ranges::all_of(name, [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

std::string folded(std::string_view name) {
  name = name.substr(0, name.find_last_not_of(". ") + 1);
  return in_lower_case(name);
}

}  // namespace

bool may_be_one_name(std::string_view a, std::string_view b) {
  if (a == b) return false;
  return !is_ascii(a) || !is_ascii(b) || folded(a) == folded(b);
}

bool are_one_name(FileSystem& files, const std::string& directory, const std::string& a, const std::string& b) {
  const std::string folder = directory.ends_with('/') ? directory : directory + "/";
  const std::string begin = folder + ".sortie-" + std::to_string(random_bits() % 1'000'000) + "-";
  // Both before the file is there: memory may not suffice for them.
  const std::string created = begin + a;
  const std::string other = begin + b;
  const TemporaryNames::Lock lock = files.hold_names();
  try {
    files.create(created);
  } catch (const Error&) {
    return false;
  }
  bool is_there = false;
  try {
    is_there = files.status(other).kind != FileStatus::Kind::kMissing;
  } catch (const Error&) {  // as a name that is too long
  } catch (...) {
    files.remove(created);
    throw;
  }
  files.remove(created);
  return is_there;
}

bool lead_to_one_name(FileSystem& files, const std::string& path, const std::string& other) {
  const std::string a = files.resolve_links(path);
  const std::string b = files.resolve_links(other);
  if (!may_be_one_name(name_in_directory(a), name_in_directory(b))) return false;
  const FileStatus directory = files.status(directory_of(a));
  const FileStatus other_directory = files.status(directory_of(b));
  return directory.kind == FileStatus::Kind::kDirectory && directory.device == other_directory.device &&
         directory.inode == other_directory.inode &&
         are_one_name(files, directory_of(a), name_in_directory(a), name_in_directory(b));
}

bool folds_names(FileSystem& files, const std::string& directory) {
  return are_one_name(files, directory, "a", "A") || are_one_name(files, directory, "\xC3\xA9", "e\xCC\x81");
}

}  // namespace sortie

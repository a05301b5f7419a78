#include "io/files/folded_names.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/random_bits.hpp"

namespace sortie {
namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool is_ascii(std::string_view name) {
  return std::ranges::all_of(name, [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

std::string folded(std::string_view name) {
  name = name.substr(0, name.find_last_not_of(". ") + 1);
  return in_lower_case(std::string(name));
}

}  // namespace

std::string in_lower_case(std::string name) {
  std::ranges::transform(name, name.begin(), lower);
  return name;
}

bool may_be_one_name(std::string_view a, std::string_view b) {
  if (a == b) return false;
  return !is_ascii(a) || !is_ascii(b) || folded(a) == folded(b);
}

bool are_one_name(FileSystem& files, const std::string& directory, const std::string& a, const std::string& b) {
  const std::string folder = directory.ends_with('/') ? directory : directory + "/";
  const std::string begin = folder + ".sortie-" + std::to_string(random_bits() % 1'000'000) + "-";
  try {
    files.create(begin + a);
  } catch (const Error&) {
    return false;
  }
  bool is_there = false;
  try {
    is_there = files.status(begin + b).kind != FileStatus::Kind::kMissing;
  } catch (const Error&) {  // as a name that is too long
  }
  files.remove(begin + a);
  return is_there;
}

}  // namespace sortie

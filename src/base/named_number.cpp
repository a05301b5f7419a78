#include "base/named_number.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace sortie {

std::optional<std::uint64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  // "max" and "-1" stand for no limit: they are no numbers.
  if (!(file >> word) || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  errno = 0;
  const std::uint64_t number = std::strtoull(word.c_str(), nullptr, 10);
  return errno == 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t value = 0;
    if (word == name && file >> value) return value;
  }
  return std::nullopt;
}

}  // namespace sortie

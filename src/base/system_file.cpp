#include "base/system_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/descriptor.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr std::string_view kBlanks = " \t\n";

/// "max" and "-1" stand for no limit: they are no numbers.
std::optional<std::uint64_t> number_in(std::string_view word) { return whole_number<std::uint64_t>(word); }

}  // namespace

std::string read_system_file(const std::string& path) {
  constexpr std::size_t kStepBytes = 4 << 10;  // most such files are smaller, and given at once
  std::string text;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return text;
  for (ssize_t got = 1; got != 0;) {
    const std::size_t begin = text.size();
    text.resize(begin + kStepBytes);
    got = ::read(file.number(), text.data() + begin, kStepBytes);
    text.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return {};
  }
  return text;
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> read_number(const std::string& path) {
  const std::string text = read_system_file(path);
  std::string_view rest = text;
  return number_in(next_word(rest));
}

std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name) {
  const std::string text = read_system_file(path);
  // To go through all words of /proc/self/status takes as long as all else that the report of a small sort needs.
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    std::string_view rest = std::string_view(text).substr(at);
    const bool begins_word = at == 0 || kBlanks.find(text[at - 1]) != std::string_view::npos;
    if (begins_word && next_word(rest) == name) return number_in(next_word(rest));
  }
  return std::nullopt;
}

}  // namespace sortie

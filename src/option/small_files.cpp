#include "option/small_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::option {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

std::string read_up_to(int descriptor, std::size_t limit, const ReadComplaint& unreadable) {
  std::string text;
  std::array<char, 65536> buffer;
  while (text.size() < limit) {
    const ssize_t bytes = ::read(descriptor, buffer.data(), std::min(buffer.size(), limit - text.size()));
    if (bytes == 0) break;
    if (bytes > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(bytes));
    } else if (errno != EINTR) {
      throw Error(unreadable(errno));
    }
  }
  return text;
}

/// The name in a line "NAME LENGTH ..." or "@SQ SN:NAME LN:LENGTH"; empty if there is none.
std::string_view chromosome_of(std::string_view line) {
  constexpr std::string_view kEnds = " \t\r";
  if (line.starts_with('#')) return {};
  if (!line.starts_with('@')) return line.substr(0, line.find_first_of(kEnds));
  const std::size_t at = line.starts_with("@SQ\t") ? line.find("\tSN:") : std::string_view::npos;
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + 4);
  return line.substr(0, line.find_first_of(kEnds));
}

}  // namespace

std::string read_small_file(const std::string& path, const ReadComplaint& unreadable, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "re"));
  if (!file) throw Error("open failed: " + quote_path(path) + ": " + std::strerror(errno));
  return read_up_to(::fileno(file.get()), limit, unreadable);
}

std::string read_standard_input(const ReadComplaint& unreadable) {
  return read_up_to(STDIN_FILENO, std::numeric_limits<std::size_t>::max(), unreadable);
}

std::vector<std::string> read_input_names(const std::string& path) {
  const auto unreadable = [&](int error_number) {
    const std::string complaint = "cannot read file names from " + quote_path_always(path);
    // GNU sort never says why. For something that cannot be a list at all, that is enough.
    const bool is_no_list = error_number == EISDIR || error_number == EBADF;
    return is_no_list ? complaint : complaint + ": " + std::strerror(error_number);
  };
  const std::string text = path == "-" ? read_standard_input(unreadable) : read_small_file(path, unreadable);
  std::vector<std::string> names;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    names.emplace_back(name);
  }
  if (names.empty()) throw Error("no input from " + quote_path_always(path));
  for (std::size_t i = 0; i < names.size(); ++i) {
    // This holds for any list, although the message speaks of standard input.
    if (names[i] == "-") {
      throw Error("when reading file names from stdin, no file name of '-' allowed");
    }
    if (names[i].empty()) {
      throw Error(quote_path(path) + ":" + std::to_string(i + 1) + ": invalid zero-length file name");
    }
  }
  return names;
}

std::vector<std::string> read_chromosome_names(const std::string& path) {
  const auto unreadable = [&](int error_number) {
    return "cannot read chromosomes from " + quote_path(path) + ": " + std::strerror(error_number);
  };
  const std::string text = read_small_file(path, unreadable);
  std::vector<std::string> names;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string_view name = chromosome_of(line);
    if (!name.empty()) names.emplace_back(name);
  }
  if (names.empty() || text.find('\0') != std::string::npos) {
    throw Error(quote_path(path) +
                " lists no chromosomes: name an index of FASTA (.fai), or a text with a name in each " + "line");
  }
  return names;
}

RandomSeed read_random_seed(const std::string& source) {
  RandomSeed seed;
  const std::string name = quote_word(source);
  const auto unreadable = [&](int error_number) { return name + ": read error: " + std::strerror(error_number); };
  const std::string bytes = read_small_file(source, unreadable, seed.size());
  if (bytes.size() < seed.size()) throw Error(name + ": end of file");
  std::memcpy(seed.data(), bytes.data(), seed.size());
  return seed;
}

}  // namespace sortie::option

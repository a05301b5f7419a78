#include "cli/options/small_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::cli {
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

}  // namespace

std::string read_small_file(const std::string& path, const ReadComplaint& unreadable, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "re"));
  if (!file) throw Error("open failed: " + quote_path(path) + ": " + std::strerror(errno));
  return read_up_to(::fileno(file.get()), limit, unreadable);
}

std::string read_standard_input(const ReadComplaint& unreadable) {
  return read_up_to(STDIN_FILENO, std::numeric_limits<std::size_t>::max(), unreadable);
}

}  // namespace sortie::cli

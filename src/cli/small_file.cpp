#include "cli/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

namespace sortie::cli {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) {
    do {
      number_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (number_ < 0 && errno == EINTR);
    if (number_ < 0) throw Error("open failed: " + quote_path(path) + ": " + std::strerror(errno));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }

  int number() const { return number_; }

 private:
  int number_ = -1;
};

std::string read_up_to(int descriptor, std::size_t limit, const std::string& unreadable) {
  std::string text;
  std::array<char, 65536> buffer;
  while (text.size() < limit) {
    const ssize_t bytes = ::read(descriptor, buffer.data(), std::min(buffer.size(), limit - text.size()));
    if (bytes == 0) break;
    if (bytes > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(bytes));
    } else if (errno != EINTR) {
      throw Error(unreadable);
    }
  }
  return text;
}

}  // namespace

std::string read_small_file(const std::string& path, const std::string& unreadable, std::size_t limit) {
  const Descriptor file(path);
  return read_up_to(file.number(), limit, unreadable);
}

std::string read_standard_input(const std::string& unreadable) {
  return read_up_to(STDIN_FILENO, std::numeric_limits<std::size_t>::max(), unreadable);
}

}  // namespace sortie::cli

#include "cli/options/random_seed.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/small_file.hpp"

namespace sortie::cli {

std::array<std::byte, 16> random_seed(const std::optional<std::string>& source) {
  std::array<std::byte, 16> seed;
  if (!source) {
    // getrandom() never returns fewer bytes if so few are asked for.
    if (::getrandom(seed.data(), seed.size(), 0) < 0) {
      throw Error(std::string("cannot get random bytes: ") + std::strerror(errno));
    }
    return seed;
  }
  const std::string name = quote_word(*source);
  const auto unreadable = [&](int error_number) { return name + ": read error: " + std::strerror(error_number); };
  const std::string bytes = read_small_file(*source, unreadable, seed.size());
  if (bytes.size() < seed.size()) throw Error(name + ": end of file");
  std::memcpy(seed.data(), bytes.data(), seed.size());
  return seed;
}

}  // namespace sortie::cli

#include "cli/self_test/named_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/random_bits.hpp"

namespace sortie::cli {
namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& path) {
  throw Error(
      "cannot " + std::string(what) + " " + quote_path(path) + ": " + std::strerror(errno) + "; keep files elsewhere",
      Remedy::kOtherScratch);
}

}  // namespace

NamedFile::NamedFile(const std::string& folder, std::string_view suffix, TemporaryNames& names)
    : entry_(&names, folder + "/sortie-self-test-" + std::to_string(random_bits()) + std::string(suffix)) {
  const TemporaryNames::Lock lock = entry_.hold();
  const int descriptor = ::open(path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) refuse("create", path());
  ::close(descriptor);
}

NamedFile::~NamedFile() { ::unlink(path().c_str()); }

void NamedFile::write(std::string_view bytes) const {
  std::ofstream out(path(), std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) refuse("write", path());
}

std::string NamedFile::read() const {
  std::ifstream in(path(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) refuse("read", path());
  return bytes;
}

}  // namespace sortie::cli

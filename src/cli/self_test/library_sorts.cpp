#include "cli/self_test/library_sorts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/join.hpp>
#include <sortie/sort.hpp>

#include "base/quote.hpp"
#include "base/random_bits.hpp"
#include "cli/options/command_line.hpp"

namespace sortie::cli {
namespace {

CommandLine command_of(const std::vector<std::string>& words, const SortOptions& resources) {
  return parse_command_line(words, "sortie", resources);
}

RecordSink sink_to(std::string& bytes) {
  return [&bytes](std::span<const std::byte> records) {
    bytes.append(reinterpret_cast<const char*>(records.data()), records.size());
  };
}

[[noreturn]] void refuse(std::string_view what, const std::string& path) {
  throw Error(
      "cannot " + std::string(what) + " " + quote_path(path) + ": " + std::strerror(errno) + "; keep files elsewhere",
      Remedy::kOtherScratch);
}

}  // namespace

SortOptions options_of(const std::vector<std::string>& words, const SortOptions& resources) {
  return command_of(words, resources).options;
}

RecordSource source_of(std::string_view bytes) {
  return [rest = bytes](std::span<std::byte> target) mutable {
    const std::size_t count = std::min(target.size(), rest.size());
    std::memcpy(target.data(), rest.data(), count);
    rest.remove_prefix(count);
    return count;
  };
}

Sorted sorted(SortOptions options) {
  Sorted result;
  if (options.output == "-") options.sink = sink_to(result.bytes);
  result.report = sort(options);
  if (!result.report.device_failure.empty()) throw Error(result.report.device_failure);
  return result;
}

std::string joined_rows(const std::vector<std::string>& words, const SortOptions& resources) {
  const CommandLine command = command_of(words, resources);
  JoinOptions options = command.join.value();
  options.sort = command.options;
  std::string rows;
  options.sort.sink = sink_to(rows);
  join(options);
  return rows;
}

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

#include "io/files/object_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr const char* kPackageRemedy = "objects need the Python package: pip install 'sortie-sort[objects]'";
/// How the program ends if it has told in one line what is wrong.
constexpr int kToldStatus = 2;

std::string cannot_run(const std::string& url) {
  return "cannot run 'python3 -m sortie.objects' for " + quote_path_always(url);
}

[[noreturn]] void refuse_end(const std::string& url, const std::string& reason) {
  const bool has_no_package = reason.find("No module named") != std::string::npos;
  throw Error(cannot_run(url) + ": " + reason + (has_no_package ? std::string("; ") + kPackageRemedy : ""));
}

/// The Python that this process is, as it was called; else the one beside this program, as commands of a package have
/// it; else the one of $PATH.
std::string python() {
  std::string own = program_invocation_name;
  if (own.substr(own.rfind('/') + 1).starts_with("python")) return own;
  std::array<char, PATH_MAX> path;
  const ssize_t bytes = ::readlink("/proc/self/exe", path.data(), path.size());
  if (bytes <= 0) return "python3";
  std::string beside(path.data(), static_cast<std::size_t>(bytes));
  beside.resize(beside.rfind('/') + 1);
  beside += "python3";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : "python3";
}

ChildProgram object_program(const std::string& url, ObjectProcess::Work work, std::vector<std::string> arguments) {
  const bool gets = work == ObjectProcess::Work::kGet;
  std::vector<std::string> words = {python(), "-P", "-m", "sortie.objects", gets ? "get" : "put"};
  std::ranges::move(arguments, std::back_inserter(words));
  words.push_back(url);
  return {std::move(words), "the process for " + quote_path_always(url), cannot_run(url), kPackageRemedy};
}

ChildStreams object_streams(ObjectProcess::Work work) {
  const bool gets = work == ObjectProcess::Work::kGet;
  return {.input = gets ? ChildStream::kNull : ChildStream::kPipe,
          .output = gets ? ChildStream::kPipe : ChildStream::kNull,
          .errors = ChildStream::kPipe};
}

}  // namespace

ObjectProcess::ObjectProcess(std::string url, Work work, std::vector<std::string> arguments)
    : url_(std::move(url)),
      work_(work),
      child_(object_program(url_, work, std::move(arguments)), object_streams(work)) {}

ObjectProcess::~ObjectProcess() {
  if (work_ == Work::kGet) return;
  // It has to give up what it began: the end of its input tells it to.
  child_.input().close();
  child_.wait_for_sure();
}

std::size_t ObjectProcess::read(std::span<std::byte> target) {
  if (!bytes().is_open() || target.empty()) return 0;
  std::optional<std::size_t> bytes_read;
  while (!(bytes_read = child_.read(bytes(), target))) child_.wait_until_ready(false, &bytes());
  if (*bytes_read == 0) finish();
  return *bytes_read;
}

void ObjectProcess::write(std::span<const std::byte> source) {
  while (!source.empty()) {
    const std::optional<std::size_t> taken = child_.write(source);
    if (!taken) {
      finish();
      refuse_end(url_, "it has ended before its time");
    }
    source = source.subspan(*taken);
    if (*taken == 0) child_.wait_until_ready(true, nullptr);
  }
}

void ObjectProcess::finish() {
  bytes().close();
  const std::string line = last_line();
  const std::optional<int> status = child_.wait();
  // If the status is lost, what the program says is left.
  if (status ? WIFEXITED(*status) && WEXITSTATUS(*status) == 0 : line.empty()) return;
  if (!line.empty() && (!status || (WIFEXITED(*status) && WEXITSTATUS(*status) == kToldStatus))) throw Error(line);
  refuse_end(url_, line.empty() ? "it was ended by a signal" : line);
}

/// What it has said, to its end.
std::string ObjectProcess::last_line() {
  constexpr std::size_t kMostBytes = 64 << 10;
  std::string said;
  std::array<char, 4096> piece;
  while (true) {
    const std::optional<std::size_t> bytes = child_.read(child_.errors(), std::as_writable_bytes(std::span(piece)));
    if (bytes == 0) break;
    if (!bytes) {
      child_.wait_until_ready(false, &child_.errors());
      continue;
    }
    said.append(piece.data(), *bytes);
    if (said.size() > kMostBytes) said.erase(0, said.size() - kMostBytes);
  }
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.substr(said.rfind('\n') + 1);
}

}  // namespace sortie

#include "io/files/filter_process.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <sys/wait.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

ChildProgram filter_program(const std::string& path, FilterProcess::Work work) {
  const bool decompresses = work == FilterProcess::Work::kDecompress;
  std::vector<std::string> words = {path};
  if (decompresses) words.emplace_back("-d");
  const std::string called = "compress program " + quote_word(path);
  return {std::move(words), "the " + called, "couldn't execute " + called + (decompresses ? " (with -d)" : ""), ""};
}

}  // namespace

FilterProcess::FilterProcess(std::string path, Work work)
    : path_(std::move(path)),
      child_(filter_program(path_, work), {.input = ChildStream::kPipe, .output = ChildStream::kPipe}) {}

FilterProcess::Moved FilterProcess::pump(std::span<const std::byte> input, std::span<std::byte> target) {
  Moved moved;
  while (moved.taken == 0 && moved.made == 0 && !output_has_ended()) {
    const ChildProcess::Ready ready = child_.wait_until_ready(!input.empty(), &child_.output());
    if (ready.takes) {
      const std::optional<std::size_t> taken = child_.write(input);
      if (!taken) end_input();  // the program has closed it, and may go on
      moved.taken = taken.value_or(0);
    }
    if (ready.gives) {
      const std::optional<std::size_t> made = child_.read(child_.output(), target);
      if (made == 0) child_.output().close();
      moved.made = made.value_or(0);
    }
  }
  return moved;
}

void FilterProcess::finish() {
  end_input();
  // A program may live on after it has closed its output. If its status is lost, a bad result is found when it is read.
  const int status = child_.wait().value_or(0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw Error(quote_path_always(path_) + " [-d] terminated abnormally; run it by hand to see why");
}

}  // namespace sortie

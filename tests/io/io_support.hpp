// Shared parts of the tests of files: bytes from text, outputs into strings, redirected standard streams, error
// messages.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "io/input/input.hpp"
#include "io/output/output.hpp"
#include "support/error_of.hpp"
#include "support/text_bytes.hpp"

namespace sortie::test {

/// Text that repeats itself a little.
inline std::string words(std::size_t bytes, std::mt19937::result_type seed = 5) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() % 1000) + " words\n";
  text.resize(bytes);
  return text;
}

/// Reads all of an input, `step` bytes at a time.
inline std::string read_all(Input& input, std::size_t step = 1 << 16) {
  std::string all;
  std::string part(step, '?');
  for (;;) {
    const std::size_t bytes = input.read(as_writable(part));
    all.append(part, 0, bytes);
    if (bytes < step) return all;
  }
}

struct StringOutput final : Output {
  explicit StringOutput(std::string& target) : contents(target) {}
  void write(std::span<const std::byte> bytes) override {
    contents.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void expect(std::uint64_t) override {}
  void write_around_cache() override {}
  void finish() override {}

  std::string& contents;
};

/// What the output that `make` makes with `options` makes of `contents`, written `step` bytes at a time.
template <class Make, class... Options>
std::string pack(const Make& make, const std::string& contents, std::size_t step, unsigned threads,
                 Options... options) {
  std::string packed;
  ThreadTeam team(threads);
  team.run([&] {
    const std::unique_ptr<Output> output = make(std::make_unique<StringOutput>(packed), options...);
    for (std::size_t at = 0; at < contents.size(); at += step) {
      output->write(as_bytes(contents).subspan(at, std::min(step, contents.size() - at)));
    }
    output->finish();
  });
  return packed;
}

/// Puts another open file in the place of a standard stream until it is destroyed.
class Redirection {
 public:
  /// Takes ownership of `replacement`.
  Redirection(int standard, int replacement) : standard_(standard), saved_(::dup(standard)) {
    EXPECT_GE(replacement, 0);
    ::dup2(replacement, standard_);
    ::close(replacement);
  }
  ~Redirection() {
    ::dup2(saved_, standard_);
    ::close(saved_);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

 private:
  int standard_;
  int saved_;
};

/// The read end of a pipe that holds `contents`, which must fit the pipe (64 KiB).
inline int pipe_with(std::string_view contents) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], contents.data(), contents.size()), static_cast<ssize_t>(contents.size()));
  ::close(ends[1]);
  return ends[0];
}

/// Gives up root's powers until it is destroyed, so that permissions matter in tests run by root.
class Unprivileged {
 public:
  Unprivileged() { change(kNobody); }
  ~Unprivileged() { change(0); }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;

  void change(uid_t user) const {
    if (was_root_ && ::seteuid(user) != 0) ADD_FAILURE() << "cannot become user " << user;
  }

  bool was_root_ = ::geteuid() == 0;
};

}  // namespace sortie::test

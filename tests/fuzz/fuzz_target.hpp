// Shared parts of the fuzz targets. A target is one file with one function that takes any bytes and aborts if a
// promise is broken. libFuzzer feeds it made-up bytes, replay_corpus.cpp the files of corpus/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include <sortie/error.hpp>

// Both callers look it up by this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sortie::fuzz {

/// Ends the process, with a stack trace under a sanitizer, unless `promise` holds.
inline void require(bool promise, const char* meaning) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", meaning);
  std::abort();
}

/// Takes an input apart from its front. Once it is used up, it reads as zero or as nothing.
class InputReader {
 public:
  InputReader(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    const std::string_view taken = take(1);
    return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken[0]);
  }
  /// Takes two bytes.
  std::size_t number() {
    const std::size_t low = byte();
    return low | static_cast<std::size_t>(byte()) << 8;
  }
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  /// Takes the text up to the next `separator`, and skips the separator.
  std::string_view take_until(char separator) {
    const std::string_view taken = rest_.substr(0, rest_.find(separator));
    rest_.remove_prefix(std::min(rest_.size(), taken.size() + 1));
    return taken;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// For targets that may refuse their input with an Error, as long as everything else holds. Returns what a target
/// returns.
inline int check_unless_refused(void (*check)(InputReader), InputReader input) {
  try {
    check(input);
  } catch (const Error&) {
  }
  return 0;
}

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace sortie::fuzz

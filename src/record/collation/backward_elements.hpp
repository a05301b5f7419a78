// Which characters and bytes of the current locale are compared backward on the second level, as far as strcoll() shows
// it: see UnseenWeights. Each is tried out when it is first met.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sortie {

class BackwardElements {
 public:
  BackwardElements();

  /// Whether there are any. If not, strcoll() passes over nothing.
  bool any() const { return any_; }

  /// Whether the character `element` is one; false unless any().
  bool is_backward(std::string_view element) const;

  /// What strcoll() compares of `second`, the second level of strxfrm() of `text`. All of it if the elements of `text`
  /// are not its characters one by one. Thread-safe.
  std::string seen_weights(std::string_view text, std::string_view second) const;

 private:
  struct Element {
    std::uint8_t weights = 0;  // on the second level
    bool backward = false;
    bool of_bytes = false;  // not known to the locale: each of its bytes is an element
  };

  static constexpr std::size_t kKnownCharacters = 0x20000;  // of Unicode; others are tried out each time

  static Element try_out(const std::string& bytes);
  Element element(std::size_t index, std::string_view bytes) const;
  Element byte_element(char byte) const;

  bool any_ = false;
  std::unique_ptr<std::atomic<std::uint8_t>[]> known_;  // of characters, then of bytes that are none
};

}  // namespace sortie

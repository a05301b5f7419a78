// Keys of text in a locale, as far as they are proven: the weights of its first level, on which strcoll() and strxfrm()
// agree. Texts with the same key must be asked about with strcoll(). The key writer makes one key for each text.
//
// Weights are those of the elements of the text one after the other. What an element weighs is learnt from strxfrm()
// when it is first met; which characters are elements, and which strings of several are, CollatingElements tells.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/collation/collating_elements.hpp"
#include "record/collation/locale_handle.hpp"
#include "record/collation/weight_code.hpp"

namespace sortie {

class FirstLevel {
 public:
  /// Takes some milliseconds.
  explicit FirstLevel(const LocaleHandle& locale);

  /// Replaces `key` by the bytes of the key of `text`; by none where nothing is proven. Of a text with NULs what is in
  /// front of the first counts. Of two texts that strcoll() tells apart on the first level it is the lesser one whose
  /// key is less by memcmp; the keys of all others are equal. Thread-safe.
  void assign_key(std::string_view text, std::string& key) const;

 private:
  /// Up to 7 bytes of a key from the lowest on, and in the highest how many they are, or one of these.
  using ElementKey = std::uint64_t;
  static constexpr unsigned kShift = 56;
  static constexpr ElementKey kUnknown = 0;
  static constexpr ElementKey kKnown = ElementKey{0x80} << kShift;
  static constexpr ElementKey kMayJoin = ElementKey{0x40} << kShift;  // a longer element may begin here
  static constexpr ElementKey kStrange = ElementKey{0x20} << kShift;  // its key is too long
  static constexpr ElementKey kSize = 7;

  struct Joined {
    std::string tail;  // behind the first character
    ElementKey key;
  };

  using Charset = CollatingElements::Charset;

  struct Character {
    std::size_t place;  // its number, or its byte
    std::size_t bytes;
  };

  std::string transformed(const std::string& text) const;
  std::vector<Weight> usual_weights() const;
  void learn_joined(const CollatingElements& elements);
  ElementKey learn(const std::string& element) const;
  Character character_at(std::string_view text) const;
  const Joined* find_joined(std::size_t place, std::string_view behind) const;
  char* put_elements(std::string_view text, char* out) const;

  LocaleHandle locale_;
  bool is_proven_ = false;
  bool by_elements_ = false;
  Charset charset_ = Charset::kOther;
  std::optional<WeightCode> code_;
  std::unique_ptr<std::atomic<ElementKey>[], void (*)(void*)> known_;  // by place
  std::unordered_map<std::size_t, std::vector<Joined>> joined_;  // by the place of the first character; longest first
};

}  // namespace sortie

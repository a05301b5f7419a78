// Keys of text in a locale, as far as they are proven: the weights of its first level, on which strcoll() and strxfrm()
// agree. Texts with the same key must be compared by strcoll(). The key writer makes one key for each text.
//
// The weights are those of the text's elements one after the other. The weight of an element is learnt from strxfrm()
// when it is first met; CollatingElements says which characters, and which strings of several, are elements.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/collation/collated_text.hpp"
#include "record/collation/collating_elements.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {

// Codes weights of the first level in few bytes: in one byte those of the letters that are usual in a locale. The codes
// keep the order of the weights, and no code is a prefix of another.
//
//   | gap 0 | usual weight 0 | gap 1 | usual weight 1 | ... | gap n | weights of three bytes or more, by their first |
//
// The code of a weight in a gap is the byte of the gap and then its own bytes. In a weight of three bytes or more, a
// byte of ours replaces the first.
class WeightCode {
 public:
  /// The most weights that can have a byte of their own.
  static constexpr std::size_t kMostUsual = (kKeyBytes - 1 - 32) / 2;
  /// The most bytes of a code.
  static constexpr std::size_t kMostBytes = 6;

  /// `usual`: in any order, repeated or not; those of three bytes or more do not count, nor do those behind the first
  /// kMostUsual.
  explicit WeightCode(const std::vector<Weight>& usual);

  /// Writes the code of a weight; returns where the next goes.
  char* put(Weight weight, char* out) const;

 private:
  std::vector<Weight> usual_;  // ascending
};

class FirstLevel {
 public:
  explicit FirstLevel(const LocaleHandle& locale);

  /// Replaces `key` by the bytes of the key of `text`, or by none if nothing is proven. Only the text in front of its
  /// first NUL counts. If strcoll() tells two texts apart on the first level, the key of the lesser one is less by
  /// memcmp; all others have equal keys. Thread-safe.
  void assign_key(std::string_view text, std::string& key) const;

 private:
  /// Up to 7 bytes of a key, from the lowest byte on. The highest byte holds their number, and flags:
  using ElementKey = std::uint64_t;
  static constexpr unsigned kShift = 56;
  static constexpr ElementKey kKnown = ElementKey{0x80} << kShift;
  static constexpr ElementKey kMayJoin = ElementKey{0x40} << kShift;  // a longer element may begin here
  static constexpr ElementKey kStrange = ElementKey{0x20} << kShift;  // its key is too long
  static constexpr ElementKey kSize = 7;

  struct Joined {
    std::string tail;  // bytes behind the first character
    ElementKey key;
  };

  using Charset = CollatingElements::Charset;

  struct Character {
    std::size_t position;  // its number in Unicode, or its byte
    std::size_t bytes;
  };

  std::string transformed(const std::string& text) const;
  std::vector<Weight> usual_weights() const;
  bool note_joined(std::vector<std::string> elements);
  void learn_joined() const;
  ElementKey learn(const std::string& element) const;
  Character character_at(std::string_view text) const;
  const Joined* find_joined(std::size_t position, std::string_view behind) const;
  char* put_elements(std::string_view text, char* out) const;

  LocaleHandle locale_;
  bool is_proven_ = false;
  bool by_elements_ = false;
  Charset charset_ = Charset::kOther;
  std::optional<WeightCode> code_;
  std::unique_ptr<std::atomic<ElementKey>[], void (*)(void*)> known_;  // keys of characters by their position
  // Most texts hold no element of several characters, and a locale may have hundreds: they are learnt when one may
  // come.
  std::vector<std::string> elements_of_several_;
  std::bitset<256> tail_begins_;  // bytes with which Joined::tail begins
  mutable std::once_flag joined_is_learnt_;
  mutable std::unordered_map<std::size_t, std::vector<Joined>>
      joined_;  // by the position of the first character; longest first
};

}  // namespace sortie

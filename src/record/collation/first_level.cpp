#include "record/collation/first_level.hpp"

#include <langinfo.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/bytes.hpp"
#include "record/collation/collated_text.hpp"
#include "record/collation/collating_elements.hpp"

namespace sortie {
namespace {

constexpr std::size_t kUnicodeCharacters = 0x110000;
constexpr std::size_t kMostElementKeyBytes = 7;
constexpr std::size_t kNoPosition = ~std::size_t{0};

/// Items whose words are made of the letters of the language.
constexpr std::array<nl_item, 38> kWords = {DAY_1,   DAY_2,   DAY_3,   DAY_4,    DAY_5,    DAY_6,   DAY_7,   ABDAY_1,
                                            ABDAY_2, ABDAY_3, ABDAY_4, ABDAY_5,  ABDAY_6,  ABDAY_7, MON_1,   MON_2,
                                            MON_3,   MON_4,   MON_5,   MON_6,    MON_7,    MON_8,   MON_9,   MON_10,
                                            MON_11,  MON_12,  ABMON_1, ABMON_2,  ABMON_3,  ABMON_4, ABMON_5, ABMON_6,
                                            ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11, ABMON_12};

/// The number of the UTF-8 character of `size` bytes at the begin of `text`, or kNoPosition if the bytes are no
/// character.
inline std::size_t utf8_character(const char* text, std::size_t size, std::size_t left) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
  if (left < size || size == 1) return kNoPosition;
  std::size_t bits = byte(0) & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kNoPosition;
    bits = bits << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::size_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = bits >= 0xD800 && bits < 0xE000;
  return bits < kLeast[size] || bits >= kUnicodeCharacters || is_surrogate ? kNoPosition : bits;
}

constexpr unsigned kFirstLongLead = 0xE0;
constexpr unsigned kLongLeads = 0x100 - kFirstLongLead;

constexpr char gap_byte(std::size_t rank) { return static_cast<char>(key_byte(static_cast<unsigned>(2 * rank))); }
constexpr char own_byte(std::size_t rank) { return static_cast<char>(key_byte(static_cast<unsigned>(2 * rank + 1))); }
constexpr char lead_byte(unsigned lead) {
  return static_cast<char>(key_byte(kKeyBytes - kLongLeads + (lead - kFirstLongLead)));
}

constexpr unsigned first_byte_of(Weight weight) { return static_cast<unsigned>(weight >> 56); }

char* put_bytes(Weight weight, char* out) {
  for (; weight != 0; weight <<= 8) *out++ = static_cast<char>(first_byte_of(weight));
  return out;
}

}  // namespace

WeightCode::WeightCode(const std::vector<Weight>& usual) {
  for (const Weight weight : usual) {
    const bool is_new = std::ranges::find(usual_, weight) == usual_.end();
    if (is_new && first_byte_of(weight) < kFirstLongLead && usual_.size() < kMostUsual) usual_.push_back(weight);
  }
  std::ranges::sort(usual_);
}

char* WeightCode::put(Weight weight, char* out) const {
  const unsigned first = first_byte_of(weight);
  if (first >= kFirstLongLead) {
    *out++ = lead_byte(first);
    return put_bytes(weight << 8, out);
  }
  const auto position = std::ranges::lower_bound(usual_, weight);
  const auto rank = static_cast<std::size_t>(position - usual_.begin());
  const bool is_usual = position != usual_.end() && *position == weight;
  *out++ = is_usual ? own_byte(rank) : gap_byte(rank);
  return is_usual ? out : put_bytes(weight, out);
}

FirstLevel::FirstLevel(const LocaleHandle& locale) : locale_(locale), known_(nullptr, std::free) {
  CollatingElements elements(locale.get());
  is_proven_ = elements.first_level_is_plain();
  if (!is_proven_) return;
  charset_ = elements.charset();
  const std::size_t count = charset_ == Charset::kUtf8 ? kUnicodeCharacters : 256;
  // Pages of characters that never come are never touched.
  known_.reset(static_cast<std::atomic<ElementKey>*>(std::calloc(count, sizeof(std::atomic<ElementKey>))));
  if (!known_) throw std::bad_alloc();
  code_.emplace(usual_weights());
  by_elements_ =
      charset_ != Charset::kOther && !elements.begins_within_character() && note_joined(elements.take_joined());
}

// The weights of ASCII characters come first. One call of strxfrm() takes a third of the time of one for each text.
std::vector<Weight> FirstLevel::usual_weights() const {
  std::string text;
  for (char byte = ' '; byte < 0x7F; ++byte) text.push_back(byte);
  for (const nl_item item : kWords) text.append(" ").append(::nl_langinfo_l(item, locale_.get()));
  const std::string level = transformed(text);
  std::vector<Weight> weights;
  std::string_view rest = level;
  for (Weight weight = take_weight(rest); weight != 0; weight = take_weight(rest)) weights.push_back(weight);
  return weights;
}

// Returns the first level of strxfrm().
std::string FirstLevel::transformed(const std::string& text) const {
  std::string level;
  append_transformed_piece(locale_, text, level);
  level.resize(std::min(level.find(kLevelSeparator), level.size()));
  return level;
}

// Returns false if one of them begins with no character.
bool FirstLevel::note_joined(std::vector<std::string> elements) {
  for (const std::string& element : elements) {
    const Character first = character_at(element);
    if (first.position == kNoPosition) return false;
    known_[first.position] = kMayJoin;
    tail_begins_.set(static_cast<unsigned char>(element[first.bytes]));
  }
  elements_of_several_ = std::move(elements);
  return true;
}

void FirstLevel::learn_joined() const {
  for (const std::string& element : elements_of_several_) {
    const Character first = character_at(element);
    joined_[first.position].push_back({element.substr(first.bytes), learn(element)});
  }
  for (auto& [position, tails] : joined_) {
    std::ranges::stable_sort(tails, std::ranges::greater(), [](const Joined& joined) { return joined.tail.size(); });
  }
}

FirstLevel::ElementKey FirstLevel::learn(const std::string& element) const {
  const std::string level = transformed(element);
  std::array<char, kMostElementKeyBytes + 2 * WeightCode::kMostBytes> key{};
  char* end = key.data();
  for (std::string_view rest = level; const Weight weight = take_weight(rest);) {
    end = code_->put(weight, end);
    if (end > key.data() + kMostElementKeyBytes) return kKnown | kStrange;
  }
  ElementKey packed = load_as<ElementKey>(key.data());
  const auto size = static_cast<ElementKey>(end - key.data());
  return packed | size << kShift | kKnown;
}

FirstLevel::Character FirstLevel::character_at(std::string_view text) const {
  const auto first = static_cast<unsigned char>(text.front());
  if (charset_ != Charset::kUtf8 || first < 0x80) return {first, 1};
  const std::size_t bytes = utf8_bytes(first);
  return {utf8_character(text.data(), bytes, text.size()), bytes};
}

const FirstLevel::Joined* FirstLevel::find_joined(std::size_t position, std::string_view behind) const {
  if (behind.empty() || !tail_begins_[static_cast<unsigned char>(behind.front())]) return nullptr;
  std::call_once(joined_is_learnt_, [this] { learn_joined(); });
  const std::vector<Joined>& tails = joined_.find(position)->second;
  const auto found = std::ranges::find_if(tails, [&](const Joined& joined) { return behind.starts_with(joined.tail); });
  return found == tails.end() ? nullptr : &*found;
}

// Returns the end of the key; null if the text cannot be keyed by its elements.
char* FirstLevel::put_elements(std::string_view text, char* out) const {
  while (!text.empty()) {
    const Character character = character_at(text);
    if (character.position == kNoPosition) return nullptr;
    ElementKey key = known_[character.position].load(std::memory_order_relaxed);
    std::size_t bytes = character.bytes;
    if ((key & kKnown) == 0) [[unlikely]] {
      key |= learn(std::string(text.substr(0, bytes)));
      known_[character.position].store(key, std::memory_order_relaxed);
    }
    if ((key & kMayJoin) != 0) [[unlikely]] {
      if (const Joined* const joined = find_joined(character.position, text.substr(bytes))) {
        key = joined->key;
        bytes += joined->tail.size();
      }
    }
    if ((key & kStrange) != 0) [[unlikely]]
      return nullptr;
    store_as(out, key);
    out += key >> kShift & kSize;
    text.remove_prefix(bytes);
  }
  return out;
}

void FirstLevel::assign_key(std::string_view text, std::string& key) const {
  key.clear();
  if (!is_proven_) return;
  text = text.substr(0, text.find('\0'));
  if (by_elements_) {
    key.resize(kMostElementKeyBytes * text.size() + sizeof(ElementKey));
    if (const char* const end = put_elements(text, key.data())) {
      return key.resize(static_cast<std::size_t>(end - key.data()));
    }
  }
  const std::string level = transformed(std::string(text));
  key.resize(WeightCode::kMostBytes * level.size());
  char* end = key.data();
  std::string_view rest = level;
  for (Weight weight = take_weight(rest); weight != 0; weight = take_weight(rest)) end = code_->put(weight, end);
  key.resize(static_cast<std::size_t>(end - key.data()));
}

}  // namespace sortie

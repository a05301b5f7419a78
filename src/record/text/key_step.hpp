// One key of an order of lines, ready to be made and written: the only code that knows every kind of key. The record
// codec has one per key and gives it the text of the key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/collation/first_level.hpp"
#include "record/json/json_finder.hpp"
#include "record/record_order.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/key_writer.hpp"
#include "record/text/missing_words.hpp"
#include "record/text/name_keys.hpp"
#include "record/text/normal_form.hpp"
#include "record/text/number_key.hpp"
#include "record/text/random_key.hpp"
#include "record/text/text_filter.hpp"
#include "record/text/text_locale.hpp"
#include "record/time/written_time.hpp"

namespace sortie {

/// Where the keys of an encoded line end, and where the ranks of its collated keys are. The record codec writes lines
/// by it and reads them again.
///
///   | key 1 | end | rank | key 2 | end | ...             a rank only behind a collated key
class KeyLayout {
 public:
  void add(std::byte end_mark, bool is_collated);

  std::size_t size() const { return keys_.size(); }
  std::size_t collated_count() const { return collated_.size(); }
  bool is_collated(std::size_t key) const { return keys_[key].is_collated; }
  std::byte end_mark(std::size_t key) const { return keys_[key].end_mark; }
  /// The number of a collated key among all. Precondition: rank < collated_count().
  std::size_t collated_key(std::size_t rank) const { return collated_[rank]; }

  /// Offset behind the end mark of a key that begins at `at`.
  std::size_t behind_mark(Record line, std::size_t at, std::size_t key) const;
  /// Offset behind the rank that follows that mark, if one does.
  std::size_t behind_key(std::size_t behind_mark, std::size_t key) const;
  /// Offset behind the first `count` keys.
  std::size_t behind_keys(Record line, std::size_t count) const;
  /// Offset of a rank. The bytes in front of it tell lines apart without it.
  std::size_t rank_offset(Record line, std::size_t rank) const;

 private:
  struct Key {
    std::byte end_mark;
    bool is_collated;
  };

  std::vector<Key> keys_;
  std::vector<std::size_t> collated_;
};

/// What the keys of one order have in common. Must outlive them.
struct KeySurroundings {
  TextLocale locale;
  const FirstLevel* first_level = nullptr;  ///< null: text orders by its bytes
  RandomSeed random_seed{};
  char delimiter = '\n';
  std::optional<std::int32_t> last_day = {};    ///< TextOrder::last_day
  std::string separator = {};                   ///< TextOrder::separator
  std::shared_ptr<const TimeZones> zones = {};  ///< of times; null: none
  MissingWords missing_words = {};              ///< TextOrder::missing_words
};

class KeyStep {
 public:
  /// `complemented`: its bytes are complemented, so that they order in the opposite direction. `subject`: the number by
  /// which guesses about its texts are counted; none: they are not.
  KeyStep(const TextKey& key, const KeySurroundings& surroundings, bool complemented,
          std::optional<std::size_t> subject = {});

  const TextKey& key() const { return key_; }
  std::byte end_mark() const { return writer_.end_mark(); }
  const KeyWriter& writer() const { return writer_; }
  /// Whether it orders by strcoll(): the rank of its text follows it.
  bool is_collated() const { return key_.kind == TextKind::kText && !by_bytes_; }

  /// The part of the key's text that counts; it may lie in `scratch`.
  std::string_view counting_text(std::string_view text, std::string& scratch) const;

  /// Appends the key that `text` makes, with its end mark. From the begin of `text`, `readable` bytes may be read.
  void write(std::string_view text, std::size_t readable, EncodedLines& out) const {
    if (way_ == Way::kBytes) {
      write_bytes(text, out);
    } else if (way_ == Way::kNumber) {
      write_number(text, readable, out);
    } else {
      write_other(text, readable, out);
    }
  }

  /// The same for a column that the record lacks: the key of an empty one. Counts no guess.
  void write_lacking(EncodedLines& out) const { may_be_missing_ ? write_missing(out) : write_nothing(out); }

  /// The same for a value of JSON. From its begin, `readable` bytes may be read.
  void write_value(const JsonValue& value, std::size_t readable, EncodedLines& out) const;

 private:
  /// The shortest ways of most keys, of whose texts no guesses are counted; kOther is for all else.
  enum class Way : std::uint8_t { kBytes, kNumber, kOther };

  void write_bytes(std::string_view text, EncodedLines& out) const {
    out.extend_to(writer_.write(text, out.room(KeyWriter::room(text.size()))));
  }
  void write_number(std::string_view text, std::size_t readable, EncodedLines& out) const {
    write_plain(number_key_room(text.size()), out,
                [&](std::byte* begin) { return write_number_key(text, readable, surroundings_->locale, begin); });
  }
  /// Appends the key that `write`, which returns its end, writes in `room` bytes. None of it needs an escape.
  template <class Write>
  void write_plain(std::size_t room, EncodedLines& out, const Write& write) const {
    std::byte* const begin = out.room(room + 1);
    out.extend_to(writer_.finish_plain(begin, write(begin)));
  }
  Way shortest_way() const;
  void count_guesses(std::string_view text, EncodedLines& out) const;
  void count_number(NumberExtent extent, GuessKind unread, std::string_view text, EncodedLines& out) const;
  void guess(GuessKind kind, std::string_view text, EncodedLines& out) const {
    if (subject_) out.guess(kind, *subject_, text);
  }
  void write_mark(unsigned mark, EncodedLines& out) const;
  bool is_missing(const JsonValue& value) const;
  void write_missing(EncodedLines& out) const;
  void write_nothing(EncodedLines& out) const;
  void write_time(std::string_view text, EncodedLines& out) const;
  void write_other(std::string_view text, std::size_t readable, EncodedLines& out) const;
  void write_counted(std::string_view text, std::size_t readable, EncodedLines& out) const;
  void write_uncounted(std::string_view text, std::size_t readable, EncodedLines& out) const;
  /// The text in its normal form, which may lie in `scratch`.
  std::string_view normal_text(std::string_view text, std::string& scratch) const;
  void append_random(std::string_view text, EncodedLines& out) const;

  TextKey key_;
  const KeySurroundings* surroundings_;
  bool has_type_;         // or options: of JSON, the text of a value counts, not its type
  bool may_be_missing_;   // a number, in place of which a word may stand that is none
  bool lacks_exponents_;  // what it reads as a number has none, but numbers of JSON have
  bool by_bytes_;         // text that is compared byte by byte: the writer filters it
  TextFilter filter_;
  TimeReader time_;
  ListedNames names_;
  std::optional<HashKey> hash_;
  KeyWriter writer_;
  std::optional<std::size_t> subject_;
  bool is_one_field_;  // or one value: other texts may go on behind a number
  Way way_;
};

/// Appends the proven part of the key of collated `text`, with its end mark, and an open rank.
void write_collated_key(const FirstLevel& first_level, const KeyWriter& writer, std::string_view text,
                        EncodedLines& out);

}  // namespace sortie

// The keys of records as the output shows them: whether they are equal, and their texts. Keys that a sort made are cut
// off by then, so they are made again, for few records: where parts end. Used by parts alone.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <sortie/format.hpp>

#include "pipeline/parts/part_records.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/key_texts.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// How the output shows records, and what is known of their order.
struct ShownRecords {
  Format format;              ///< of the records as they are read and written; columns have been found
  bool are_counted = false;   ///< lines with their count in front
  bool may_disagree = false;  ///< equal keys need not be one behind the other: inputs of a merge may not be sorted
  bool are_groups = false;    ///< their keys come as GroupState::key_texts()
};

class PartKeys {
 public:
  /// With `first_only`, the first key alone counts. Not for shuffles, which have none.
  PartKeys(const ShownRecords& shown, bool first_only);

  /// Remembers a key. Here and below, keys are told by what PartRecords has for it.
  void take(Record keyed) { taken_ = key_of(keyed); }
  bool has_taken() const { return !taken_.empty(); }
  void forget() { taken_.clear(); }

  /// Whether a record has the key that was taken.
  bool repeats(Record keyed) const;

  /// How many bytes at the beginning hold records with the key that was taken. Looks at few of them, unless keys may
  /// disagree.
  std::size_t repeating_bytes(const PartRecords& records) const;

  /// Takes the key of the last record, and returns where the records with that key begin. Precondition: at least one.
  std::size_t begin_of_last_group(const PartRecords& records);

  /// The texts of keys as they stand in the record; of records that are no lines, one of their key's bytes in
  /// hexadecimal digits.
  std::vector<KeyText> texts(Record keyed) const;

 private:
  using Key = std::vector<std::byte>;

  Key key_of(Record keyed) const;
  Record without_count(Record record) const;
  std::size_t repeating_one_by_one(const PartRecords& records) const;

  ShownRecords shown_;
  RecordCodec codec_;
  std::optional<KeyTexts> texts_;  // of lines
  Key taken_;
};

}  // namespace sortie

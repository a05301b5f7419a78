// Which of records with equal keys is kept, where another key than theirs says so (SortOptions::keep_best). The
// finisher of groups asks it, only where there are several.
#pragma once

#include <cstddef>
#include <vector>

#include <sortie/format.hpp>

#include "record/record_order.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class BestOfEqual {
 public:
  using Key = std::vector<std::byte>;

  /// `format`: of the records as they are read. The best record is the one that `key`, whose column has been found,
  /// puts first.
  BestOfEqual(Format format, const TextKey& key);

  /// The key of a record as it was read. Thread-safe with a `scratch` per thread.
  Key key_of(Record record, EncodedLines& scratch) const;

  /// No key is the beginning of another one.
  static bool is_better(const Key& key, const Key& than) { return key < than; }

 private:
  RecordCodec codec_;
};

}  // namespace sortie

// The records of one side of a join as they leave its sort, behind their keys (see output/record_shape.hpp). The header
// of the input comes first.
#pragma once

#include <span>
#include <string>

#include "observe/observer.hpp"
#include "pipeline/join/record_queue.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_order.hpp"

namespace sortie {

class KeyedStream {
 public:
  /// What is handed over must be stretches of whole records.
  KeyedStream(RecordQueue& records, Observer& observer) : records_(records), observer_(observer) {}

  /// Goes on to the next record, at first to the first one. Returns false at the end. Throws what the sort has thrown.
  bool next() {
    do {
      if (rest_.empty()) rest_ = take();
      if (rest_.empty()) {
        record_ = PrefixedParts(Record());
        return is_there_ = false;
      }
      const Record record = first_prefixed_record(rest_);
      rest_ = rest_.subspan(record.size());
      record_ = PrefixedParts(record);
      if (record_.key.empty()) header_ = as_text(record_.payload);
    } while (record_.key.empty());
    return is_there_ = true;
  }

  bool is_there() const { return is_there_; }
  /// The key of the record that next() went on to, and the record. Both are valid until next().
  Record key() const { return record_.key; }
  Record record() const { return record_.payload; }

  /// The header; empty if there is none. Known once next() was called.
  const std::string& header() const { return header_; }

 private:
  std::span<const std::byte> take() {
    const auto span = observer_.span("wait for records");
    return records_.take();
  }

  RecordQueue& records_;
  Observer& observer_;
  std::span<const std::byte> rest_;
  PrefixedParts record_{Record()};
  std::string header_;
  bool is_there_ = false;
};

}  // namespace sortie

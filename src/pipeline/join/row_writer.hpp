// Writes the rows of a join while others are made. Used by join jobs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/output/part_writer.hpp"

namespace sortie {

class RowWriter {
 public:
  /// `on_first_rows`: called in front of the first ones. References must outlive this.
  RowWriter(Output& output, Observer& observer, std::function<void()> on_first_rows = {})
      : observer_(observer), on_first_rows_(std::move(on_first_rows)), writer_(output, observer) {}

  PartWriter& writer() { return writer_; }

  /// `rows` must stay as they are until the next call returns.
  void begin(std::string_view rows) {
    if (row_bytes_ == 0 && on_first_rows_) on_first_rows_();
    row_bytes_ += rows.size();
    observer_.advance(rows.size());
    {
      const auto span = observer_.span("wait for writer");
      writer_.wait();
    }
    writer_.begin(std::as_bytes(std::span(rows)));
  }

  std::uint64_t row_bytes() const { return row_bytes_; }

 private:
  Observer& observer_;
  std::function<void()> on_first_rows_;
  PartWriter writer_;
  std::uint64_t row_bytes_ = 0;
};

}  // namespace sortie

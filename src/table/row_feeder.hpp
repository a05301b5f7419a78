// Makes records of the rows of a batch, for a sort: strips of them are measured and written by all threads, column by
// column, and handed over in pieces of a few MiB, however large batches and rows are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/table_dictionaries.hpp"
#include "table/table_plan.hpp"

namespace sortie::table {

class RowFeeder {
 public:
  using Take = std::function<void(std::span<const std::byte> records)>;

  RowFeeder(const TablePlan& plan, const TableDictionaries& dictionaries, Take take)
      : schema_(plan.schema), layout_(plan.layout), dictionaries_(dictionaries), take_(std::move(take)) {}

  /// Takes all rows. Throws Error if a record would be longer than one may be. Parallel.
  void feed(const ArrowArray& batch);

  /// Whether a batch has few rows, which hold little. Precondition: check_batch() takes it.
  bool may_be_little(const ArrowArray& batch) const;
  /// feed() unless the records take more than `most_bytes`; returns whether it has. Precondition: may_be_little(batch).
  bool feed_little(const ArrowArray& batch, std::uint64_t most_bytes);

 private:
  /// Consecutive rows of a batch, and how long their records are.
  struct Strip {
    std::int64_t first = 0;
    std::size_t count = 0;
    std::vector<std::uint64_t> key_bytes;      // by row; none in rows of fixed length
    std::vector<std::uint64_t> payload_bytes;  // the same
    std::uint64_t record_bytes = 0;            // of all
  };

  /// Rows of a strip that belong to the piece.
  struct Part {
    const Strip* strip = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t offset = 0;  // in the piece
  };

  void make_strips(const ArrowArray& batch, std::int64_t first);
  void measure(const ArrowArray& batch, Strip& strip) const;
  std::uint64_t record_bytes(const Strip& strip, std::size_t row) const;
  void add(const ArrowArray& batch, const Strip& strip);
  void send(const ArrowArray& batch);
  void write(const ArrowArray& batch, const Part& part);

  const TableSchema& schema_;
  const RowLayout& layout_;
  const TableDictionaries& dictionaries_;
  const Take take_;
  std::vector<Strip> strips_;
  std::size_t strip_count_ = 0;     // of those that are in use
  std::size_t strips_at_once_ = 8;  // as many as make a piece
  std::vector<Part> parts_;         // of the piece
  std::uint64_t piece_bytes_ = 0;   // of its parts so far
  std::vector<std::byte> piece_;
};

}  // namespace sortie::table

// Makes records of the rows of a batch, for a sort: strips of them are measured and written by all threads, and handed
// over in pieces of a few MiB, however large batches and rows are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/row_encoder.hpp"

namespace sortie::table {

class RowFeeder {
 public:
  using Take = std::function<void(std::span<const std::byte> records)>;

  RowFeeder(const RowEncoder& encoder, Take take) : encoder_(encoder), take_(std::move(take)) {}

  /// Takes all rows. Parallel.
  void feed(const ArrowArray& batch);

 private:
  /// Rows of a strip that belong to the piece.
  struct Part {
    const RowStrip* strip = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t offset = 0;  // in the piece
  };

  void make_strips(const ArrowArray& batch, std::int64_t first);
  void add(const ArrowArray& batch, const RowStrip& strip);
  void send(const ArrowArray& batch);

  const RowEncoder& encoder_;
  const Take take_;
  std::vector<RowStrip> strips_;
  std::size_t strip_count_ = 0;     // of those that are in use
  std::size_t strips_at_once_ = 8;  // as many as make a piece
  std::vector<Part> parts_;         // of the piece
  std::uint64_t piece_bytes_ = 0;   // of its parts so far
  std::vector<std::byte> piece_;
};

}  // namespace sortie::table

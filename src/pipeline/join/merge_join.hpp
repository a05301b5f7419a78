// Joins two streams of records that come in the order of their keys. Records of the right one with a key that the left
// one has, too, are kept until all left ones with that key have come.
//
//   left    a  b  b  d              b: each left record with each right one
//   right   b  b  c  e              a, d: left records alone; c, e: right records alone
//
// Used by the join job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/join.hpp>

#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/join/row_shaper.hpp"

namespace sortie {

class MergeJoin {
 public:
  /// Takes rows; one may go on in the next call. They stay as they are until it is called again and returns.
  using RowSink = std::function<void(std::string_view rows)>;

  /// All references must outlive this. Precondition: next() of both streams was called once.
  MergeJoin(JoinKind kind, KeyedStream& left, KeyedStream& right, RowShaper& shaper, RepeatedGroup& group,
            RowSink sink);

  /// Reads both streams to their ends. Call once. Throws what these throw, and Error as the shaper does.
  void run();

  std::uint64_t row_count() const { return row_count_; }

 private:
  void pass_left();
  void pass_right();
  void join_equal();
  void skip_key(KeyedStream& stream);
  void append_row(std::string_view left, std::string_view right);
  void flush();

  const bool shows_pairs_;
  const bool shows_left_;
  const bool shows_right_;
  KeyedStream& left_;
  KeyedStream& right_;
  RowShaper& shaper_;
  RepeatedGroup& group_;
  RowSink sink_;
  std::vector<std::byte> key_;  // of the records that are being joined
  std::string shaped_left_;
  std::string shaped_right_;
  std::array<std::string, 2> rows_;  // not passed on yet, and those that were passed on last
  std::size_t current_ = 0;
  std::uint64_t row_count_ = 0;
};

}  // namespace sortie

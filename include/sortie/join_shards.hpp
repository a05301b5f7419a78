// One join by several processes: both sides become runs as one sort by several processes makes them (shard.hpp), each
// by its own keys. Equal keys of both sides have equal bytes, so that the same bounds cut all runs, in front of all
// records with a key. What lies between two bounds is joined by itself.
//
//   form_shard()   left  ──▶ runs, samples ─┐             ┌─ cut_shard() ─┐
//   form_shard()   left  ──▶ runs, samples ─┼─▶ bounds ─▶ ┼─ cut_shard() ─┼─▶ join_slices() ──▶ part of the output
//   form_shard()   right ──▶ runs, samples ─┘             └─ cut_shard() ─┘
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/join_options.hpp>
#include <sortie/shard.hpp>

namespace sortie {

/// As form_shard() of a sort. The inputs are of that side alone, and so are the places of its shards. Its bounds must
/// have SliceBound::run -1: a key comes to one part as a whole.
ShardReport form_shard(const JoinOptions& options, JoinSide side, const ShardRequest& request);

/// As cut_shard() of a sort. `header`: of that side.
ShardCuts cut_shard(const JoinOptions& options, JoinSide side, const std::vector<std::string>& runs,
                    std::uint64_t first_run, std::span<const SliceBound> bounds, const std::string& header,
                    const std::string& path);

struct JoinSlicePlan {
  /// The slices of both sides, the header of the left one. The header of the output is written if `writes_header` is
  /// set.
  SlicePlan slices;
  std::uint64_t first_right_run = 0;  ///< runs from this number on are of the right side, all others of the left one
  std::string right_header;
  /// The first record of each side by the order of its keys, as ShardReport::first has it; nothing if there is none, or
  /// the side has a header. How many columns there are is told by it.
  std::optional<std::string> first_left;
  std::optional<std::string> first_right;
};

/// Joins the slices of a part, and writes the rows to SortOptions::output, which is replaced. The inputs, left and
/// right, are read to name a record that cannot be part of a row, and for nothing else. Right records with equal keys
/// that memory does not hold go to scratch space. In the report `identity` has that of both sides, `input` the checksum
/// of what came out of both merges, and `output` the rows, without a checksum. Throws Error.
SliceReport join_slices(const JoinOptions& options, const JoinSlicePlan& plan);

/// Throws Error that names `file` if the text is not of the right form.
JoinSlicePlan parse_join_slice_plan(const std::string& text, const std::string& file);

}  // namespace sortie

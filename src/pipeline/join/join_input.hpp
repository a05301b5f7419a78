// What the first records of a join's inputs show: the columns, and how rows are to be written. Called by the join job
// once both sorts have begun to give records.
#pragma once

#include <string_view>

#include <sortie/join.hpp>

#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/row_plan.hpp"
#include "pipeline/join/row_shaper.hpp"

namespace sortie {

/// The header without a byte order mark.
std::string_view without_mark(std::string_view header);

/// `format`: that of the input. Precondition: next() was called.
JoinInput describe_input(const Format& format, const KeyedStream& records);

/// Precondition: next() of both was called.
RowStyle style_of(const JoinOptions& options, const KeyedStream& left, const KeyedStream& right);

}  // namespace sortie

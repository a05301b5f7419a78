// What the rows of a join's output are made of, known once the first records of both inputs are: which fields of which
// side, in which order. Made by the join job, followed by the row shaper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/join.hpp>

#include "pipeline/join/keyed_stream.hpp"
#include "record/csv/column_names.hpp"

namespace sortie {

/// What an input begins with.
struct InputBegin {
  std::string_view header;
  std::optional<std::string_view> first_record;  ///< by the order of keys
};

/// Valid until the next call of next(). Precondition: it was called once.
InputBegin begin_of(const KeyedStream& records);

/// What is known of an input by its begin.
struct JoinInput {
  std::vector<std::size_t> key_fields;  ///< numbers of the fields that its keys are made of; none if they are parts
  std::size_t field_count = 0;          ///< of its header or, without one, of its first record by the order of keys
  ColumnNames names;                    ///< of its columns, if they have any
};

/// The header without a byte order mark.
std::string_view without_mark(std::string_view header);

/// `format`: that of the input.
JoinInput describe_input(const Format& format, const InputBegin& begin);

struct RowField {
  enum class Source : std::uint8_t {
    kKey,  ///< of the left record, or of the right one if there is no left one
    kLeft,
    kRight,
    kOtherLeft,  ///< all fields of the left record but those of keys
    kOtherRight,
  };
  Source source = Source::kKey;
  std::uint32_t number = 0;  ///< of the key's field among those of all keys, or of the field

  bool is_of_right() const { return source == Source::kRight || source == Source::kOtherRight; }
};

/// A field that no record has: that of a column of an input without records.
inline constexpr std::uint32_t kNoField = static_cast<std::uint32_t>(-1);

struct RowPlan {
  std::vector<RowField> fields;
  /// What the output calls each field, one behind the other: there may be many.
  std::string titles;
  std::vector<std::uint32_t> title_ends;
  /// Records with more fields than their input has columns are refused: they would shift others.
  bool columns_are_fixed = false;
};

/// Throws Error for keys that are no whole fields where these are written, without a look at the inputs: plan_rows()
/// does so for keys that are named by a column.
void refuse_keys_that_cannot_be_shown(const JoinOptions& options);

/// Throws Error for a column that is not there, and for keys that are no whole fields where these are wanted.
RowPlan plan_rows(const JoinOptions& options, const JoinInput& left, const JoinInput& right);

/// The fields that keys are made of, in turn; none if one of them is but a part of a field, or goes to the end of the
/// line. Precondition: no key has a name.
std::vector<std::size_t> fields_of_keys(const std::vector<TextKey>& keys);

}  // namespace sortie

// A record of CSV with its quotes taken off: the values of its fields, with the separator between them. A field's value
// may hold the separator; the offsets of the fields' ends tell. Used by the field finder, and for columns' names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

struct UnquotedRecord {
  std::string text;
  std::vector<std::size_t> ends;  ///< offset in `text` of each separator between fields
};

/// The record without what ends it, "\n" or "\r\n".
std::string_view without_line_end(std::string_view record);

/// Unquotes `record`, which is without line end, into `unquoted`, whose contents are replaced. `wanted`: how many
/// fields' ends are wanted; nothing behind the last of them is read.
void unquote_record(std::string_view record, char separator, std::size_t wanted, UnquotedRecord& unquoted);

/// The values of all fields. `record` is without line end.
std::vector<std::string> field_values(std::string_view record, char separator);

}  // namespace sortie

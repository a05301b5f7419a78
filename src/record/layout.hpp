// How records are found in bytes: fixed length, ended by a delimiter, as in CSV, or by lengths in front of them.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/record_start.hpp>

#include "record/csv/csv_syntax.hpp"

namespace sortie {

/// What says where records end. Engines know plain ones only: others become lines before.
enum class Framing : std::uint8_t {
  kPlain,     ///< their length, or a delimiter
  kQuoted,    ///< CSV with quotes: a newline, but none within these
  kPrefixed,  ///< the lengths in front of each record
  kStarted,   ///< the first line of the next one, or the end of the input
};

struct Layout {
  std::uint64_t record_bytes = 0;  ///< 0: of any length
  char delimiter = '\n';
  Framing framing = Framing::kPlain;
  CsvSyntax syntax = {};   ///< if quoted
  RecordStart start = {};  ///< if started

  /// Precondition: not prefixed.
  bool delimited() const {
    assert(framing != Framing::kPrefixed);
    return record_bytes == 0;
  }
  bool quoted() const { return framing == Framing::kQuoted; }
  bool prefixed() const { return framing == Framing::kPrefixed; }
  bool started() const { return framing == Framing::kStarted; }
  /// Whether records end elsewhere than at each delimiter or behind each record_bytes. Ends of quoted and prefixed ones
  /// can only be told from the begin of the first one on.
  bool walked() const { return framing != Framing::kPlain; }
  friend bool operator==(const Layout&, const Layout&) = default;
};

Layout layout_of(const Format& format);

/// Whether a byte order mark at the begin of an input is no part of its first record, and stays in front. In
/// front of plain lines it belongs to the first one. `header_prefixes`: as in SortOptions.
bool keeps_mark_in_front(const Format& format, std::span<const std::string> header_prefixes);

/// Bytes of the record that starts at `record`, its delimiter included; all bytes if there is none, which happens if a
/// page of a mapped file was lost. Preconditions: a whole record lies in [record, end); plain framing.
inline std::uint64_t stored_length(const Layout& layout, const std::byte* record, const std::byte* end) {
  if (!layout.delimited()) return layout.record_bytes;
  const void* stop = std::memchr(record, layout.delimiter, static_cast<std::size_t>(end - record));
  const std::byte* const last = stop != nullptr ? static_cast<const std::byte*>(stop) : end - 1;
  return static_cast<std::uint64_t>(last - record) + 1;
}

/// Bytes of a record that its key may use: without the delimiter.
inline std::uint64_t key_length(const Layout& layout, std::uint64_t stored) {
  return layout.delimited() ? stored - 1 : stored;
}

}  // namespace sortie

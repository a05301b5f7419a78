#include "record/layout.hpp"

#include <algorithm>

#include "record/csv/quoted_records.hpp"
#include "record/line_ends.hpp"
#include "record/prefixed/prefixed_ranges.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/starts/started_records.hpp"

namespace sortie {

Layout layout_of(const Format& format) {
  if (format.kind == RecordKind::kPrefixed) return {.framing = Framing::kPrefixed};
  Layout layout{format.kind == RecordKind::kLines ? 0 : format.record_bytes, format.delimiter};
  if (format.kind == RecordKind::kLines && format.text.csv && syntax_of(format.text).has_quotes()) {
    layout.framing = Framing::kQuoted;
    layout.syntax = syntax_of(format.text);
  }
  if (format.kind == RecordKind::kLines && format.text.record_start) {
    layout.framing = Framing::kStarted;
    layout.start = format.text.record_start;
  }
  return layout;
}

bool keeps_mark_in_front(const Format& format, std::span<const std::string> header_prefixes) {
  if (format.kind != RecordKind::kLines) return false;
  return format.text.csv || format.text.json || format.text.record_start || !header_prefixes.empty();
}

std::size_t whole_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (layout.started()) return last_start(layout.start, bytes);
  if (layout.walked()) {
    return layout.quoted() ? find_quoted_records(bytes, layout.syntax).whole_bytes() : whole_prefixed_records(bytes);
  }
  if (!layout.delimited()) return bytes.size() / layout.record_bytes * layout.record_bytes;
  if (bytes.empty()) return 0;
  const void* last = ::memrchr(bytes.data(), layout.delimiter, bytes.size());
  if (last == nullptr) return 0;
  return static_cast<std::size_t>(static_cast<const std::byte*>(last) - bytes.data()) + 1;
}

std::size_t first_records(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t count) {
  if (layout.walked()) {
    if (count >= bytes.size()) return bytes.size();
    if (layout.started()) return first_started_records(layout.start, bytes, count);
    return layout.quoted() ? first_quoted_records(bytes, layout.syntax, count) : first_prefixed_records(bytes, count);
  }
  if (!layout.delimited()) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size() / layout.record_bytes, count) *
                                    layout.record_bytes);
  }
  if (count >= bytes.size()) return bytes.size();
  const std::byte* at = bytes.data();
  const std::byte* const end = bytes.data() + bytes.size();
  for (std::uint64_t i = 0; i < count && at < end; ++i) at += stored_length(layout, at, end);
  return static_cast<std::size_t>(at - bytes.data());
}

std::span<const std::byte> last_record(const Layout& layout, std::span<const std::byte> bytes) {
  if (layout.prefixed()) return last_prefixed_record(bytes);
  if (!layout.delimited()) return bytes.last(static_cast<std::size_t>(layout.record_bytes));
  return bytes.subspan(whole_records(layout, bytes.first(bytes.size() - 1)));
}

std::size_t boundary_at_or_after(const Layout& layout, std::span<const std::byte> bytes, std::size_t position) {
  if (position == 0) return 0;
  if (layout.walked()) {
    if (position >= bytes.size()) return bytes.size();
    if (layout.started()) return start_at_or_after(layout.start, bytes, position);
    return layout.quoted() ? quoted_boundary_at_or_after(bytes, layout.syntax, position)
                           : prefixed_boundary_at_or_after(bytes, position);
  }
  if (!layout.delimited()) {
    return std::min((position + layout.record_bytes - 1) / layout.record_bytes * layout.record_bytes, bytes.size());
  }
  if (position >= bytes.size()) return bytes.size();
  const std::byte* before = bytes.data() + position - 1;
  return position - 1 + stored_length(layout, before, bytes.data() + bytes.size());
}

std::uint64_t count_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (layout.started()) return count_started_records(layout.start, bytes);
  if (layout.walked()) {
    return layout.quoted() ? count_quoted_records(bytes, layout.syntax) : count_prefixed_records(bytes);
  }
  if (!layout.delimited()) return bytes.size() / layout.record_bytes;
  return count_bytes(bytes, layout.delimiter);
}

}  // namespace sortie

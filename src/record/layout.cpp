#include "record/layout.hpp"

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

}  // namespace sortie

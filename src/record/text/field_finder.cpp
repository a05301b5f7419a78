#include "record/text/field_finder.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

/// Finds blanks by block: the first blank behind each byte that is none.
class FirstBlanks {
 public:
  std::uint64_t operator()(std::uint64_t blanks) {
    const std::uint64_t first = blanks & ~(blanks << 1 | before_);
    before_ = blanks >> 63;
    return first;
  }

 private:
  std::uint64_t before_ = 1;  // blanks in front of the first field belong to it
};

std::uint64_t blanks_in(const char* text, const TextLocale::ByteSet& blank) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 16; ++i) bits |= std::uint64_t{blank[static_cast<unsigned char>(text[i])]} << i;
  return bits;
}

std::size_t fields_before(const TextKey& key) {
  return std::max(key.begin.field, key.end ? key.end->field : std::size_t{0});
}

constexpr std::size_t kAllFields = static_cast<std::size_t>(-1);

/// How many fields of a record must be unquoted for the key: it needs nothing behind them.
std::size_t fields_needed(const TextKey& key) {
  const bool ends_with_field = key.end && key.end->byte == 0;
  return ends_with_field ? fields_before(key) : kAllFields;
}

}  // namespace

FieldFinder::FieldFinder(const TextOrder& order, const TextLocale& locale)
    : blank_(locale.blank), separator_(order.separator), csv_(order.csv), syntax_(syntax_of(order)) {
  if (!separator_.empty()) {
    separation_ = separator_.size() == 1 ? Separation::kByte : Separation::kBytes;
  } else {
    separation_ = blank_ == kBlanksOfC ? Separation::kUsualBlanks : Separation::kOtherBlanks;
  }
  for (const TextKey& key : order.keys) {
    wanted_ = std::max(wanted_, fields_before(key));
    unquoted_wanted_ = std::max(unquoted_wanted_, fields_needed(key));
  }
  wanted_ = std::min(wanted_, kRemembered);
}

void FieldFinder::find_in_record(std::string_view record, Fields& fields, UnquotedRecord& unquoted) const {
  record = without_line_end(record);
  if (!syntax_.has_quotes() || record.find('"') == std::string_view::npos) return find(record, fields);
  unquote_record(record, syntax_, unquoted_wanted_, unquoted);
  fields.line = unquoted.text;
  fields.unquoted = &unquoted;
  fields.count = std::min(kRemembered, unquoted.ends.size());
  std::copy_n(unquoted.ends.begin(), fields.count, fields.ends.begin());
}

template <class EndsAt>
void FieldFinder::scan_blocks(std::size_t from, std::size_t wanted, EndsAt&& ends_at, Fields& fields) {
  fields.count = 0;
  for (std::size_t at = from; at < fields.line.size(); at += 64) {
    for (std::uint64_t ends = ends_at(at); ends != 0; ends &= ends - 1) {
      fields.ends[fields.count] = at + static_cast<std::size_t>(std::countr_zero(ends));
      if (++fields.count == wanted) return;
    }
  }
}

void FieldFinder::scan_for_bytes(std::size_t from, std::size_t wanted, Fields& fields) const {
  fields.count = 0;
  for (std::size_t at = from; (at = fields.line.find(separator_, at)) != std::string_view::npos;) {
    fields.ends[fields.count] = at;
    if (++fields.count == wanted) return;
    at += separator_.size();
  }
}

void FieldFinder::scan(std::size_t from, std::size_t wanted, Fields& fields) const {
  const std::string_view line = fields.line;
  const auto bits = [&](std::size_t at, const auto& bits_16) {
    return block_bits(line.data(), line.size(), at, bits_16);
  };
  FirstBlanks first;
  switch (separation_) {
    case Separation::kByte: {
      const auto byte = static_cast<unsigned char>(separator_.front());
      const auto separators = [byte](const char* text) { return equal_bits_16(text, byte); };
      return scan_blocks(
          from, wanted, [&](std::size_t at) { return bits(at, separators); }, fields);
    }
    case Separation::kBytes:
      return scan_for_bytes(from, wanted, fields);
    case Separation::kUsualBlanks:
      return scan_blocks(
          from, wanted, [&](std::size_t at) { return first(bits(at, usual_blanks)); }, fields);
    case Separation::kOtherBlanks: {
      const auto blanks = [this](const char* text) { return blanks_in(text, blank_); };
      return scan_blocks(
          from, wanted, [&](std::size_t at) { return first(bits(at, blanks)); }, fields);
    }
  }
}

std::size_t FieldFinder::end_of_field(const Fields& fields, std::size_t field) const {
  if (field < fields.count) return fields.ends[field];
  return fields.count < kRemembered ? kEndOfLine : end_of_far_field(fields, field);
}

std::size_t FieldFinder::end_of_far_field(const Fields& fields, std::size_t field) const {
  if (fields.unquoted != nullptr) {
    return field < fields.unquoted->ends.size() ? fields.unquoted->ends[field] : kEndOfLine;
  }
  Fields next;
  next.line = fields.line;
  const std::size_t step = std::max<std::size_t>(separator_.size(), 1);
  std::size_t from = fields.ends[kRemembered - 1] + step;
  for (field -= kRemembered;; field -= kRemembered) {
    scan(from, kRemembered, next);
    if (field < next.count) return next.ends[field];
    if (next.count < kRemembered) return kEndOfLine;
    from = next.ends[kRemembered - 1] + step;
  }
}

std::size_t FieldFinder::offset_of(const Fields& fields, const TextPosition& position) const {
  const std::string_view line = fields.line;
  std::size_t at = 0;
  if (position.field > 0) {
    at = end_of_field(fields, position.field - 1);
    if (at == kEndOfLine) return line.size();
    at += separator_.size();
    // Only the first fields of a record of CSV may be known, and no separator stands behind the last of them.
    at = std::min(at, line.size());
  }
  if (position.skip_blanks) {
    while (at < line.size() && blank_[static_cast<unsigned char>(line[at])]) ++at;
  }
  return at + std::min(position.byte, line.size() - at);
}

std::size_t FieldFinder::end_of_key(const Fields& fields, const TextPosition& position) const {
  if (position.byte > 0) return offset_of(fields, position);
  return position.field == 0 ? 0 : std::min(end_of_field(fields, position.field - 1), fields.line.size());
}

std::string_view FieldFinder::any_key_text(const Fields& fields, const TextKey& key) const {
  const std::size_t begin = offset_of(fields, key.begin);
  const std::size_t end = key.end ? end_of_key(fields, *key.end) : fields.line.size();
  return fields.line.substr(begin, end > begin ? end - begin : 0);
}

}  // namespace sortie

// Decorate, sort, undecorate: a line whose order is not that of its bytes is given its normalised key in front, in
// bytes that make the decorated line sort as a plain line. Both engines then sort, merge and store plain lines.
//
//   | key 1 | end | key 2 | end | ... | place | the line | delimiter |
//
// Keys are escaped so that neither the delimiter nor an end mark occurs within one. The place of the line in the input
// is there only if lines with equal keys keep their input order; else the bytes of the line decide among them. Records
// of CSV always have their place, and are kept as one line each: see inner_newlines.hpp.
//
// Where all lines lie in memory anyway they need not be copied. A decorated line refers to its line then, and ascending
// references keep input order:
//
//   | keys with their end marks | reference | delimiter |
//
// Bytes with which most keys begin are left out: a byte in front says that they were, or that the keys are less or
// greater.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sortie/format.hpp>

#include "record/record_order.hpp"
#include "record/text/decorated_lines.hpp"

namespace sortie {

/// Whether lines of this format must be decorated to be sorted as lines. Not so where a whole line without any option
/// is the first key in "C": see plain_format().
bool needs_decoration(const Format& format);

/// The format without TextOrder that orders as `format` does. Format::descending reverses the whole order of keys, last
/// resort included; lines without keys are descending if it says so or TextOrder::last_resort_descending.
/// Precondition: !needs_decoration(format).
Format plain_format(const Format& format);

class LineDecorator {
 public:
  /// `unique`: only the keys count. Precondition: needs_decoration(format). Throws Error as validate() does. With
  /// TextOrder::locale, the C library's locale is read here and must stay the same while lines are decorated.
  LineDecorator(const Format& format, bool unique);

  /// The same keys in the same format for `lines`, which are whole lines that stay in memory as long as this is used:
  /// decorated lines hold references to them. `in_common`: what most keys in front of lines begin with; less than all
  /// of any. Precondition: not CSV.
  LineDecorator referring_to(std::span<const std::byte> lines, std::string in_common = {}) const;
  bool refers() const { return lines_.data() != nullptr; }
  /// Precondition: refers().
  std::span<const std::byte> referred_lines() const { return lines_; }
  /// Whether lines with equal keys order by their bytes, as decorated_format() says: those that refer to lines do not
  /// by themselves.
  bool line_bytes_decide() const;

  /// Of lines before they are decorated.
  const Format& line_format() const;

  /// Lines in the order of their bytes, ascending or descending.
  const Format& decorated_format() const;

  /// Appends the decorated form of `line`, delimiter included, to `out`. `place`: less for lines that come earlier in
  /// the input; below 2^56; of a line that is referred to its offset. Thread-safe with an `out` per thread.
  void decorate(Record line, std::uint64_t place, DecoratedLines& out) const;

  /// The line in a decorated one, its delimiter included; a record of CSV as long as it was, but without the newlines
  /// within it. One that is referred to lies where it is. Thread-safe.
  Record undecorate(Record decorated) const;

  /// The line as it was, of `decorated`, which is changed. Thread-safe.
  Record restore(std::span<std::byte> decorated) const;

  /// The keys in front of a decorated line. Thread-safe.
  Record keys(Record decorated) const;

  /// Whether the keys of two decorated lines are equal. Thread-safe.
  bool equal_keys(Record a, Record b) const;

 private:
  struct Impl;

  LineDecorator(std::shared_ptr<const Impl> impl, std::span<const std::byte> lines, std::string in_common);
  void append_reference(Record line, std::uint64_t place, DecoratedLines& out) const;
  void leave_out_common(std::size_t begin, DecoratedLines& out) const;
  Record referred_line(Record decorated) const;

  std::shared_ptr<const Impl> impl_;
  std::span<const std::byte> lines_;  // that are referred to
  std::string in_common_;
};

}  // namespace sortie

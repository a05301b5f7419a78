// The names of parts, made of a pattern with one place for what tells them apart.
//
//   out/part-{:04d}.zst    numbers from 0: out/part-0000.zst, ...; {} {:d} {:4d} {:04d}, as Python's str.format()
//   out/{}.csv             values of a key, with what a name cannot hold written otherwise: see for_value()
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sortie/parts.hpp>

#include "record/text/key_texts.hpp"

namespace sortie {

class PartNames {
 public:
  enum class Placeholder : std::uint8_t { kNumber, kValue };

  /// Throws Error if the last part of `pattern` has not exactly one placeholder, or it has another form.
  PartNames(const std::string& pattern, Placeholder placeholder);
  /// The same with the placeholder for such parts.
  PartNames(const std::string& pattern, const Parts& parts)
      : PartNames(pattern, parts.by_first_key ? Placeholder::kValue : Placeholder::kNumber) {}

  std::string for_number(std::uint64_t number) const;

  /// Different values give different names. Bytes that a name cannot hold, or should not, become % and two hexadecimal
  /// digits: / % control characters, and a dot in front. Of a name that would be too long, the beginning stays, and %~
  /// and a hash of 128 bits come behind it. No text is % alone, a missing value of JSON %null.
  std::string for_value(const KeyText& value) const;
  /// The same for a string of JSON where another value has that name: the quotes count.
  std::string for_quoted_value(const KeyText& value) const;
  /// The same for another value where a string has that name: %= is in front.
  std::string for_other_value(const KeyText& value) const;

  /// What stands in place of the value or the number in the name of the part `path`.
  std::string value_in(const std::string& path) const;

  /// Whether a part could have this name in the folder of the parts.
  bool may_be_part(std::string_view name) const;

  /// With the slash behind it, or "." if there is none.
  const std::string& directory() const { return directory_; }

 private:
  std::string with(std::string_view what) const;
  std::string fitted(std::string_view value, std::size_t more_bytes) const;

  std::string directory_;
  std::string folder_;  // what stands in front of the names: the directory, or nothing
  std::string before_;
  std::string behind_;
  Placeholder placeholder_;
  std::size_t width_ = 0;
  char fill_ = ' ';
};

}  // namespace sortie

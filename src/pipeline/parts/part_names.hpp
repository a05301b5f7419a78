// The names of parts, made of a pattern with a place for what tells them apart.
//
//   out/part-{:04d}.zst    numbers from 0: out/part-0000.zst, ...; {} {:d} {:4d} {:04d}, as Python's str.format()
//   out/{}.csv             values of a key, with what a name cannot hold written otherwise: see for_value()
//   out/{}-{:04d}.csv      values of a key, and the numbers of their parts
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
  enum class Placeholder : std::uint8_t { kNumber, kValue, kBoth };

  /// Throws Error if the last part of `pattern` has not exactly the placeholders, or one has another form.
  PartNames(const std::string& pattern, Placeholder placeholder);
  /// The same with the placeholder for such parts.
  PartNames(const std::string& pattern, const Parts& parts)
      : PartNames(pattern, !parts.by_first_key   ? Placeholder::kNumber
                           : parts.are_limited() ? Placeholder::kBoth
                                                 : Placeholder::kValue) {}

  std::string for_number(std::uint64_t number) const;

  /// Different values give different names. Bytes that a name cannot hold, or should not, become % and two hexadecimal
  /// digits: / % control characters, and a dot in front. Of a name that would be too long, the beginning stays, and %~
  /// and a hash of 128 bits come behind it. No text is % alone, a missing value of JSON %null.
  /// `number`, here and below: of the part among those of its value; counts with kBoth alone.
  std::string for_value(const KeyText& value, std::uint64_t number = 0) const;
  /// The same for a string of JSON where another value has that name: the quotes count.
  std::string for_quoted_value(const KeyText& value, std::uint64_t number = 0) const;
  /// The same for another value where a string has that name: %= is in front.
  std::string for_other_value(const KeyText& value, std::uint64_t number = 0) const;

  /// What stands in the places of the name of the part `path`.
  std::string value_in(const std::string& path) const;

  /// Whether a part could have this name in the folder of the parts.
  bool may_be_part(std::string_view name) const;

  /// With the slash behind it, or "." if there is none.
  const std::string& directory() const { return directory_; }

 private:
  void take_places(const std::string& pattern);
  void take_number_form(const std::string& pattern, std::string_view place);
  std::string number_text(std::uint64_t number) const;
  std::string with(std::string_view what) const;
  std::string with_value(std::string_view value, std::uint64_t number) const;
  /// Bytes of a name beside the value.
  std::size_t own_bytes() const;
  std::string fitted(std::string_view value, std::size_t more_bytes) const;

  std::string directory_;
  std::string folder_;  // what stands in front of the names: the directory, or nothing
  std::string before_;
  std::string between_;  // the two places of kBoth
  std::string behind_;
  bool number_is_first_ = false;  // of these two
  Placeholder placeholder_;
  std::size_t width_ = 0;
  char fill_ = ' ';
};

}  // namespace sortie

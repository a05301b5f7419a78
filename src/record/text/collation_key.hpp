// Keys of text in the order of the C library's current locale, as strcoll() compares. The line decorator makes one
// CollationKeys per sort; the key writer appends with it for each key of text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sortie {

class CollationKeys {
 public:
  /// Of the locale that setlocale() has set; it must stay so while the object is in use. Takes some milliseconds.
  CollationKeys();
  ~CollationKeys();

  /// Appends bytes to `out` whose memcmp order is that of strcoll(), piece by piece if `text` holds NULs; none if it is
  /// empty. Keys of one object compare with each other only. Thread-safe. Time: linear in `text`.
  ///
  /// Not to be hashed for random keys: append_transformed() is.
  void append(std::string_view text, std::string& out) const;

 private:
  struct Learned;

  void append_piece(std::string_view piece, std::string& out) const;

  std::unique_ptr<const Learned> learned_;  // none: strxfrm() as it is
};

}  // namespace sortie

// Data pages of a Parquet column of texts or bytes without a dictionary, as pyarrow's writer makes them: version 1,
// each value behind its length (PLAIN), packed by zstd, with checksums. Texts are most of what tables are, and here
// they take the processor three fifths of what they take there. TextPages of text_pages_class.cpp calls it.
//
//   header | levels | values     header | levels | values     ...
//
// Levels tell which rows are not null, if any may be. Levels and values of a page are packed together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sortie/arrow_c_data.hpp>

struct ZSTD_CCtx_s;

namespace sortie::python {

/// An array of texts or bytes. Its offsets have 64 bits if it is wide, else 32.
struct TextArray {
  const ArrowArray* array;
  bool is_wide;
};

struct TextPageForm {
  bool may_be_null;
  /// Of zstd. Without one it is the first level, or one that is faster and as good for the column.
  std::optional<int> level;
  /// Bytes of values by which a page ends.
  std::size_t page_bytes;
};

/// What a column chunk tells of its pages. Bytes count headers of pages.
struct TextPagesTold {
  std::size_t stored_bytes = 0;
  std::size_t unpacked_bytes = 0;
  std::size_t text_bytes = 0;
  std::size_t rows = 0;
  std::size_t nulls = 0;
  std::size_t pages = 0;
  // In the arrays; none if all rows are null.
  std::optional<std::string_view> least;
  std::optional<std::string_view> greatest;
};

/// The values of a page while it is filled.
class TextPage {
 public:
  static constexpr std::size_t kMostRows = 1 << 16;

  void clear();
  /// Adds rows from `row` on until it is full, and returns the first one that is left. Tells of those that it takes.
  std::size_t fill(const TextArray& texts, std::size_t row, std::size_t page_bytes, TextPagesTold& told);

  bool is_full(std::size_t page_bytes) const { return rows_ == kMostRows || used_ >= page_bytes; }
  std::size_t rows() const { return rows_; }
  std::size_t nulls() const { return nulls_; }
  /// Levels and values. Valid until rows are added.
  std::span<const std::byte> contents(bool may_be_null);

 private:
  // In front of the values: a length, a varint, and a bit for each row.
  static constexpr std::size_t kLevelRoom = 4 + 8 + kMostRows / 8;

  template <class Offset>
  std::size_t fill_from(const ArrowArray& texts, std::size_t row, std::size_t page_bytes, TextPagesTold& told);
  void make_room(std::size_t bytes);

  std::vector<std::byte> bytes_;  // room for levels, then the values
  std::size_t used_ = 0;          // of the values
  std::size_t rows_ = 0;
  std::size_t nulls_ = 0;
  std::vector<std::byte> valid_;  // a bit for each row
};

/// Used again for column after column. One thread at a time.
class TextPageWriter {
 public:
  /// Throws std::bad_alloc.
  TextPageWriter();
  ~TextPageWriter();
  TextPageWriter(const TextPageWriter&) = delete;
  TextPageWriter& operator=(const TextPageWriter&) = delete;

  /// Writes the rows of all arrays, one after the other. None if `out` has too little room: twice their bytes and 1 MiB
  /// suffice, unless pages are tiny. A level beyond the ones that zstd has is the last one. Throws std::bad_alloc.
  std::optional<TextPagesTold> write(std::span<const TextArray> arrays, const TextPageForm& form,
                                     std::span<std::byte> out);

 private:
  void begin(const TextPageForm& form);
  bool append_page(const TextPageForm& form, std::span<std::byte> out, TextPagesTold& told);
  void set_best_step(std::span<const std::byte> page, std::span<std::byte> room);
  void set_step(int step);
  std::size_t packed(std::span<const std::byte> bytes, std::span<std::byte> out);

  ZSTD_CCtx_s* zstd_;
  TextPage page_;
  std::size_t header_bytes_ = 0;  // of the page before: the next one is as long, as a rule
};

}  // namespace sortie::python

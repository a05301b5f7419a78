// An input without its header. The header is its first records, which stay in front while the rest is sorted. Made by
// the input opener.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input/input.hpp"
#include "record/layout.hpp"

namespace sortie {

/// Which records at the beginning of an input are its header.
struct HeaderRule {
  bool expects_records() const { return records > 0 || !prefixes.empty(); }

  std::vector<std::string> prefixes;  ///< all lines in front of the first that begins with none of these
  std::uint64_t records = 0;          ///< so many behind these lines
  bool may_be_marked = false;         ///< a byte order mark belongs to the header, even if nothing else does
  bool is_csv = false;                ///< a carriage return within the records, or the first one, is refused
  bool is_no_wide_text = false;       ///< UTF-16 is refused
  bool wants_line_end = false;        ///< note how the first record ends, in the header or not
};

class HeadedInput final : public Input {
 public:
  /// Reads the header of `input`, with a byte order mark in front even if there are no records in it. Throws Error as
  /// `input` does, and if the header ends within quotes.
  HeadedInput(std::unique_ptr<Input> input, const Layout& layout, const HeaderRule& rule);

  /// The header. A delimiter is added if its last record lacks one.
  std::span<const std::byte> header() const { return header_; }
  /// How the first record ends; nothing if there is none, it is too long, or that is not wanted.
  std::optional<std::string_view> line_end() const { return line_end_; }
  /// True if the input is known, before any read of records, to be empty or only a byte order mark.
  bool is_empty() const { return is_empty_; }

  const std::string& path() const override { return input_->path(); }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_some(std::span<std::byte> target) override;
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  std::optional<std::uint64_t> size() const override;
  std::uint64_t unpacking_bytes() const override { return input_->unpacking_bytes(); }
  std::uint64_t begin() override { return begin_; }
  RecordNumbering numbering() const override { return {header_records_, header_lines_, input_->numbering().word}; }
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) override;
  void skip(std::uint64_t bytes) override;

 private:
  void check_text(const Layout& layout, const HeaderRule& rule, std::span<const std::byte> records, bool more) const;
  bool find_line_end(const Layout& layout);
  bool read_more(const Layout& layout, std::size_t first_bytes);
  void check_quotes(const Layout& layout, std::span<const std::byte> records, std::uint64_t lines_before,
                    bool at_end) const;
  std::size_t take_rest(std::span<std::byte> target);

  std::unique_ptr<Input> input_;
  std::vector<std::byte> header_;
  bool is_empty_ = false;
  std::optional<std::string_view> line_end_;
  std::uint64_t header_records_ = 0;
  std::uint64_t header_lines_ = 0;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> rest_;  // read along with the header
  std::size_t rest_begin_ = 0;   // offset of the first byte not handed out yet
};

/// Whether `input` begins with a byte order mark, or may do so. Consumes nothing.
bool can_begin_with_mark(Input& input);

}  // namespace sortie

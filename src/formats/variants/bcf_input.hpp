// Reads one file of variants, as bytes of BCF: its header, and its records one by one. What is wrong is told with file
// and place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/contents_source.hpp"
#include "formats/variants/bcf_header.hpp"

namespace sortie::formats::variants {

class BcfInput {
 public:
  /// Reads the header. Throws Error, as next() does.
  BcfInput(std::string path, std::unique_ptr<ContentsSource> source);

  const BcfHeader& header() const { return *header_; }

  /// The next record, checked, which stays until the next call; empty at the end.
  std::span<const std::byte> next();

 private:
  bool fill(std::size_t bytes);
  void read_header();
  void pass_over(std::size_t bytes);
  std::span<const std::byte> front(std::size_t bytes) const { return std::span(contents_).subspan(at_, bytes); }
  [[noreturn]] void refuse(const std::string& what, const std::string& reason) const;
  [[noreturn]] void refuse_cut(const std::string& what, std::uint64_t wanted) const;

  const std::string path_;
  const std::unique_ptr<ContentsSource> source_;
  RawBytes contents_;
  std::size_t at_ = 0;                // of what comes next in these
  std::uint64_t contents_begin_ = 0;  // of these among all of the file
  std::size_t record_bytes_ = 0;      // of the one that was given last
  std::optional<BcfHeader> header_;
};

}  // namespace sortie::formats::variants

// Headers of BCF: the text is that of VCF, and its lines say by which numbers records name chromosomes, filters and the
// like. Several inputs get one header, and their records the numbers of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sortie::formats::variants {

/// Names by their numbers. A number that no line has given is an empty name.
class BcfNames {
 public:
  /// `number`: what a line says itself; nothing: the next one.
  void add(std::string_view name, std::optional<std::size_t> number);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t number) const { return names_[number]; }
  std::optional<std::size_t> number_of(const std::string& name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

class BcfHeader {
 public:
  /// Throws Error, whose text goes on behind the name of the input, if the text has no line of samples, or if numbers
  /// in it are impossible.
  explicit BcfHeader(std::string text);

  const std::string& text() const { return text_; }
  const BcfNames& contigs() const { return contigs_; }
  /// Filters, and keys of INFO and FORMAT.
  const BcfNames& strings() const { return strings_; }
  std::size_t samples() const { return samples_; }
  /// The line that begins with #CHROM.
  std::string_view line_of_samples() const;

 private:
  void read_line(std::string_view line);

  std::string text_;
  BcfNames contigs_;
  BcfNames strings_;
  std::size_t samples_ = 0;
};

/// The text of a header without the numbers that its lines give themselves.
std::string without_numbers(std::string_view text);

/// One header for all of these, as headers of VCF are merged. Throws Error if they contradict each other, or have other
/// samples: its text names both by `paths`.
BcfHeader merged_header(const std::vector<BcfHeader>& headers, const std::vector<std::string>& paths);

/// What the numbers of one header are in another one, which has all of its names.
struct BcfNumbers {
  BcfNumbers(const BcfHeader& from, const BcfHeader& to);

  bool are_same = true;  ///< first: the others say
  std::vector<std::int32_t> contigs;
  std::vector<std::int32_t> strings;
};

}  // namespace sortie::formats::variants

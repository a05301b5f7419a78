// The manifest of a checkpoint: the job, its kept runs, and how far the inputs have been read, as values and as lines
// of text. MANIFEST.md has the format. Checkpoint writes the lines and reads them again; no file is touched here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <sortie/report.hpp>

#include "base/base64.hpp"
#include "base/whole_number.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/input/input_mark.hpp"
#include "record/record_totals.hpp"

namespace sortie {

inline constexpr std::uint64_t kManifestVersion = 4;

/// The checkpoint directory, as messages describe it. They advise to remove it only if sorts made everything in it.
struct CheckpointLocation {
  std::string directory;
  bool holds_other_files = false;  ///< files that are not a checkpoint's
};

/// Throws Error: "checkpoint 'DIRECTORY' cannot be used: REASON; REMEDY".
[[noreturn]] void refuse_checkpoint(const CheckpointLocation& location, const std::string& reason,
                                    const std::string& remedy);

/// The remedy for a checkpoint whose contents cannot be used.
std::string remedy_to_begin_anew(const CheckpointLocation& location);

/// Throws Error for damaged contents; the remedy is to begin anew.
[[noreturn]] void refuse_damaged(const CheckpointLocation& location, const std::string& reason);

/// Digests of what must not change if a sort is to be continued: see identify_job().
struct JobIdentity {
  Checksum inputs;
  Checksum options;

  friend bool operator==(const JobIdentity&, const JobIdentity&) = default;
};

struct ManifestHeader {
  std::uint64_t job_id = 0;  ///< also in the header of every run
  bool made_directory = false;
  RandomSeed seed{};  ///< seed of a random order
  JobIdentity identity;

  friend bool operator==(const ManifestHeader&, const ManifestHeader&) = default;
};

/// A run file in the directory.
struct KeptRun {
  std::uint64_t number = 0;  ///< part of the file's name
  std::uint64_t file_bytes = 0;
  std::uint64_t index_checksum = 0;  ///< RunFile::index_checksum
  RecordTotals dropped;              ///< duplicates dropped on the way into the run

  friend bool operator==(const KeptRun&, const KeptRun&) = default;
};

class Manifest {
 public:
  explicit Manifest(const ManifestHeader& header);

  /// Parses text that need not be trusted. A last line that is cut off or does not match its checksum is ignored, as if
  /// it had not been written. Throws Error, which names the directory of `location`, for any other fault or version.
  static Manifest parse(std::string_view text, const CheckpointLocation& location);

  /// How the first line of a job's manifest begins: its magic, version and job id.
  static std::string beginning_of_header(std::uint64_t job_id);

  const ManifestHeader& header() const { return header_; }
  /// The kept runs, in input order.
  const std::vector<KeptRun>& runs() const { return runs_; }
  /// Where in the inputs the last run that was formed ends.
  const InputMark& end() const { return end_; }
  /// A number greater than that of any run so far.
  std::uint64_t next_number() const { return next_number_; }

  /// Length of all lines together.
  std::uint64_t text_bytes() const { return text_bytes_; }

  /// These return the line to append: the first line of the file; the entry of one more run; the entry of `run`, which
  /// replaces `count` runs from runs()[first] on.
  std::string header_line() const;
  std::string add_run(const KeptRun& run, const InputMark& end);
  std::string replace_runs(std::size_t first, std::size_t count, const KeptRun& run);

 private:
  Manifest() = default;
  bool take_line(std::string_view line);
  bool take_header(std::string_view content);
  bool take_entry(std::string_view content);
  bool take_run(const KeptRun& run, const InputMark& end);
  bool take_number(std::uint64_t number);
  bool take_replacement(std::uint64_t first, std::uint64_t count, const KeptRun& run);
  void pass(std::string_view line);
  std::string seal(const std::string& content) const;

  ManifestHeader header_;
  std::vector<KeptRun> runs_;
  InputMark end_;
  std::unordered_set<std::uint64_t> numbers_;  // numbers of all runs ever listed
  std::uint64_t next_number_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::string last_seal_;  // seal of the last line; the next line's checksum covers it
};

/// Hexadecimal digits of a 64-bit number, with leading zeros. Checksums in the manifest, and numbers in the names of a
/// checkpoint's files, are written so; other numbers of the manifest are decimal. Single spaces separate the words.
inline constexpr std::size_t kHexDigits = 16;

inline std::string hex_digits(std::uint64_t value) { return to_string(Checksum{value, 0}).substr(kHexDigits); }

/// Makes a line of words.
class WordBuilder {
 public:
  explicit WordBuilder(std::string_view first) : text_(first) {}

  WordBuilder& number(std::uint64_t value) { return word(std::to_string(value)); }
  WordBuilder& hex(std::uint64_t value) { return word(hex_digits(value)); }
  WordBuilder& checksum(const Checksum& value) { return word(to_string(value)); }
  WordBuilder& totals(const RecordTotals& value) {
    return number(value.records).number(value.bytes).checksum(value.checksum);
  }
  WordBuilder& run(const KeptRun& value) {
    return number(value.number).number(value.file_bytes).hex(value.index_checksum).totals(value.dropped);
  }
  /// Any bytes.
  WordBuilder& bytes(std::string_view value) { return word(kBytesMark + to_base64(value)); }
  WordBuilder& assumed(const Assumptions::Counted& value);
  const std::string& text() const { return text_; }

  /// Stands in front of bytes in base64, so that no bytes are a word, too.
  static constexpr char kBytesMark = ':';

 private:
  WordBuilder& word(const std::string& value) {
    text_.append(" ").append(value);
    return *this;
  }

  std::string text_;
};

/// Reads the words of a line. A malformed word reads as zero and makes complete() false, so one check at the end is
/// enough.
class WordCursor {
 public:
  explicit WordCursor(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const std::size_t end = rest_.find(' ');
    const std::string_view found = rest_.substr(0, end);
    ended_ = end == std::string_view::npos;
    rest_ = ended_ ? std::string_view() : rest_.substr(end + 1);
    if (found.empty()) failed_ = true;
    return found;
  }
  std::uint64_t number() { return parse(word(), 10); }
  std::uint64_t hex() {
    const std::string_view digits = word();
    if (digits.size() != kHexDigits) failed_ = true;
    return parse(digits, 16);
  }
  Checksum checksum() {
    const std::string_view digits = word();
    if (digits.size() != 2 * kHexDigits) {
      failed_ = true;
      return {};
    }
    const std::uint64_t high = parse(digits.substr(0, kHexDigits), 16);
    return {parse(digits.substr(kHexDigits), 16), high};
  }
  RecordTotals totals() {
    RecordTotals value;
    value.records = number();
    value.bytes = number();
    value.checksum = checksum();
    return value;
  }
  KeptRun run() {
    KeptRun value;
    value.number = number();
    value.file_bytes = number();
    value.index_checksum = hex();
    value.dropped = totals();
    return value;
  }
  std::string bytes();
  Assumptions::Counted assumed();
  /// True if all words have been read, no more were asked for, and all were well formed.
  bool complete() const { return ended_ && !failed_; }

 private:
  std::uint64_t parse(std::string_view digits, int base) {
    const std::optional<std::uint64_t> value = whole_number<std::uint64_t>(digits, base);
    if (!value) failed_ = true;
    return value.value_or(0);
  }

  std::string_view rest_;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace sortie

// The files of a format's output: one, or as many as --split and its like ask for, with a list of them. They are in
// their places when all are complete, or none is. Used by the writers of formats.
//
//   begin(0) ── write ── end ── begin(1) ── write ── end ... finish()
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/byte_checksum.hpp>

#include "base/function_ref.hpp"
#include "formats/file_format.hpp"
#include "io/output/file_set.hpp"
#include "io/output/output.hpp"
#include "pipeline/parts/part_names.hpp"

namespace sortie::formats {

/// What the list of files says of one.
struct WrittenPart {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;  ///< of the records, before packing
};

class PartFiles {
 public:
  /// How a format wants its files.
  struct Form {
    std::string_view suffix;     ///< of their names, as ".tar": it packs nothing
    bool may_be_packed = false;  ///< by a suffix behind it, as ".tar.gz"
    /// Suffix of a second file beside each, in place of `suffix`, as ".idx" beside ".bin"; empty: none.
    std::string_view second_suffix = {};
    bool lists_samples = false;  ///< the list is also an index of WebDataset
  };

  /// Opens the output, or looks whether its files can be made. Throws Error as open_output() does, and if a file would
  /// be an input or in use otherwise. `context` must outlive this.
  PartFiles(const JobContext& context, const Form& form);
  ~PartFiles();
  PartFiles(const PartFiles&) = delete;
  PartFiles& operator=(const PartFiles&) = delete;

  bool are_many() const { return names_.has_value(); }
  /// Path of file `number` of those that are split, or of the only one.
  std::string path_of(std::uint64_t number) const;

  /// Announces how many bytes one file will have in all.
  void expect(std::uint64_t bytes) {
    if (!set_) file_->expect(bytes);
  }
  /// The next file, `number` of those that are split. It exists until end().
  Output& begin(std::uint64_t number);
  /// The file is written. `write_second` writes the one beside it, if there is to be one.
  void end(const WrittenPart& summary, FunctionRef<void(Output&)> write_second);
  void end(const WrittenPart& summary) {
    end(summary, [](Output&) {});
  }

  /// Puts all files and the list in their places. Call once.
  void finish();

 private:
  std::unique_ptr<Output> begin_of_set(const std::string& path);
  std::unique_ptr<Output> packed(std::unique_ptr<Output> file) const;
  std::string second_path(const std::string& path) const;
  void refuse_input(const std::string& path) const;
  /// Writes the file beside the one that has been written, and returns the checksum of its bytes.
  ByteChecksum write_beside(FunctionRef<void(Output&)> write_second);
  void list(const WrittenPart& summary, const ByteChecksum& beside);
  void write_list(Output& target) const;

  const JobContext& context_;
  Form form_;
  std::optional<PartNames> names_;                            // of files that are split
  std::set<std::pair<std::uint64_t, std::uint64_t>> inputs_;  // devices and inodes
  std::optional<FileSet> set_;                                // none for one file without a second
  std::unique_ptr<Output> file_;
  std::string path_;       // of the file that is written
  ByteChecksum checksum_;  // of the same, as it is stored
  std::string listed_;     // JSON of the files, with commas between
  std::string samples_;    // the same, as WebDataset has it
  WrittenPart all_;
  std::uint64_t all_file_bytes_ = 0;
};

}  // namespace sortie::formats

// What a format of files is to the job that sorts them: a reader that makes length-prefixed records
// (record/prefixed), a writer that takes them back in order, and how such files are known. Each format has a folder
// beside this file and a line in registry.cpp.
//
//   inputs ── read() ──▶ key | payload ──▶ sort ──▶ key | payload ── write() ──▶ output
//             batches, on all threads                      whole records
//
// The bytes of a key order the records as memcmp orders them. The payload is the format's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/assumption.hpp>
#include <sortie/file_format_options.hpp>
#include <sortie/options.hpp>

#include "base/raw_bytes.hpp"
#include "formats/input_share.hpp"
#include "formats/record_origins.hpp"
#include "io/files/file.hpp"

namespace sortie::formats {

/// All that one job tells its format. What it refers to outlives the job.
struct JobContext {
  FileSystem& files;
  const SortOptions& options;      ///< inputs, output, its level, what is done with records
  const FileFormatOptions& asked;  ///< settings: only those that the format takes
  std::uint64_t buffer_bytes = 0;  ///< memory of reader and writer together
  bool output_is_known = true;     ///< false for a plan: nothing is opened but inputs
  std::function<void(const std::string& message)> warn;
  /// Other processes read the rest, and read() gives the records of these stretches alone. Nothing: all of all inputs.
  std::optional<InputShare> share = std::nullopt;
  bool reads = true;  ///< false: write() gets what other processes have read
  /// Takes how many bytes of its file a reader that opens an input without `files` has read; may be null. Thread-safe.
  std::function<void(const std::string& path, std::uint64_t bytes)> has_read = {};
  RecordOrigins* origins = nullptr;                ///< gets where the records of each input begin; null: nobody asks
  std::vector<Assumption>* assumptions = nullptr;  ///< gets what is assumed; null: nobody asks

  /// The value of a setting; nothing if it is not given.
  std::optional<std::string> setting(std::string_view name) const;
  /// Takes what is assumed without being told: warns of it and notes it for the report, or throws Error if the sort is
  /// strict.
  void assume(const Assumption& assumption) const;
  /// A reader calls it before the records of an input, in turn. `first`: the number of its first one.
  void begin_input(const std::string& path, std::uint64_t first) const {
    if (origins != nullptr) origins->begin_input(path, first);
  }
  /// Memory of an index of places beside the output.
  std::uint64_t index_bytes() const;
};

/// The files of one job. Its functions are called in the order in which they stand here, by one thread, in a team
/// whose threads share parallel loops.
class FormatFiles {
 public:
  virtual ~FormatFiles() = default;

  /// Says for a plan what is read, in which order, and what is written: a line or several.
  virtual std::string description() const = 0;

  /// Appends the next records of the inputs, length-prefixed, and returns true; false once there are no more. Throws
  /// Error with file and place for what cannot be read. Parallel.
  virtual bool read(RawBytes& records) = 0;
  /// How many records read() has given.
  virtual std::uint64_t records_read() const = 0;

  /// Takes whole records, in order. Parallel.
  virtual void write(std::span<const std::byte> records) = 0;
  /// How many records write() has taken.
  virtual std::uint64_t records_written() const = 0;

  /// All records are written: completes the output and what goes with it, and puts them in their places.
  virtual void finish() = 0;
};

/// The begin of a file, unpacked if it is packed.
struct FileBegin {
  std::span<const std::byte> bytes;  ///< kBeginBytes, or all of a shorter one
  std::string_view output = {};      ///< what the output is called: some formats are made of others
  bool is_vcf = false;               ///< the caller says that lines are VCF
};
inline constexpr std::size_t kBeginBytes = 1024;

struct FileFormat {
  std::string_view name;  ///< a word of kFileFormats
  /// Names of options that it takes beside those of all formats, with blanks between: of settings, and of those that
  /// kNotOfFormats (format_options.cpp) has.
  std::string_view takes;
  bool (*begins)(const FileBegin& begin);  ///< whether such a file begins so; null: it does not show
  /// Opens the inputs, and the output unless that is not known: what cannot be read or written is refused now.
  std::unique_ptr<FormatFiles> (*open)(const JobContext& context);
  /// Whether read() makes the keys of a shuffle (shuffle_keys.hpp), so that they do not depend on how long records are.
  /// If not, the sort shuffles by the places of records.
  bool makes_shuffle_keys = false;
  /// Whether a share may begin and end within a file.
  bool divides_files = false;
  /// Memory that a reader takes while it looks for where its share begins, before it has buffers.
  std::uint64_t search_bytes = 0;
  /// Whether it also takes files whose lines are said to be VCF.
  bool takes_vcf = false;
  /// Version of the records that read() makes: runs of a checkpoint with another one are not gone on with.
  unsigned record_version = 1;
  /// How such files are called: the name counts, as a guess, if the begin shows no format. Empty: no name counts.
  std::string_view suffix = {};
};

}  // namespace sortie::formats

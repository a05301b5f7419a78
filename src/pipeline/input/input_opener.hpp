// Looks at the inputs of a job before work begins, opens each when it is read, and takes its header off. The first
// input with a header decides what the header is; if a header is not certain, the first input that is not empty does.
// The other inputs must have the same header (shared_header.hpp), which is dropped. A job has one opener: what it reads
// of a pipe to find the header must not be lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "io/input/input.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/input/deferred_input.hpp"
#include "pipeline/input/headed_input.hpp"
#include "pipeline/input/json_input.hpp"
#include "pipeline/input/shared_header.hpp"
#include "record/layout.hpp"

namespace sortie {

/// The header of all inputs of a sort, for a part of them.
struct GivenHeader {
  std::string bytes;
  bool is_in_inputs = true;  ///< false: they begin with records, which are not packed, whatever these look like
};

class InputOpener {
 public:
  /// `header`: nothing if these are all inputs.
  InputOpener(FileSystem& files, const SortOptions& options, const std::optional<GivenHeader>& header = std::nullopt);

  /// Whether messages may name a line: groups may refuse one, and guesses name the first one.
  bool names_lines() const { return way_->names_lines; }
  /// Whether inputs may have a header at all.
  bool expects_headers() const { return way_->expects_headers(); }

  /// Looks at inputs in turn until the header is known, and keeps them for open(). Returns the header, empty if there
  /// is none. Call before open(). `paths`: all inputs that will be opened, in their order; none: standard input.
  std::span<const std::byte> find_header(std::span<const std::string> paths);

  /// Returns an input that opens when it is read and may outlive this object. A file is looked at now: throws Error if
  /// it cannot be read or has another header than the inputs before it. An input that may wait for another process,
  /// such as a pipe, is only checked for permission now. Reading it throws Error too if a file has been replaced since
  /// it was looked at, or changed other than by growing.
  std::unique_ptr<DeferredInput> open(const std::string& path);

  /// The line end of the first record, for groups of CSV; empty if unknown. Call after find_header().
  std::string_view line_end() const { return way_->header.line_end(); }
  /// Adds to `assumptions` which inputs lack the header that others have, or have other comments in front of it.
  void report_headers(Assumptions& assumptions) const;

  /// The header of the first input looked at that has one.
  std::span<const std::byte> header() const { return way_->header.bytes(); }

 private:
  /// A file may be opened twice, and counts once.
  struct NotedInputs {
    std::string first;
    std::set<std::string> paths;
  };
  /// How inputs are opened. Shared by the inputs that are not open yet, which several threads may open.
  struct Way {
    Way(FileSystem& file_system, const SortOptions& options);
    Way(const Way&) = delete;
    Way& operator=(const Way&) = delete;
    bool expects_headers() const;
    std::unique_ptr<Input> open(std::unique_ptr<File> file, std::optional<std::uint64_t> known_bytes);
    std::unique_ptr<Input> take_header_off(std::unique_ptr<Input> input);
    void note(NotedInputs& inputs, const HeadedInput& input);

    FileSystem& files;
    Unpacking unpacking;
    std::uint64_t window_bytes;
    std::mutex warning_mutex;
    WarningSink warn;
    Layout layout;
    HeaderRule header_rule;
    std::optional<JsonReading> json;  ///< nothing if inputs are none of JSON
    bool names_lines;
    SharedHeader header;
    std::mutex header_mutex;      // guards what follows
    NotedInputs with_header;      // where lines at their beginning say whether there is one
    NotedInputs without_header;   // the same; they are not empty
    NotedInputs other_comments;   // of CSV, with other lines in front of their header than the output
    NotedInputs guessed_headers;  // of CSV, whose header may be the comment in front of it
  };
  std::unique_ptr<DeferredInput> look_at(const std::string& path);

  std::shared_ptr<Way> way_;
  bool knows_header_;
  bool is_only_;  // there is one input
  bool has_looked_ = false;
  bool has_standard_input_ = false;
  std::deque<std::unique_ptr<DeferredInput>> looked_at_;  // inputs that open() has not returned yet
};

}  // namespace sortie

// Looks at the inputs of a job before work begins, opens each when it is read, and takes their headers off. The header
// is that of the first input that has one; the others must repeat it, and theirs are dropped. A job has one opener:
// what it reads of a pipe to see the header is not lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/file.hpp"
#include "io/input.hpp"
#include "pipeline/input/deferred_input.hpp"
#include "record/layout.hpp"

namespace sortie {

/// Records at the begin of each input that are its header: as many as the options say, and at least the one that names
/// columns if a key has its column's name.
std::uint64_t header_records(const SortOptions& options);

class InputOpener {
 public:
  InputOpener(FileSystem& files, const SortOptions& options);

  /// Whether inputs may have a header at all.
  bool expects_headers() const { return way_->header_records > 0 || way_->layout.quoted; }

  /// Looks at inputs in turn until the header is known, before the first of them is asked for. They are kept for
  /// open(). Nothing if no input has a header.
  std::span<const std::byte> find_header();

  /// An input that opens when it is read. It may outlive this. A file is looked at now: throws Error if it cannot be
  /// read, or has another header than those before. What may wait for another process, as pipes do, is opened when it
  /// is read; here it is only seen that it may be. When it is read, Error is thrown too if a file has been replaced, or
  /// changed but for growing, since it was looked at.
  std::unique_ptr<Input> open(const std::string& path);

  /// The header of the inputs looked at so far, as it stood in the first that has one.
  std::span<const std::byte> header() const { return way_->header; }

 private:
  /// How inputs are opened; shared by those that are not open yet.
  struct Way {
    std::unique_ptr<Input> open(std::unique_ptr<File> file, std::optional<std::uint64_t> known_bytes);
    std::unique_ptr<Input> take_header_off(std::unique_ptr<Input> input);

    FileSystem& files;
    bool unpack = true;
    std::uint64_t window_bytes = 0;
    WarningSink warn;
    Layout layout;
    std::uint64_t header_records = 0;
    std::vector<std::byte> header;
    std::string header_path;  // of the input it is from
  };
  std::unique_ptr<DeferredInput> look_at(const std::string& path);

  std::vector<std::string> paths_;
  std::shared_ptr<Way> way_;
  bool has_looked_ = false;
  bool has_standard_input_ = false;
  std::deque<std::unique_ptr<DeferredInput>> looked_at_;  // until they are asked for
};

}  // namespace sortie

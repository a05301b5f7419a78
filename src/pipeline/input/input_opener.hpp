// Opens the inputs of a job and takes their headers off. The header is that of the first input that has one; the others
// must repeat it, and theirs are dropped. A job has one opener: what it reads of a pipe to see the header is not lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/file.hpp"
#include "io/input.hpp"
#include "record/layout.hpp"

namespace sortie {

/// Records at the begin of each input that are its header: as many as the options say, and at least the one that names
/// columns if a key has its column's name.
std::uint64_t header_records(const SortOptions& options);

class InputOpener {
 public:
  InputOpener(FileSystem& files, const SortOptions& options);

  /// Whether inputs may have a header at all.
  bool expects_headers() const { return records_ > 0 || layout_.quoted; }

  /// Opens inputs in turn until the header is known, before the first of them is asked for. What is opened so far is
  /// kept for open(). Nothing if no input has a header.
  std::span<const std::byte> find_header();

  /// Throws Error if it cannot be opened, or has another header than those before.
  std::unique_ptr<Input> open(const std::string& path);

  /// Of the inputs opened so far, as it stood in the first that has one.
  std::span<const std::byte> header() const { return header_; }

 private:
  std::unique_ptr<Input> open_headed(const std::string& path);

  FileSystem& files_;
  std::vector<std::string> paths_;
  bool unpack_;
  std::uint64_t window_bytes_;
  WarningSink warn_;
  Layout layout_;
  std::uint64_t records_;
  std::vector<std::byte> header_;
  std::string header_path_;                    // of the input it is from
  std::deque<std::unique_ptr<Input>> opened_;  // until they are asked for
};

}  // namespace sortie

// Looks at the inputs of a job before work begins, opens each when it is read, and takes their headers off. The header
// is that of the first input that has one. The others must repeat it, and their headers are dropped. A job has one
// opener, so that what it reads of a pipe to find the header is not lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "io/input/input.hpp"
#include "record/layout.hpp"

namespace sortie {

/// An input that is opened when it is read and closed at its end, because a sort may have more inputs than it may have
/// files open, and unpacking takes memory.
class DeferredInput final : public Input {
 public:
  using Open = std::function<std::unique_ptr<Input>()>;

  /// For an input that nobody has looked at; its size stays unknown.
  DeferredInput(std::string path, Open open);
  /// `open_now`: the input that `open` has already opened. It stays open until close() or its end.
  DeferredInput(std::string path, Open open, std::unique_ptr<Input> open_now);

  /// Closes the input until it is read. Precondition: nothing has been read.
  void close() { input_.reset(); }

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_some(std::span<std::byte> target) override;
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  std::unique_ptr<InputMapping> map(std::span<std::byte> target, const SliceSink& sink) override;
  void skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> size() const override { return size_; }
  /// Opens the input if nobody has looked at it.
  std::uint64_t begin() override;
  /// Gives nothing if the size of the input is unknown.
  std::size_t peek(std::span<std::byte> target) override;

 private:
  Input& opened();
  std::size_t end_if_less(std::size_t got, std::size_t wanted);

  std::string path_;
  Open open_;
  std::unique_ptr<Input> input_;  // null while closed, and after its end
  std::optional<std::uint64_t> size_;
  std::optional<std::uint64_t> begin_;
  bool has_ended_ = false;
};

/// Number of header records at the beginning of each input: as many as the options say, and at least one if a key names
/// its column.
std::uint64_t header_records(const SortOptions& options);

class InputOpener {
 public:
  InputOpener(FileSystem& files, const SortOptions& options);

  /// Whether inputs may have a header at all.
  bool expects_headers() const { return way_->header_records > 0 || way_->layout.quoted; }

  /// Looks at inputs in turn until the header is known, and keeps them for open(). Call before open(). Returns an empty
  /// header if no input has one.
  std::span<const std::byte> find_header();

  /// Returns an input that opens when it is read and may outlive this object. A file is looked at now: throws Error if
  /// it cannot be read or has another header than the inputs before it. An input that may wait for another process,
  /// such as a pipe, is only checked for permission now. Reading it throws Error too if a file has been replaced since
  /// it was looked at, or changed other than by growing.
  std::unique_ptr<Input> open(const std::string& path);

  /// The header of the first input looked at that has one.
  std::span<const std::byte> header() const { return way_->header; }

 private:
  /// How inputs are opened. Shared by the inputs that are not open yet.
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
    std::string header_path;  // path of the input that the header is from
  };
  std::unique_ptr<DeferredInput> look_at(const std::string& path);

  std::vector<std::string> paths_;
  std::shared_ptr<Way> way_;
  bool has_looked_ = false;
  bool has_standard_input_ = false;
  std::deque<std::unique_ptr<DeferredInput>> looked_at_;  // inputs that open() has not returned yet
};

}  // namespace sortie

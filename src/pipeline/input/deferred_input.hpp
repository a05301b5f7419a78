// An input that is opened when it is read and closed at its end. A packed file may be unpacked before its turn, so that
// several threads unpack several files. Made by InputOpener, read by InputSequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/memory_region.hpp"
#include "io/input/input.hpp"

namespace sortie {

/// A sort may have more inputs than it may have files open, and unpacking takes memory.
class DeferredInput final : public Input {
 public:
  /// Takes the path: there may be many inputs, and each has its path once.
  using Open = std::function<std::unique_ptr<Input>(const std::string& path)>;

  /// For an input that nobody has looked at; its size stays unknown.
  DeferredInput(std::string path, Open open);
  /// `open_now`: the input that `open` has already opened. It stays open until close() or its end.
  DeferredInput(std::string path, Open open, std::unique_ptr<Input> open_now);

  /// Closes the input until it is read. Precondition: nothing has been read.
  void close() { input_.reset(); }

  /// The same input, to be read from its begin once more. Precondition: it is no pipe.
  std::unique_ptr<Input> opened_anew() const { return open_(path_); }

  /// Whether the input may be unpacked before its turn: it is packed, and no pipe.
  bool is_packed_file() const { return unpacking_bytes_ > 0; }
  /// Memory that unpacking takes beside what is unpacked, at most. Precondition: is_packed_file().
  std::uint64_t unpacking_bytes() const override { return unpacking_bytes_; }
  /// Unpacks the next `bytes` before they are asked for, but not more than `most_bytes` in all. They wait in memory of
  /// `most_bytes`, which is given back when they have been read. So does an Error, until what comes before it has been
  /// read. Preconditions: is_packed_file(), nothing has been read, `most_bytes` is always the same.
  void unpack_ahead(std::size_t bytes, std::size_t most_bytes);
  /// Bytes that wait to be read.
  std::size_t unpacked_bytes() const { return ahead_end_ - ahead_begin_; }

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_some(std::span<std::byte> target) override;
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  std::unique_ptr<InputMapping> map(std::span<std::byte> target, const SliceSink& sink) override;
  void skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> size() const override { return size_; }
  /// Opens the input if nobody has looked at it.
  std::uint64_t begin() override;
  /// Known once the input has been opened.
  RecordNumbering numbering() const override { return numbering_; }
  /// Gives nothing if the size of the input is unknown.
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) override;

 private:
  Input& opened();
  std::size_t end_if_less(std::size_t got, std::size_t wanted);
  std::size_t take_unpacked(std::span<std::byte> target);

  std::string path_;
  Open open_;
  std::unique_ptr<Input> input_;  // null while closed, and after its end
  std::optional<std::uint64_t> size_;
  std::uint64_t unpacking_bytes_ = 0;
  std::optional<std::uint64_t> begin_;
  RecordNumbering numbering_;
  bool has_ended_ = false;
  MemoryRegion ahead_;  // what was unpacked before its turn, from ahead_begin_ to ahead_end_
  std::size_t ahead_begin_ = 0;
  std::size_t ahead_end_ = 0;
  std::exception_ptr failure_;  // of unpacking what comes behind
};

}  // namespace sortie

// A file read from front to back, through a buffer, with a look ahead at its first bytes. Stream inputs and
// decompressors read through it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "io/files/file.hpp"

namespace sortie {

class ByteSource {
 public:
  explicit ByteSource(std::unique_ptr<File> file) : file_(std::move(file)) {}

  const std::string& path() const { return file_->path(); }

  /// The next `bytes` bytes, fewer at the end; read() will return them again.
  std::span<const std::byte> peek(std::size_t bytes);

  /// Fills `target`; returns fewer bytes only at the end. Large targets are filled without a copy.
  std::size_t read(std::span<std::byte> target);

  /// Reads the next bytes that are there, waiting only for the first; 0 at the end. Precondition: `target` is not
  /// empty.
  std::size_t read_some(std::span<std::byte> target);

 private:
  std::size_t take_buffered(std::span<std::byte> target);
  /// Reads once into the free end of the buffer; false at the end of the file.
  bool fill();

  std::unique_ptr<File> file_;
  std::unique_ptr<std::byte[]> buffer_;  ///< null before the first use, and at the end
  std::size_t begin_ = 0;                ///< buffer_[begin_, end_) is read from the file and not yet taken
  std::size_t end_ = 0;
};

}  // namespace sortie

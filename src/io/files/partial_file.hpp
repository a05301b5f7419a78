// A file of which little can be asked: base of files that are not the system's. What a subclass does not override must
// not be called, or does nothing where a file need not be able to do it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/files/file.hpp"

namespace sortie {

class PartialFile : public File {
 public:
  std::size_t read(std::span<std::byte>) override { return refuse<std::size_t>(); }
  std::size_t read_at(std::uint64_t, std::span<std::byte>) override { return refuse<std::size_t>(); }
  void write(std::span<const std::byte>) override { refuse<void>(); }
  void write_at(std::uint64_t, std::span<const std::byte>) override { refuse<void>(); }
  void write_mapped_at(std::uint64_t, std::span<const std::byte>) override { refuse<void>(); }
  std::uint64_t size() const override { return refuse<std::uint64_t>(); }
  FileVersion version() const override { return {}; }
  void truncate(std::uint64_t) override { refuse<void>(); }
  void give_name(const std::string&) override { refuse<void>(); }

  void set_position(std::uint64_t) noexcept override {}
  bool seekable() const override { return false; }
  bool allocate(std::uint64_t) override { return false; }
  bool prepare_space(std::uint64_t, std::uint64_t) noexcept override { return false; }
  void release(std::uint64_t, std::uint64_t) noexcept override {}
  void adopt_permissions(const FileStatus&) override {}
  void start_writeback(std::uint64_t, std::uint64_t) noexcept override {}
  void start_reading(std::uint64_t, std::uint64_t) noexcept override {}
  void write_around_cache() noexcept override {}
  void sync() override {}

 private:
  template <class Result>
  static Result refuse() {
    assert(false && "not for this kind of file");
    return Result();
  }
};

}  // namespace sortie

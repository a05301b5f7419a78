// Walks over the entries of a tar archive, from header to header. Nothing of it depends on where the bytes come from: a
// file whose contents are skipped, or a packed stream that has to be read in any case (TarBytes).
//
//   global pax │ pax │ long name │ header │ contents, padding │ header │ ... │ two zero blocks │ zeros
//              └──────────────── one entry ──────────────────┘
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/tar/tar_header.hpp"

namespace sortie::formats::tar {

/// The bytes of an archive, from front to back.
class TarBytes {
 public:
  virtual ~TarBytes() = default;

  virtual const std::string& path() const = 0;
  /// Fills `target`; returns fewer bytes only at the end.
  virtual std::size_t read(std::span<std::byte> target) = 0;
  /// Passes over the next `bytes`; returns fewer only at the end.
  virtual std::uint64_t pass_over(std::uint64_t bytes) = 0;
};

struct TarEntry {
  std::uint64_t begin = 0;  ///< offset of its first header: extension headers belong to it
  std::uint64_t end = 0;    ///< offset behind its contents and their padding
  std::uint64_t content_begin = 0;
  std::uint64_t content_bytes = 0;
  std::string name = {};
  bool is_file = false;
};

class TarWalk {
 public:
  /// Names and pax headers that are longer are refused: nothing is read into memory that the archive only claims.
  static constexpr std::uint64_t kMostExtensionBytes = 16 << 20;

  /// `bytes` must outlive this.
  explicit TarWalk(TarBytes& bytes) : bytes_(bytes) {}

  /// The next entry; nothing at the end of the archive. Throws Error, with file and offset, for all that read_header()
  /// refuses, for an archive that is cut off, for one that has no end, and if anything but zeros follows its end.
  std::optional<TarEntry> next();

  /// The pax headers in front of the first entry that hold for all of them, as they stand. Complete once next() has
  /// returned.
  const std::vector<std::byte>& global_headers() const { return global_headers_; }

 private:
  struct Extensions {
    std::optional<std::string> long_name;
    PaxRecords pax;
    bool are_there = false;
  };

  ArchivePlace place(std::uint64_t offset) const { return {bytes_.path(), offset}; }
  bool read_block(std::span<std::byte> block);
  std::vector<std::byte> read_contents(const TarHeader& header, std::uint64_t header_offset);
  void take_extension(const TarHeader& header, std::uint64_t offset, Extensions& extensions);
  void take_global(const TarHeader& header, std::uint64_t offset, std::span<const std::byte> block,
                   const Extensions& extensions);
  void pass_contents(std::uint64_t bytes, std::uint64_t header_offset);
  void check_end(std::uint64_t offset);
  [[noreturn]] void refuse_behind_end(std::uint64_t offset) const;

  TarBytes& bytes_;
  std::uint64_t offset_ = 0;  // of the next byte
  bool has_entries_ = false;
  bool has_ended_ = false;
  std::vector<std::byte> global_headers_;
};

}  // namespace sortie::formats::tar

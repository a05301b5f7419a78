// Tar archives made by hand, byte for byte, for tests of their reader: every field can be wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "formats/tar/tar_walk.hpp"

namespace sortie::test {

/// What a header block says; the defaults are those of GNU tar's --format=ustar.
struct TarBlock {
  std::string name;
  char type = '0';
  std::string size = {};  ///< the raw field; empty: made of the contents
  std::string prefix = {};
  std::string magic = std::string(
      "ustar\0"
      "00",
      8);
};

inline std::string octal(std::uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(number));
  return text;
}

inline void put(std::string& block, std::size_t offset, std::string_view text) {
  std::copy(text.begin(), text.end(), block.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// Gives a changed block the checksum that fits it.
inline void set_checksum(std::string& block) {
  put(block, 148, "        ");
  std::uint64_t sum = 0;
  for (const char byte : block.substr(0, 512)) sum += static_cast<unsigned char>(byte);
  put(block, 148, octal(sum, 6) + std::string("\0 ", 2));
}

inline std::string tar_block(const TarBlock& said) {
  std::string block(512, '\0');
  put(block, 0, said.name.substr(0, 100));
  put(block, 100, "0000644");
  put(block, 124, said.size.substr(0, 12));
  put(block, 136, "00000000000");
  block[156] = said.type;
  put(block, 257, said.magic);
  put(block, 345, said.prefix);
  set_checksum(block);
  return block;
}

inline std::string padded(std::string contents) {
  contents.resize((contents.size() + 511) / 512 * 512);
  return contents;
}

inline std::string tar_entry(TarBlock said, const std::string& contents) {
  if (said.size.empty()) said.size = octal(contents.size(), 11);
  return tar_block(said) + padded(contents);
}

inline std::string tar_file(const std::string& name, const std::string& contents) {
  return tar_entry({.name = name}, contents);
}

inline std::string tar_end() { return std::string(1024, '\0'); }

inline std::string pax_record(const std::string& key, const std::string& value) {
  std::size_t length = key.size() + value.size() + 3;
  while (std::to_string(length).size() + key.size() + value.size() + 3 != length) ++length;
  return std::to_string(length) + " " + key + "=" + value + "\n";
}

/// The bytes of an archive that are in memory.
class TextBytes final : public formats::tar::TarBytes {
 public:
  explicit TextBytes(std::string_view text) : text_(text) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = std::min(target.size(), text_.size() - at_);
    if (bytes > 0) std::memcpy(target.data(), text_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }
  std::uint64_t pass_over(std::uint64_t bytes) override {
    bytes = std::min<std::uint64_t>(bytes, text_.size() - at_);
    at_ += bytes;
    return bytes;
  }

 private:
  const std::string path_ = "x.tar";
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace sortie::test

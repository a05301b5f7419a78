// Token files made by hand, as numpy and Megatron write them, for tests of their readers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sortie::test {

using Sequences = std::vector<std::int32_t>;  // lengths, of one document

inline void put_bytes(std::string& text, std::size_t offset, const std::string& bytes) {
  std::copy(bytes.begin(), bytes.end(), text.begin() + static_cast<std::ptrdiff_t>(offset));
}

template <class Number>
void append_number(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// As IndexWriter of megatron.core.datasets.indexed_dataset writes it.
inline std::string megatron_index(std::uint8_t code, std::int64_t width, const std::vector<Sequences>& documents) {
  std::string text("MMIDIDX\0\0", 9);
  std::string lengths;
  std::string offsets;
  std::string firsts;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  append_number(firsts, count);
  for (const Sequences& document : documents) {
    for (const std::int32_t length : document) {
      append_number(lengths, length);
      append_number(offsets, offset);
      offset += length * width;
      ++count;
    }
    append_number(firsts, count);
  }
  append_number(text, std::uint64_t{1});
  append_number(text, code);
  append_number(text, static_cast<std::uint64_t>(count));
  append_number(text, std::uint64_t{documents.size() + 1});
  return text + lengths + offsets + firsts;
}

}  // namespace sortie::test

// The records of a stored run, block after block.
#pragma once

#include <cstddef>
#include <string>

#include "run/run.hpp"
#include "support/text_bytes.hpp"

namespace sortie::test {

inline std::string contents_of(const Run& run) {
  std::string records;
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    std::string block(static_cast<std::size_t>(run.blocks[i].record_bytes), '?');
    read_block(run, i, as_writable(block));
    records += block;
  }
  return records;
}

}  // namespace sortie::test

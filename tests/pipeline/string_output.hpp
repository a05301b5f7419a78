// An output that keeps what is written, for the tests of what comes before it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/output/output.hpp"
#include "support/record_data.hpp"

namespace sortie::test {

class StringOutput : public Output {
 public:
  void write(std::span<const std::byte> bytes) override { text += as_text(bytes); }
  void expect(std::uint64_t) override {}
  void write_around_cache() override {}
  void finish() override {}

  std::string text;
};

}  // namespace sortie::test

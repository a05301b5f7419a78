// What all outputs have in common that pass what comes on to another output, changed or not: that output, and the calls
// that mean the same to it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "io/output/output.hpp"

namespace sortie {

class PassingOutput : public Output {
 public:
  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void expect(std::uint64_t bytes) override { target_->expect(bytes); }
  void write_around_cache() override { target_->write_around_cache(); }
  void finish() override { target_->finish(); }

 protected:
  explicit PassingOutput(std::unique_ptr<Output> target) : target_(std::move(target)) {}

  Output& target() { return *target_; }

 private:
  std::unique_ptr<Output> target_;
};

}  // namespace sortie

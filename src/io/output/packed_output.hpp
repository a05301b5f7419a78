// What all outputs that pack their bytes have in common: the output that the packed bytes go to.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "io/output/output.hpp"

namespace sortie {

class PackedOutput : public Output {
 public:
  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  /// Nobody knows how long it will be when it is packed.
  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_->write_around_cache(); }

 protected:
  explicit PackedOutput(std::unique_ptr<Output> target) : target_(std::move(target)) {}

  Output& target() { return *target_; }

 private:
  std::unique_ptr<Output> target_;
};

}  // namespace sortie

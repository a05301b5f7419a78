// An output beside that of the sort: a trace, statistics. If its reader goes away the sort goes on: a failed write is
// an error, reported when the sort is done, and not the signal SIGPIPE. Opened by the pipeline.
#pragma once

#include <memory>
#include <utility>

#include "io/output/output.hpp"

namespace sortie {

class ReportOutput final : public Output {
 public:
  explicit ReportOutput(std::unique_ptr<Output> output) : output_(std::move(output)) {}

  void write(std::span<const std::byte> bytes) override;
  bool waits_for_reader() const override { return output_->waits_for_reader(); }
  void expect(std::uint64_t bytes) override { output_->expect(bytes); }
  void finish() override { output_->finish(); }

 private:
  std::unique_ptr<Output> output_;
};

}  // namespace sortie

// Bytes order collated lines only when their ranks are filled in: this is done in front of another finisher.
#include <utility>

#include "pipeline/output/finisher.hpp"
#include "pipeline/ties/tie_order.hpp"
#include "pipeline/ties/tie_stage.hpp"

namespace sortie {
namespace {

// Puts ties in order.
class TieFinisher : public Finisher {
 public:
  TieFinisher(const OutputSetting& setting, std::unique_ptr<Finisher> next)
      : next_(std::move(next)),
        ties_(setting.codec, static_cast<std::size_t>(setting.options.tie_bytes), *setting.options.scratch) {}

  void accept(std::span<std::byte> part) override {
    ties_.accept(part, [this](std::span<std::byte> lines) { next_->accept(lines); });
  }

  void finish() override {
    ties_.finish([this](std::span<std::byte> lines) { next_->accept(lines); });
    next_->finish();
  }

 private:
  std::unique_ptr<Finisher> next_;
  TieStage ties_;
};

// Fills in the ranks of lines that come in order.
class RankFinisher : public Finisher {
 public:
  RankFinisher(const OutputSetting& setting, std::unique_ptr<Finisher> next)
      : next_(std::move(next)), ranks_(setting.codec) {}

  void accept(std::span<std::byte> part) override {
    ranks_.fill_in(part);
    next_->accept(part);
  }

  void finish() override { next_->finish(); }

 private:
  std::unique_ptr<Finisher> next_;
  TieRanks ranks_;
};

}  // namespace

std::unique_ptr<Finisher> settle_ties(const OutputSetting& setting, std::unique_ptr<Finisher> next) {
  if (setting.options.ties_in_order) return std::make_unique<RankFinisher>(setting, std::move(next));
  return std::make_unique<TieFinisher>(setting, std::move(next));
}

}  // namespace sortie

#include "engine/cpu/cpu_engine.hpp"

#include "engine/cpu/number_run_former.hpp"
#include "engine/cpu/record_run_former.hpp"
#include "engine/cpu/window_merge.hpp"
#include "record/record_order.hpp"

namespace sortie {
namespace {

/// A merged window that is so many times longer than the largest that was planned has long records.
constexpr std::uint64_t kUsualWindows = 2;

class CpuEngine : public Engine {
 public:
  explicit CpuEngine(const Format& format)
      : order_(format), number_bytes_(format.kind == RecordKind::kArray ? format.record_bytes : 0) {}

  std::string_view name() const override { return "cpu"; }
  bool forms_runs_on_host() const override { return true; }

  std::unique_ptr<RunFormer> make_run_former(const FormationBudget& budget) override {
    if (number_bytes_ == 4) return std::make_unique<NumberRunFormer<std::uint32_t>>(order_, budget);
    if (number_bytes_ == 8) return std::make_unique<NumberRunFormer<std::uint64_t>>(order_, budget);
    return std::make_unique<RecordRunFormer>(order_, budget);
  }

  std::unique_ptr<WindowMerger> make_window_merger(const MergeBudget& budget) override {
    if (number_bytes_ == 4) return std::make_unique<NumberWindowMerger<std::uint32_t>>(order_);
    if (number_bytes_ == 8) return std::make_unique<NumberWindowMerger<std::uint64_t>>(order_);
    return std::make_unique<RecordWindowMerger>(order_, kUsualWindows * budget.window_bytes);
  }

 private:
  RecordOrder order_;
  std::uint64_t number_bytes_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Format& format) { return std::make_unique<CpuEngine>(format); }

}  // namespace sortie

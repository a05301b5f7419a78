#include "pipeline/output/output_stage.hpp"

#include <string>
#include <utility>
#include <vector>

#include "pipeline/output/record_shape.hpp"
#include "pipeline/ties/tie_order.hpp"
#include "pipeline/ties/tie_stage.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

// Bytes order collated lines only when their ranks are filled in: this is done in front of another finisher.

// Puts ties in order.
class TieFinisher : public Finisher {
 public:
  TieFinisher(const OutputContext& context, std::unique_ptr<Finisher> next)
      : next_(std::move(next)),
        ties_(context.codec, static_cast<std::size_t>(context.options.tie_bytes), *context.options.scratch) {}

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

// Fills in the ranks of lines that come in order, as a merge of inputs gives them: line by line, and none has to wait.
// If the inputs were not sorted, the lines keep their positions, and the ranks say only that.
class RankFinisher : public Finisher {
 public:
  RankFinisher(const OutputContext& context, std::unique_ptr<Finisher> next)
      : next_(std::move(next)), order_(context.codec) {}

  void accept(std::span<std::byte> part) override {
    Record before = last_;
    for_each_record(order_.layout(), part, [&](const std::byte* data, std::uint64_t stored) {
      const auto offset = static_cast<std::size_t>(data - part.data());
      const std::span<std::byte> line = part.subspan(offset, static_cast<std::size_t>(stored));
      order_.rank_behind(before, line);
      before = line;
    });
    last_.assign(before.begin(), before.end());
    next_->accept(part);
  }

  void finish() override { next_->finish(); }

 private:
  std::unique_ptr<Finisher> next_;
  TieOrder order_;
  std::vector<std::byte> last_;  // last line of the part before
};

std::unique_ptr<Finisher> make_finisher_of_ordered(OutputContext& context) {
  if (context.options.group_text != nullptr) return make_aggregate_finisher(context);
  if (context.options.needs_groups()) return make_group_finisher(context);
  if (!context.codec.makes_keys()) return make_plain_finisher(context);
  return context.codec.refers() ? make_fetch_finisher(context) : make_strip_finisher(context);
}

std::unique_ptr<Finisher> make_finisher(OutputContext& context) {
  std::unique_ptr<Finisher> finisher = make_finisher_of_ordered(context);
  if (!context.codec.collates()) return finisher;
  if (context.options.ties_in_order) return std::make_unique<RankFinisher>(context, std::move(finisher));
  return std::make_unique<TieFinisher>(context, std::move(finisher));
}

}  // namespace

OutputOptions output_options(const SortSpec& spec) {
  const SortOptions& options = spec.options;
  return {.unique = options.unique,
          .verify = options.verify,
          .keep_last = spec.keeps_last,
          .best = spec.best.get(),
          .show_count = options.count,
          .key_filter = options.key_filter,
          .sets = spec.compares_inputs() ? std::optional(InputSets(options.set_operation, spec.compared_inputs()))
                                         : std::nullopt,
          .group_text = spec.group_text.get(),
          .most_records = options.top_records,
          .form = spec.form};
}

OutputStage::OutputStage(const RecordCodec& codec, Output& output, OutputOptions options, Observer& observer)
    : context_{codec, options, output, observer}, finisher_(make_finisher(context_)) {}

void OutputStage::accept(std::span<std::byte> part) {
  write_header();
  finisher_->accept(part);
}

void OutputStage::finish() {
  write_header();
  finisher_->finish();
}

void OutputStage::write_header() {
  if (context_.options.header.empty() || std::exchange(has_header_, true)) return;
  context_.output.write(RecordShape(context_.codec, context_.options).shaped_header(context_.options.header));
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw_output_fault(std::to_string(input.records) + " records went in, " + std::to_string(output.records) +
                     " came out (" + std::to_string(dropped.records) + " dropped), checksums " +
                     to_string(expected.checksum) + " and " + to_string(output.checksum));
}

}  // namespace sortie

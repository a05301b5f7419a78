// Each of the sorted records is written in the form in which another sort or a join takes it: with its keys or its
// place in front. So each is a group of its own.

#include "base/release_memory.hpp"
#include "pipeline/output/range_grouping.hpp"
#include "pipeline/output/record_shape.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {
namespace {

/// The records of a range.
struct FormedRange {
  std::vector<std::byte> text;  // those that are shown, in their form
  RecordTotals shown;           // their totals, as they were read
  RecordTotals all;
  bool in_order = true;
};

class FormFinisher : public RangeGrouping<FormedRange> {
 public:
  explicit FormFinisher(OutputSetting& setting)
      : RangeGrouping(setting, "put keys in front", false), shape_(setting.codec, setting.options) {}

 private:
  FormedRange new_range() const override { return {}; }
  void group_range(const SortedRange& records, FormedRange& range) const override;
  void add_range(const SortedRange& records, FormedRange& range) override;
  void show_open_group() override {}  // none is open

  RecordShape shape_;
};

void FormFinisher::group_range(const SortedRange& records, FormedRange& range) const {
  range.text.clear();
  range.shown = {};
  range.all = {};
  std::vector<std::byte> scratch;
  range.in_order = scan_.visit(records, [&](Record record) {
    const Record original = setting_.codec.original(record, scratch);
    const RecordTotals totals = totals_of_one(original, setting_.options.verify);
    range.all += totals;
    if (range.shown.records == groups_left_) return;
    shape_.append(record, original, 1, range.text);
    range.shown += totals;
  });
}

// Ranges are shaped before it is known how many records those in front of them show.
void FormFinisher::add_range(const SortedRange& records, FormedRange& range) {
  if (range.shown.records > groups_left_) group_range(records, range);
  groups_left_ -= range.shown.records;
  setting_.tally.written += range.shown;
  setting_.tally.dropped += range.all - range.shown;
  if (!range.text.empty()) writer_.write(range.text);
  if (range.text.capacity() > kUsualRangeText) release_memory(range.text);
}

}  // namespace

std::unique_ptr<Finisher> make_form_finisher(OutputSetting& setting) { return std::make_unique<FormFinisher>(setting); }

}  // namespace sortie

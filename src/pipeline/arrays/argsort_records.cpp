// The public function for the order of records in memory.
#include <sortie/argsort.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/thread_team.hpp"
#include "entries/entry.hpp"
#include "entries/vector_sort.hpp"
#include "pipeline/public_call.hpp"
#include "record/key_plan.hpp"

namespace sortie {
namespace {

/// The order of the records of one row after another. Entries hold the index of a record as its location.
class RowOrder {
 public:
  RowOrder(const Format& format, std::size_t row_length)
      : plan_(make_key_plan(format)), record_bytes_(format.record_bytes), entries_(row_length) {}

  void fill(const std::byte* records, std::span<std::int64_t> indexes) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i] = {i, key_word(plan_, records + i * record_bytes_, record_bytes_, 0)};
    }
    vector_sort(entries_);
    if (plan_.key_bytes > sizeof(std::uint64_t)) order_ties(records);
    std::ranges::transform(entries_, indexes.begin(),
                           [](const Entry& entry) { return static_cast<std::int64_t>(entry.location); });
  }

 private:
  /// Entries with equal words are in the order of their indexes.
  void order_ties(const std::byte* records) {
    const auto is_before = [&](const Entry& a, const Entry& b) {
      const int order = compare_keys(plan_, records + a.location * record_bytes_, record_bytes_,
                                     records + b.location * record_bytes_, record_bytes_, 1);
      return order != 0 ? order < 0 : a.location < b.location;
    };
    for (auto begin = entries_.begin(); begin != entries_.end();) {
      const auto end = std::find_if(begin, entries_.end(), [&](const Entry& e) { return e.word != begin->word; });
      std::sort(begin, end, is_before);
      begin = end;
    }
  }

  KeyPlan plan_;
  std::size_t record_bytes_;
  std::vector<Entry> entries_;
};

void refuse_other_records(std::span<const std::byte> records, std::span<std::int64_t> indexes, const Format& format,
                          std::size_t row_length) {
  if (format.kind != RecordKind::kFixed || format.record_bytes == 0) {
    throw Error("argsort_records: the format is not that of records of fixed length");
  }
  if (records.size() % format.record_bytes != 0 || records.size() / format.record_bytes != indexes.size()) {
    throw Error("argsort_records: there is room for " + std::to_string(indexes.size()) +
                " indexes, and there are other records: " + std::to_string(records.size()) + " bytes of them");
  }
  if (indexes.size() % row_length != 0) {
    throw Error("argsort_records: " + std::to_string(indexes.size()) + " records make no whole rows of " +
                std::to_string(row_length));
  }
}

}  // namespace

void argsort_records(std::span<const std::byte> records, std::span<std::int64_t> indexes, const Format& format,
                     const ArgsortOptions& options, std::size_t row_length) {
  public_call([&] {
    if (row_length == 0) row_length = std::max<std::size_t>(1, indexes.size());
    refuse_other_records(records, indexes, format, row_length);
    RowOrder order(format, row_length);
    for (std::size_t begin = 0; begin < indexes.size(); begin += row_length) {
      if (options.stop.stop_requested()) throw Stopped("the sort was stopped by its caller");
      order.fill(records.data() + begin * format.record_bytes, indexes.subspan(begin, row_length));
    }
  });
}

}  // namespace sortie

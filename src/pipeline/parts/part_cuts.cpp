#include "pipeline/parts/part_cuts.hpp"

#include <algorithm>
#include <utility>

namespace sortie {
namespace {

class EqualBytes final : public PartLimits {
 public:
  EqualBytes(std::uint64_t parts, std::uint64_t total_bytes) : parts_(parts), total_bytes_(total_bytes) {}

  PartTake take(const PartRecords& records) override {
    const std::uint64_t end = end_of_share();
    if (part_ + 1 == parts_ || end >= done_bytes_ + records.size()) {
      done_bytes_ += records.size();
      return {.bytes = records.size()};
    }
    const auto position = static_cast<std::size_t>(end - std::min(end, done_bytes_));
    const std::size_t bytes = records.end_at_or_after(position);
    done_bytes_ += bytes;
    if (bytes == records.size()) return {.bytes = bytes};  // what comes next is in another share
    ++part_;
    return {.bytes = bytes, .ends = true};
  }

  void add_behind_end(const PartRecords& records) override { done_bytes_ += records.size(); }

 private:
  // The first position in all records that is not in the share of the part.
  std::uint64_t end_of_share() const {
    const auto product = static_cast<unsigned __int128>(total_bytes_) * (part_ + 1);
    return static_cast<std::uint64_t>((product + parts_ - 1) / parts_);
  }

  std::uint64_t parts_;
  std::uint64_t total_bytes_;
  std::uint64_t part_ = 0;
  std::uint64_t done_bytes_ = 0;
};

class MostRecords final : public PartLimits {
 public:
  explicit MostRecords(std::uint64_t most_records) : most_records_(most_records) {}

  PartTake take(const PartRecords& records) override {
    if (left_ == 0) left_ = most_records_;
    // What has been counted comes again behind the end of a part.
    if (counted_ == 0) counted_ = records.count();
    const std::uint64_t taken = std::min(left_, counted_);
    const bool takes_all = taken == counted_;
    counted_ -= taken;
    left_ -= taken;
    const std::size_t bytes = takes_all ? records.size() : records.bytes_of_first(taken);
    return {.bytes = bytes, .ends = left_ == 0};
  }

  void add_behind_end(const PartRecords& records) override { counted_ -= std::min(counted_, records.count()); }

 private:
  std::uint64_t most_records_;
  std::uint64_t left_ = 0;     // of the part
  std::uint64_t counted_ = 0;  // records that have been counted, and not been taken
};

class MostBytes final : public PartCuts {
 public:
  MostBytes(std::uint64_t most_bytes, std::uint64_t header_bytes)
      : most_bytes_(most_bytes - std::min(most_bytes, header_bytes)) {}

  PartTake take(const PartRecords& records) override {
    std::size_t bytes = records.bytes_within(most_bytes_ - part_bytes_);
    if (bytes == 0 && part_bytes_ > 0) return end_with(0);
    if (bytes == 0) return end_with(records.bytes_of_first(1));
    if (bytes < records.size()) return end_with(bytes);
    part_bytes_ += bytes;
    return {.bytes = bytes};
  }

 private:
  PartTake end_with(std::size_t bytes) {
    part_bytes_ = 0;
    return {.bytes = bytes, .ends = true};
  }

  std::uint64_t most_bytes_;  // of records
  std::uint64_t part_bytes_ = 0;
};

class MostWeight final : public PartCuts {
 public:
  MostWeight(const PartWeights& weights, std::uint64_t most_weight) : weights_(weights), most_weight_(most_weight) {}

  PartTake take(const PartRecords& records) override {
    const std::size_t bytes = weights_.bytes_within(records, most_weight_ - part_weight_);
    if (bytes == 0) return end_with(is_begun_ ? 0 : records.bytes_of_first(1));
    if (bytes < records.size()) return end_with(bytes);
    part_weight_ += weights_.sum(records);
    is_begun_ = true;
    return {.bytes = bytes};
  }

 private:
  PartTake end_with(std::size_t bytes) {
    part_weight_ = 0;
    is_begun_ = false;
    return {.bytes = bytes, .ends = true};
  }

  const PartWeights& weights_;
  std::uint64_t most_weight_;
  std::uint64_t part_weight_ = 0;
  bool is_begun_ = false;  // the part has records, which may weigh nothing
};

class KeyGroups final : public PartCuts {
 public:
  explicit KeyGroups(PartKeys& keys) : keys_(keys) {}

  PartTake take(const PartRecords& records) override {
    if (!keys_.has_taken()) keys_.take(records.first_keyed());
    const std::size_t bytes = keys_.repeating_bytes(records);
    const bool ends = bytes < records.size();
    if (ends) keys_.forget();
    return {.bytes = bytes, .ends = ends};
  }

 private:
  PartKeys& keys_;
};

class WithinGroups final : public PartCuts {
 public:
  WithinGroups(PartKeys& keys, std::function<std::unique_ptr<PartCuts>()> make_cuts)
      : keys_(keys), make_cuts_(std::move(make_cuts)) {}

  PartTake take(const PartRecords& records) override {
    if (!keys_.has_taken()) {
      keys_.take(records.first_keyed());
      cuts_ = make_cuts_();
    }
    const std::size_t group = keys_.repeating_bytes(records);
    if (group == 0) {  // the last piece ended with the group
      keys_.forget();
      return std::exchange(is_open_, false) ? PartTake{.ends = true} : take(records);
    }
    PartTake taken = cuts_->take(records.first(group));
    if (!taken.ends && taken.bytes == group && group < records.size()) {
      taken.ends = true;
      keys_.forget();
    }
    is_open_ = !taken.ends;
    return taken;
  }

 private:
  PartKeys& keys_;
  std::function<std::unique_ptr<PartCuts>()> make_cuts_;
  std::unique_ptr<PartCuts> cuts_;
  bool is_open_ = false;  // a part has been begun with records of the key
};

class GroupsTogether final : public PartCuts {
 public:
  GroupsTogether(std::unique_ptr<PartLimits> limits, PartKeys& keys) : limits_(std::move(limits)), keys_(keys) {}

  PartTake take(const PartRecords& records) override {
    if (is_ending_) return take_rest_of_group(records, 0);
    const PartTake taken = limits_->take(records);
    if (taken.bytes > 0) keys_.take(records.first(taken.bytes).last_keyed());
    return taken.ends ? take_rest_of_group(records, taken.bytes) : taken;
  }

 private:
  // The part is full behind the first `bytes`.
  PartTake take_rest_of_group(const PartRecords& records, std::size_t bytes) {
    const std::size_t rest = bytes < records.size() ? keys_.repeating_bytes(records.behind(bytes)) : 0;
    limits_->add_behind_end(records.behind(bytes).first(rest));
    is_ending_ = bytes + rest == records.size();
    return {.bytes = bytes + rest, .ends = !is_ending_};
  }

  std::unique_ptr<PartLimits> limits_;
  PartKeys& keys_;
  bool is_ending_ = false;  // the part is full, but more of its last group may come
};

// A group at the end of what has come waits, unless its part has begun with it.
class MostBytesOfGroups final : public PartCuts {
 public:
  MostBytesOfGroups(PartKeys& keys, std::uint64_t most_bytes, std::uint64_t header_bytes)
      : keys_(keys), most_bytes_(most_bytes - std::min(most_bytes, header_bytes)) {}

  PartTake take(const PartRecords& records) override {
    if (waiting_bytes_ > 0) return take_waiting(records);
    if (is_one_group_) {
      const std::size_t bytes = keys_.repeating_bytes(records);
      is_one_group_ = bytes == records.size();
      part_bytes_ += bytes;
      if (bytes > 0) return {.bytes = bytes};
    }
    if (const std::size_t bytes = whole_groups(records); bytes > 0) {
      part_bytes_ += bytes;
      return {.bytes = bytes};
    }
    return take_group(records);
  }

 private:
  std::uint64_t room() const { return most_bytes_ - std::min(most_bytes_, part_bytes_); }

  // Bytes of whole groups at the beginning that fit into the part.
  std::size_t whole_groups(const PartRecords& records) {
    const std::size_t bytes = records.bytes_within(room());
    if (bytes == 0) return 0;
    const std::size_t begin = keys_.begin_of_last_group(records.first(bytes));
    const bool goes_on = bytes == records.size() || keys_.repeats(records.behind(bytes).first_keyed());
    return goes_on ? begin : bytes;
  }

  // The first group may go on in what comes later, or does not fit.
  PartTake take_group(const PartRecords& records) {
    keys_.take(records.first_keyed());
    if (part_bytes_ == 0) {
      is_one_group_ = true;
      return take(records);
    }
    const std::size_t bytes = keys_.repeating_bytes(records);
    if (bytes > room()) {
      part_bytes_ = 0;
      return {.ends = true};
    }
    waiting_bytes_ = bytes;
    return {.bytes = bytes, .holds = true};
  }

  PartTake take_waiting(const PartRecords& records) {
    const std::size_t bytes = keys_.repeating_bytes(records);
    if (waiting_bytes_ + bytes > room()) {
      part_bytes_ = std::exchange(waiting_bytes_, 0);
      is_one_group_ = true;
      return {.ends = true, .releases = true};
    }
    if (bytes == records.size()) {
      waiting_bytes_ += bytes;
      return {.bytes = bytes, .holds = true};
    }
    part_bytes_ += std::exchange(waiting_bytes_, 0) + bytes;
    return {.bytes = bytes, .releases = true};
  }

  PartKeys& keys_;
  std::uint64_t most_bytes_;  // of records
  std::uint64_t part_bytes_ = 0;
  std::uint64_t waiting_bytes_ = 0;
  bool is_one_group_ = false;  // all of the part has the key that was taken
};

}  // namespace

std::unique_ptr<PartLimits> limit_equal_bytes(std::uint64_t parts, std::uint64_t total_bytes) {
  return std::make_unique<EqualBytes>(parts, total_bytes);
}

std::unique_ptr<PartLimits> limit_records(std::uint64_t most_records) {
  return std::make_unique<MostRecords>(most_records);
}

std::unique_ptr<PartCuts> limit_bytes(std::uint64_t most_bytes, std::uint64_t header_bytes) {
  return std::make_unique<MostBytes>(most_bytes, header_bytes);
}

std::unique_ptr<PartCuts> limit_weight(const PartWeights& weights, std::uint64_t most_weight) {
  return std::make_unique<MostWeight>(weights, most_weight);
}

std::unique_ptr<PartCuts> cut_within_keys(PartKeys& keys, std::function<std::unique_ptr<PartCuts>()> make_cuts) {
  return std::make_unique<WithinGroups>(keys, std::move(make_cuts));
}

std::unique_ptr<PartCuts> cut_by_key(PartKeys& keys) { return std::make_unique<KeyGroups>(keys); }

std::unique_ptr<PartCuts> keep_groups_together(std::unique_ptr<PartLimits> limits, PartKeys& keys) {
  return std::make_unique<GroupsTogether>(std::move(limits), keys);
}

std::unique_ptr<PartCuts> limit_bytes_of_groups(PartKeys& keys, std::uint64_t most_bytes, std::uint64_t header_bytes) {
  return std::make_unique<MostBytesOfGroups>(keys, most_bytes, header_bytes);
}

}  // namespace sortie

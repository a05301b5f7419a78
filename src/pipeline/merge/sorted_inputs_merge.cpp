#include "pipeline/merge/sorted_inputs_merge.hpp"

#include <algorithm>
#include <utility>

#include "base/system_limits.hpp"
#include "pipeline/merge/buffered_input.hpp"
#include "pipeline/merge/lean_merge.hpp"
#include "pipeline/runs/ordered_delivery.hpp"

namespace sortie {
namespace {

/// Windows of inputs are 1/kFreshShare of the best window of runs, so that what has just been read is merged in the
/// caches. Two files of 71 MB on 2 threads take 0.84 s of processor time in windows of 64 MiB, 0.59 s in those of 4 to
/// 16 MiB (AMD EPYC).
constexpr std::uint64_t kFreshShare = 8;
constexpr std::uint64_t kGoodReadBytes = 256 << 10;
constexpr std::uint64_t kLeastBufferBytes = 4 << 10;
/// Merging more inputs at once does not pay if it makes buffers smaller than this, unless inputs are few.
constexpr std::uint64_t kGoodBufferBytes = 64 << 10;
/// So many inputs are merged at once even with little memory, as GNU sort does.
constexpr std::uint64_t kAlwaysAtOnce = 16;
/// Descriptors kept free beside those for runs.
constexpr std::uint64_t kSpareDescriptors = 2;
/// Requested for a run of unknown length: more than any memory budget, so that the run goes to a file, where its
/// records are counted.
constexpr std::uint64_t kUnknownBytes = ~std::uint64_t{0};
/// The longest record gets 1/kLongestRecordShare of the memory that a sort takes by default: a long record lies there
/// several times while it is merged.
constexpr std::uint64_t kLongestRecordShare = 8;
constexpr std::uint64_t kLeastLongestRecord = 16 << 20;
/// Long records may have so much beyond the plan, however small the budget.
constexpr std::uint64_t kLeastForLongRecords = 4 << 20;
/// The same for unpacking: one input of usual xz or zstd, or several of other forms.
constexpr std::uint64_t kLeastForUnpacking = kUsualWindowBytes + (3 << 20);
/// So many times the longest record, too. A sort may take 16 times its length: the rest is for records that are being
/// read, for what writes them, and for windows.
constexpr std::uint64_t kLongRecordsInWindows = 5;
constexpr std::uint64_t kLongRecordsOneByOne = 10;
/// What an input may hold beside its buffers and the memory for its keys.
constexpr std::uint64_t kLittleBytes = 16 << 10;

/// Reads a run from its beginning to its end, whatever the order of its records: a run made of unsorted inputs is not
/// sorted either. Gives its storage back as it reads.
class RunReader final : public MergeSource {
 public:
  explicit RunReader(Run run) : run_(std::move(run)) {}

  /// Reads whole blocks and ignores `max_records`. Parallel.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override { return next_ == run_.blocks.size(); }
  std::string position() const override;
  std::uint64_t held_bytes() const override { return 0; }
  void give_back() override {}

 private:
  Run run_;
  std::size_t next_ = 0;  // the next block to be read
};

PieceSource::Piece RunReader::read(std::span<std::byte> target, std::uint64_t) {
  if (at_end()) return {Status::kEnd};
  Piece piece{Status::kRecords};
  std::size_t end = next_;
  for (; end < run_.blocks.size(); ++end) {
    const BlockInfo& block = run_.blocks[end];
    if (block.record_bytes > target.size() - piece.bytes) break;
    piece.bytes += static_cast<std::size_t>(block.record_bytes);
    piece.records += block.record_count;
  }
  if (end == next_) return {Status::kTooSmall, static_cast<std::size_t>(run_.blocks[next_].record_bytes)};
  const BlockRange range{&run_, std::exchange(next_, end), end, target.first(piece.bytes)};
  read_blocks({&range, 1});
  release_blocks(run_, range.begin, range.end);
  piece.input_bytes = piece.bytes;
  return piece;
}

std::string RunReader::position() const {
  return "run " + std::to_string(run_.identity.run_number) + " at block " + std::to_string(next_);
}

std::uint64_t longest_record_bytes(const MemoryPlan& plan) {
  const std::uint64_t memory_bytes = std::max(plan.budget_bytes, available_memory_bytes() / 4 * 3);
  return std::max(memory_bytes / kLongestRecordShare, kLeastLongestRecord);
}

}  // namespace

void check_presorted_inputs(FileSystem& files, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path != "-" && files.status(path).kind != FileStatus::Kind::kStream) files.open_input(path);
  }
}

std::uint64_t most_inputs_at_once(const MemoryPlan& plan, const SortSpec& spec) {
  const std::uint64_t good_bytes = std::max(kGoodBufferBytes, plan.merge.block_bytes);
  const std::uint64_t fitting = std::max(kAlwaysAtOnce, plan.arena_bytes / good_bytes);
  const std::uint64_t descriptors = free_descriptors();
  const std::uint64_t others = kSpareDescriptors + std::max<std::size_t>(1, spec.options.scratch_directories.size());
  const std::uint64_t open_at_once = descriptors - std::min(descriptors, others);
  return std::max<std::uint64_t>(2, std::min(limited_fan_in(fitting, spec.options), open_at_once));
}

SortedInputsMerge::SortedInputsMerge(InputOpener& opener, const SortSpec& spec, const MemoryPlan& plan,
                                     std::span<const std::unique_ptr<WindowMerger>> mergers, RunStore& store,
                                     Observer& observer, bool may_form_runs,
                                     BufferedInput::DisorderSink report_disorder)
    : opener_(opener),
      spec_(spec),
      positions_(spec.options.inputs.size()),
      order_(*spec.codec),
      plan_(plan),
      mergers_(mergers),
      store_(store),
      observer_(observer),
      may_form_runs_(may_form_runs),
      report_disorder_(std::move(report_disorder)),
      resources_(limit_in_windows()) {}

// Runs of a merge go to files: the memory for runs is left. Unpacking and long records share it.
Resources::Limit SortedInputsMerge::limit_in_windows() const {
  const std::uint64_t left = plan_.store_bytes - std::min(plan_.store_bytes, unpacking_bytes_);
  return {std::max(left, kLeastForLongRecords), kLongRecordsInWindows};
}

// That for windows is, too.
Resources::Limit SortedInputsMerge::limit_one_by_one() const {
  const Resources::Limit in_windows = limit_in_windows();
  return {in_windows.bytes + mergers_.size() * plan_.formation_bytes, kLongRecordsOneByOne};
}

std::uint64_t SortedInputsMerge::most_unpacking_bytes() const {
  return std::max(plan_.store_bytes, kLeastForUnpacking);
}

SortedInputsMerge::Summary SortedInputsMerge::merge(const MergedConsumer& consumer) {
  std::vector<Member> members(spec_.options.inputs.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].number = i;
    members[i].input = opener_.open(spec_.options.inputs[i]);
  }
  reduce(members);
  observer_.begin_phase("merging", 0);
  summary_.windows += merge_members(members, consumer);
  if (summary_.tally.inputs > 0) ++summary_.passes;
  return summary_;
}

std::vector<MergeGroup> SortedInputsMerge::groups_of(const std::vector<Member>& members) const {
  const auto most = static_cast<std::size_t>(most_inputs_at_once(plan_, spec_));
  std::vector<std::uint64_t> bytes;
  bytes.reserve(members.size());
  for (const Member& member : members) bytes.push_back(member.unpacking_bytes());
  std::vector<MergeGroup> groups = plan_pass_of_inputs(bytes, most_unpacking_bytes(), most);
  if (groups.empty() && members.size() > most) groups = plan_merge_pass(members.size(), most);
  return groups;
}

// Merges neighbours into runs until one more pass can take all members.
void SortedInputsMerge::reduce(std::vector<Member>& members) {
  while (true) {
    const std::vector<MergeGroup> groups = groups_of(members);
    if (groups.empty()) return;
    observer_.begin_phase("merging inputs into runs", 0);
    std::vector<Member> next;
    std::size_t taken = 0;
    for (const MergeGroup& group : groups) {
      Run run = merge_to_run(std::span(members).subspan(group.begin, group.end - group.begin));
      if (!run.blocks.empty()) next.emplace_back().run = std::make_unique<Run>(std::move(run));
      taken = group.end;
    }
    std::move(members.begin() + static_cast<std::ptrdiff_t>(taken), members.end(), std::back_inserter(next));
    members = std::move(next);
    ++summary_.passes;
  }
}

Run SortedInputsMerge::merge_to_run(std::span<Member> members) {
  const std::unique_ptr<RunSink> sink = store_.begin_run(kUnknownBytes);
  summary_.windows += merge_members(members, [&](std::span<std::byte> records) {
    sink->append(records);
    return true;
  });
  Run run = sink->finish();
  summary_.dropped += sink->dropped();
  return run;
}

std::uint64_t SortedInputsMerge::buffer_bytes(std::uint64_t inputs) const {
  std::uint64_t window_bytes = plan_.arena_bytes;
  for (const auto& merger : mergers_) {
    const std::uint64_t best = std::max(merger->best_window_bytes() / kFreshShare, inputs * kGoodReadBytes);
    window_bytes = std::min(window_bytes, best);
  }
  return std::max(kLeastBufferBytes, window_bytes / inputs);
}

// Consumes the members' runs. Returns the number of windows.
std::uint64_t SortedInputsMerge::merge_members(std::span<Member> members, const MergedConsumer& consumer) {
  const std::uint64_t count = std::max<std::uint64_t>(1, members.size());
  const std::uint64_t longest = longest_record_bytes(plan_);
  encoding_ = {plan_.encoding.memory_bytes / count, longest};
  options_ = {.buffer_bytes = static_cast<std::size_t>(buffer_bytes(count)),
              .longest_record_bytes = static_cast<std::size_t>(longest),
              .windows = mergers_.size() + 1};
  options_.lean_bytes = 2 * encoding_.memory_bytes + kLittleBytes;
  options_.planned_bytes = options_.lean_bytes + (options_.windows + 1) * options_.buffer_bytes;
  unpacking_bytes_ = 0;
  for (const Member& member : members) unpacking_bytes_ += member.unpacking_bytes();
  resources_.set_limit(limit_in_windows());
  std::deque<BufferedInput> inputs;
  for (Member& member : members) {
    if (!member.run) {
      add_input(std::move(member), inputs);
    } else {
      add_run(std::move(*std::exchange(member.run, nullptr)), inputs);
    }
  }
  InputWindows windows(order_, inputs, resources_);
  bool is_enough = false;
  const auto take = [&](std::span<std::byte> records) {
    is_enough = !consumer(records);
    return !is_enough;
  };
  const std::uint64_t count_of_windows = merge_windows(
      windows, order_, mergers_, MergedConsumer(take, consumer.own_look(), consumer.own_room()), observer_);
  if (!is_enough && windows.is_short()) {
    resources_.set_limit(limit_one_by_one());
    merge_long_records(inputs, consumer);
    resources_.set_limit(limit_in_windows());
  }
  return count_of_windows;
}

// Memory is short: fewer inputs are merged at once, from where they are.
void SortedInputsMerge::merge_long_records(std::deque<BufferedInput>& inputs, const MergedConsumer& consumer) {
  if (!may_form_runs_) throw NeedsRuns();
  while (!merge_lean(order_, inputs, resources_, consumer)) reduce_lean(inputs);
}

// Merges neighbours into runs until memory takes all that are left, as far as is known.
void SortedInputsMerge::reduce_lean(std::deque<BufferedInput>& inputs) {
  std::uint64_t largest = 1;
  for (const BufferedInput& input : inputs) largest = std::max(largest, input.claimed_bytes());
  const auto most = std::clamp<std::uint64_t>(resources_.most_bytes() / largest, 2, inputs.size() - 1);
  std::deque<BufferedInput> next;
  std::size_t taken = 0;
  for (const MergeGroup& group : plan_merge_pass(inputs.size(), static_cast<std::size_t>(most))) {
    std::deque<BufferedInput> members;
    for (; taken < group.end; ++taken) members.push_back(std::move(inputs[taken]));
    const std::unique_ptr<RunSink> sink = store_.begin_run(kUnknownBytes);
    merge_long_records(members, [&](std::span<std::byte> records) {
      sink->append(records);
      return true;
    });
    Run run = sink->finish();
    summary_.dropped += sink->dropped();
    if (!run.blocks.empty()) add_run(std::move(run), next);
  }
  for (; taken < inputs.size(); ++taken) next.push_back(std::move(inputs[taken]));
  inputs = std::move(next);
  ++summary_.passes;
}

void SortedInputsMerge::add_run(Run run, std::deque<BufferedInput>& inputs) {
  inputs.emplace_back(std::make_shared<RunReader>(std::move(run)), OrderScan(*spec_.codec, false), *spec_.codec, order_,
                      options_, resources_, [](const Disorder&) {});
}

void SortedInputsMerge::add_input(Member member, std::deque<BufferedInput>& inputs) {
  const Format& format = spec_.input_format;
  std::vector<std::unique_ptr<DeferredInput>> only;
  only.push_back(std::move(member.input));
  const auto records = std::make_shared<RecordReader>(
      InputSequence(opener_, std::move(only), format, Waiting::kUntilRecordThere, observer_), format,
      spec_.options.verify && !spec_.codec->makes_keys(), observer_);
  records->count_in(summary_.tally);
  OrderScan scan(*spec_.codec, false);
  const std::uint64_t header_bytes = records->inputs().header_bytes();
  scan.begin_input(spec_.options.inputs[member.number], records->inputs().header_records(), header_bytes);
  const Batches batches = spec_.may_combine_lines() ? Batches::kNeighbours : Batches::kAsTheyCome;
  inputs.emplace_back(sortable(records, *spec_.codec, encoding_, observer_, {positions_.first_of(member.number)},
                               spec_.options.verify, batches),
                      std::move(scan), *spec_.codec, order_, options_, resources_, report_disorder_);
}

}  // namespace sortie

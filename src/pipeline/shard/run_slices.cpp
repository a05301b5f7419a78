#include "pipeline/shard/run_slices.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "record/record_scan.hpp"
#include "run/run_file.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// A record of a run may be so long, however little memory there is.
constexpr std::uint64_t kAlwaysAllowed = 16 << 20;

[[noreturn]] void refuse_run(const std::string& path, const std::string& why) {
  throw DamagedFile(path, "run file " + quote_word(path) + " cannot be used: " + why);
}

void require_order(const RunHeader& header, const SortSpec& spec, const RecordOrder& order, const std::string& path) {
  if (header == make_run_header(order, header.identity, identify_options(spec).low)) return;
  refuse_run(path, "it is no run of a shard that was made with these options in this locale");
}

/// A record is a block by itself if it is long: as much memory would be asked for as an index says.
void require_memory(const BlockInfo& block, const SortSpec& spec, const std::string& path) {
  const std::uint64_t memory_bytes = std::max(spec.options.memory_bytes, available_memory_bytes() / 4 * 3);
  if (block.record_bytes <= std::max(most_record_bytes(memory_bytes), kAlwaysAllowed)) return;
  throw Error("run file " + quote_word(path) + " cannot be used: it has a record of " +
                  format_size(block.record_bytes) + ", which is longer than memory allows; raise the memory budget",
              Remedy::kMoreMemory);
}

std::uint64_t length_of(const File& file) { return file.seekable() ? file.size() : 0; }

/// Whether the run has the blocks between both cuts, and some of each.
bool has_blocks_of(const Run& run, const RunCut& begin, const RunCut& end) {
  if (run.blocks.size() != end.block - begin.block + (end.block_bytes > 0 ? 1 : 0)) return false;
  const std::uint64_t first = run.blocks.front().record_bytes;
  const std::uint64_t last = run.blocks.back().record_bytes;
  if (run.slice.bytes_before >= first || run.slice.bytes_behind >= last) return false;
  return run.blocks.size() > 1 || run.slice.bytes_before + run.slice.bytes_behind < first;
}

/// Cuts one run, whose index is known.
class RunCutter {
 public:
  RunCutter(const SortSpec& spec, const RecordOrder& order, const Run& run, const std::string& path,
            std::uint64_t number)
      : spec_(spec), codec_(*spec.codec), order_(order), run_(run), path_(path), number_(number) {
    const BlockInfo* const last = run.blocks.empty() ? nullptr : &run.blocks.back();
    RunCut sum;
    sum.stored_begin = kRunHeaderBytes;
    sum.index_begin = index_begin(last == nullptr ? kRunHeaderBytes : last->offset + last->stored_bytes);
    for (const BlockInfo& block : run.blocks) {
      fronts_.push_back(sum);
      ++sum.block;
      sum.records += block.record_count;
      sum.bytes += block.record_bytes;
      sum.output_bytes += block.output_bytes;
      sum.stored_begin += block.stored_bytes;
      sum.index_begin += index_entry_size(block);
    }
    fronts_.push_back(sum);
    for (RunCut& front : fronts_) {
      front.stored_end = front.stored_begin;
      front.index_end = front.index_begin;
    }
  }

  /// What lies in front of a block, or of the end.
  const RunCut& front(std::size_t block) const { return fronts_[block]; }
  const RunCut& end() const { return fronts_.back(); }

  RunCut cut(const SliceBound& bound) const {
    if (bound.run >= 0 && static_cast<std::uint64_t>(bound.run) == number_) return cut_in_front_of_record(bound);
    const std::size_t behind = first_block_behind(bound);
    if (behind == 0) return fronts_[behind];
    const Records records = read(behind - 1);
    return cut_within(behind - 1, records->bytes(),
                      cut_for_merge(order_, records->bytes(), position_of_run(), record_of(bound), position_of(bound)));
  }

 private:
  // Run -1 comes before all: records with an equal key come behind the bound in every run.
  static std::size_t position_of(const SliceBound& bound) { return static_cast<std::size_t>(bound.run + 1); }
  std::size_t position_of_run() const { return static_cast<std::size_t>(number_) + 1; }

  using Records = std::shared_ptr<const BlockRecords>;

  // Bounds that follow each other often cut the same block: the last one that was read is kept.
  Records read(std::size_t block) const {
    {
      const std::scoped_lock lock(mutex_);
      if (last_records_ != nullptr && last_block_ == block) return last_records_;
    }
    require_memory(run_.blocks[block], spec_, path_);
    auto records = std::make_shared<const BlockRecords>(run_, block);
    const std::scoped_lock lock(mutex_);
    last_block_ = block;
    last_records_ = records;
    return records;
  }

  // The bound is a record of this run.
  RunCut cut_in_front_of_record(const SliceBound& bound) const {
    const auto block = static_cast<std::size_t>(std::min(bound.block, end().block));
    if (bound.block_bytes == 0) return fronts_[block];
    const std::uint64_t most = block < run_.blocks.size() ? run_.blocks[block].record_bytes : 0;
    if (bound.block_bytes >= most) throw Error("a bound of the slices lies behind its block");
    const Records records = read(block);
    const auto bytes = static_cast<std::size_t>(bound.block_bytes);
    if (boundary_at_or_after(order_.layout(), records->bytes(), bytes) != bytes) {
      throw Error("a bound of the slices lies within a record");
    }
    return cut_within(block, records->bytes(), bytes);
  }

  // `records`: of the block, of which `bytes` lie in front of the cut.
  RunCut cut_within(std::size_t block, std::span<const std::byte> records, std::size_t bytes) const {
    if (bytes == 0) return fronts_[block];
    if (bytes == records.size()) return fronts_[block + 1];
    const std::span<const std::byte> front = records.first(bytes);
    RunCut cut = fronts_[block];
    cut.block_bytes = bytes;
    cut.records += count_records(order_.layout(), front);
    cut.bytes += bytes;
    cut.output_bytes += codec_.original_bytes_of_all(front);
    cut.stored_end += run_.blocks[block].stored_bytes;
    cut.index_end += index_entry_size(run_.blocks[block]);
    return cut;
  }

  // The first block that begins behind the bound; the number of blocks if none does.
  std::size_t first_block_behind(const SliceBound& bound) const {
    BlockInfo key;
    key.first_key = order_.normalised_key(record_of(bound), kIndexKeyBytes);
    key.key_is_cut = order_.key_bytes(record_of(bound)) > kIndexKeyBytes;
    const auto behind = std::ranges::partition_point(
        run_.blocks, [&](const BlockInfo& block) { return begins_before(block, bound, key); });
    return static_cast<std::size_t>(behind - run_.blocks.begin());
  }

  // The index decides, unless both keys are longer than what it keeps of them.
  bool begins_before(const BlockInfo& block, const SliceBound& bound, const BlockInfo& key) const {
    int order = compare_first_keys(order_.plan(), block, key);
    if (order == 0 && block.key_is_cut) {
      const Records records = read(static_cast<std::size_t>(&block - run_.blocks.data()));
      order = order_.compare(first_record(order_.layout(), records->bytes()), record_of(bound));
    }
    return order < 0 || (order == 0 && position_of_run() < position_of(bound));
  }

  const SortSpec& spec_;
  const RecordCodec& codec_;
  const RecordOrder& order_;
  const Run& run_;
  const std::string& path_;
  std::uint64_t number_;
  std::vector<RunCut> fronts_;
  mutable std::mutex mutex_;
  mutable std::size_t last_block_ = 0;
  mutable Records last_records_;
};

void require_record(const SliceBound& bound, const RecordOrder& order) {
  const Layout& layout = order.layout();
  const bool is_one = layout.delimited()
                          ? !bound.record.empty() && bound.record.find(layout.delimiter) == bound.record.size() - 1
                          : bound.record.size() == layout.record_bytes;
  if (!is_one) throw Error("a bound of the slices is no record of this format");
}

}  // namespace

std::vector<RunCut> cut_run_file(FileSystem& files, const SortSpec& spec, const RecordOrder& order,
                                 const std::string& path, std::uint64_t number, std::span<const SliceBound> bounds) {
  for (const SliceBound& bound : bounds) require_record(bound, order);
  const RunFile file = open_run_file(files, path);
  require_order(file.header, spec, order, path);
  const RunCutter cutter(spec, order, file.run, path, number);
  std::vector<RunCut> cuts(bounds.size() + 2, cutter.end());
  cuts.front() = cutter.front(0);
  parallel_for(0, bounds.size(), [&](std::size_t i) { cuts[i + 1] = cutter.cut(bounds[i]); });
  const std::vector<std::byte> footer = encode_run_footer(file.run);
  const std::uint64_t footer_offset = cutter.front(0).index_begin - index_begin(0);
  std::uint64_t begin = cutter.front(0).index_begin;
  std::uint64_t bytes = 0;
  for (RunCut& cut : cuts) {
    if (std::exchange(bytes, cut.bytes) > cut.bytes) throw Error("the bounds of the slices are not in order");
    const auto entries = std::span<const std::byte>(footer).subspan(static_cast<std::size_t>(begin - footer_offset),
                                                                    static_cast<std::size_t>(cut.index_end - begin));
    cut.index_checksum = index_checksum(entries, file.header.identity, begin);
    begin = cut.index_begin;
  }
  return cuts;
}

Run open_slice(FileSystem& files, const SortSpec& spec, const RecordOrder& order, const RunSlicePlan& slice,
               std::shared_ptr<OpenRunFiles> open_files, std::shared_ptr<RunMeter> meter) {
  const auto open = [&files, path = slice.path] { return files.open_input(path); };
  const std::uint64_t file_bytes = length_of(*open());
  auto storage = std::make_shared<KeptRunStorage>(
      KeptRunSource{slice.path, open, "remove the directory of its shard, and form that again"}, std::move(open_files),
      meter);
  const RunHeader header = read_run_header(*storage);
  require_order(header, spec, order, slice.path);
  const RunCut& begin = slice.begin;
  const RunCut& end = slice.end;
  const bool is_forward = begin.index_begin < end.index_end && end.index_end <= file_bytes &&
                          begin.block <= end.block && begin.records < end.records && begin.bytes < end.bytes;
  if (!is_forward) refuse_run(slice.path, "the slice of it that is asked for has no records");
  std::vector<std::byte> entries(static_cast<std::size_t>(end.index_end - begin.index_begin));
  storage->read(begin.index_begin, entries);
  if (index_checksum(entries, header.identity, begin.index_begin) != end.index_checksum) {
    refuse_run(slice.path, "its index is damaged, or its cuts are not two that follow each other");
  }
  Run run;
  run.identity = header.identity;
  run.blocks = decode_index_entries(entries, begin.index_begin, header, slice.path);
  for (const BlockInfo& block : run.blocks) require_memory(block, spec, slice.path);
  run.record_count = end.records - begin.records;
  run.record_bytes = end.bytes - begin.bytes;
  run.stored_bytes = file_bytes;
  run.slice = {begin.block, begin.block_bytes,
               end.block_bytes == 0 ? 0 : run.blocks.back().record_bytes - end.block_bytes};
  run.storage = std::move(storage);
  run.meter = std::move(meter);
  if (!has_blocks_of(run, begin, end))
    refuse_run(slice.path, "the slice of it that is asked for contradicts its index");
  return run;
}

}  // namespace sortie

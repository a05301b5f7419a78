// Run files of shards that somebody else may have made: what their index says is no reason to ask for memory.
#include <sortie/shard.hpp>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/pipeline_support.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

using namespace test;

/// Makes a run file of one record, nearly all of which is a hole. Returns its cuts as the run's own index has them.
std::pair<RunCut, RunCut> make_run_of_a_hole(const std::string& path, std::uint64_t bytes) {
  std::string head = read_whole_file(path).substr(0, kRunHeaderBytes);
  const RunHeader header = decode_run_header(std::as_bytes(std::span(head)), "head");
  BlockInfo block;
  block.offset = kRunHeaderBytes;
  block.stored_bytes = block.record_bytes = block.output_bytes = bytes;
  block.record_count = 1;
  Run run;
  run.identity = header.identity;
  run.record_count = 1;
  run.record_bytes = bytes;
  run.blocks = {block};
  const std::vector<std::byte> footer = encode_run_footer(run);
  const std::vector<std::byte> trailer = encode_run_trailer(footer, kRunHeaderBytes + bytes, header.identity);
  write_whole_file(path, head);
  std::filesystem::resize_file(path, kRunHeaderBytes + bytes);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  for (const std::vector<std::byte>* part : {&footer, &trailer}) {
    file.write(reinterpret_cast<const char*>(part->data()), static_cast<std::streamsize>(part->size()));
  }
  RunCut begin;
  begin.stored_begin = begin.stored_end = kRunHeaderBytes;
  begin.index_begin = begin.index_end = index_begin(kRunHeaderBytes + bytes);
  RunCut end = begin;
  end.block = end.records = 1;
  end.bytes = end.output_bytes = bytes;
  end.stored_begin = end.stored_end = kRunHeaderBytes + bytes;
  end.index_begin = end.index_end = begin.index_begin + index_entry_size(block);
  end.index_checksum =
      index_checksum(std::span<const std::byte>(footer).subspan(index_begin(0)), header.identity, begin.index_begin);
  return {begin, end};
}

TEST(ShardCuts, RefuseARecordThatNoMemoryHolds) {
  constexpr std::uint64_t kHole = std::uint64_t{1} << 42;
  const TemporaryDirectory directory;
  SortOptions options;
  options.format = parsed("lines");
  options.memory_bytes = 1 << 20;
  options.inputs = write_inputs(directory, {"b\na\n"});
  ShardRequest request;
  request.directory = directory / "shard";
  const ShardReport shard = form_shard(options, request);
  ASSERT_EQ(shard.runs.size(), 1U);
  const std::string path = request.directory + "/" + shard.runs[0].file;
  const auto [begin, end] = make_run_of_a_hole(path, kHole);
  options.inputs.clear();
  const std::string expected =
      "run file '" + path +
      "' cannot be used: it has a record of 4.40 TB, which is longer than memory allows; raise "
      "the memory budget";
  EXPECT_EQ(error_of([&] { cut_run(options, path, 1, std::vector<SliceBound>{{.record = "a\n"}}, ""); }), expected);
  options.output = directory / "out";
  SlicePlan plan;
  plan.slices = {{.path = path, .run = 0, .begin = begin, .end = end}};
  EXPECT_EQ(error_of([&] { merge_slices(options, plan); }), expected);
}

}  // namespace
}  // namespace sortie

// Writes any records to a run file and reads them back, with every codec. With any one bit of the file flipped,
// reading fails.
//
//   | format | codec | bytes of a block | bit to flip (2 bytes) | records |
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "fuzz/fuzz_target.hpp"
#include "run/file_run_storage.hpp"
#include "run/run_file.hpp"
#include "run/run_writer.hpp"
#include "support/memory_file_system.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

constexpr std::array kFormats = {"lines", "fixed:3", "fixed:100", "fixed:300", "u32", "i64", "f64"};
constexpr std::size_t kCodecs = 3;
constexpr std::size_t kMostBytes = 1 << 14;

/// The whole records of `bytes`, sorted as in a run.
std::string sorted_records(const Format& format, std::string_view bytes) {
  std::string records(bytes.substr(0, kMostBytes));
  if (format.kind == RecordKind::kLines) {
    if (!records.empty()) records += '\n';
  } else {
    records.resize(records.size() / format.record_bytes * format.record_bytes);
  }
  return test::stable_sorted(format, records);
}

std::string read_records(FileSystem& files) {
  const Run run = open_run_file(files, "run").run;
  std::string records(static_cast<std::size_t>(run.record_bytes), '?');
  std::size_t at = 0;
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    const auto bytes = static_cast<std::size_t>(run.blocks[i].record_bytes);
    read_block(run, i, test::as_writable(records).subspan(at, bytes));
    at += bytes;
  }
  return records;
}

bool is_refused(FileSystem& files) {
  try {
    read_records(files);
    return false;
  } catch (const Error&) {
    return true;
  }
}

void check(fuzz::InputReader input) {
  const Format format = parse_format(kFormats[input.byte() % kFormats.size()]);
  const RunWriterOptions options{.block_bytes = std::size_t{16} << (input.byte() % 10),
                                 .codec = BlockCodec(input.byte() % kCodecs),
                                 .zstd_level = 1};
  const std::size_t bit = input.number();
  const std::string records = sorted_records(format, input.rest());
  const RecordOrder order(format);
  test::MemoryFileSystem files;
  RunWriter writer(order, {7, 8}, std::make_shared<FileRunStorage>(files.create("run", {})), options);
  writer.append(test::as_bytes(records));
  writer.finish();
  fuzz::require(read_records(files) == records, "what is written is read again");
  std::string& file = files.contents("run");
  file[bit / 8 % file.size()] ^= static_cast<char>(1 << bit % 8);
  fuzz::require(is_refused(files), "a flipped bit is found");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}

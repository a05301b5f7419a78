#include "tools/inspect/run_report.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "record/record_scan.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kKeyBytesShown = 12;

/// Formats like snprintf, into a string.
template <class... Arguments>
std::string print(const char* format, Arguments... arguments) {
  std::array<char, 256> text;
  const int length = std::snprintf(text.data(), text.size(), format, arguments...);
  return {text.data(), std::min(static_cast<std::size_t>(std::max(length, 0)), text.size() - 1)};
}

std::string_view codec_name(BlockCodec codec) {
  switch (codec) {
    case BlockCodec::kRaw:
      return "raw";
    case BlockCodec::kZstd:
      return "zstd";
    case BlockCodec::kDeltaShuffleZstd:
      return "delta+zstd";
  }
  return "unknown";
}

std::string describe_layout(const Layout& layout) {
  if (!layout.delimited()) return print("%" PRIu64 " bytes each", layout.record_bytes);
  return print("lines ended by byte %u", static_cast<unsigned>(static_cast<unsigned char>(layout.delimiter)));
}

double ratio(std::uint64_t record_bytes, std::uint64_t stored_bytes) {
  return stored_bytes == 0 ? 0 : static_cast<double>(record_bytes) / static_cast<double>(stored_bytes);
}

/// The first bytes in hexadecimal, followed by the printable ones as characters.
std::string describe_key(const BlockInfo& block) {
  const std::size_t shown = std::min(block.first_key.size(), kKeyBytesShown);
  std::string digits;
  std::string characters;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto byte = static_cast<unsigned char>(block.first_key[i]);
    digits += print("%02x", static_cast<unsigned>(byte));
    characters += byte >= ' ' && byte <= '~' ? static_cast<char>(byte) : '.';
  }
  const bool cut = block.key_is_cut || shown < block.first_key.size();
  return digits + (cut ? "... |" : " |") + characters + "|";
}

std::string block_damage(const RunFile& run_file, std::size_t index) {
  const BlockInfo& block = run_file.run.blocks[index];
  std::optional<BlockRecords> block_records;
  try {
    block_records.emplace(run_file.run, index);
  } catch (const Error& error) {
    return error.what();
  }
  const Layout& layout = run_file.header.layout;
  const std::span<const std::byte> records = block_records->bytes();
  if (whole_records(layout, records) != records.size() || count_records(layout, records) != block.record_count) {
    return print("block %zu does not hold the %" PRIu64 " whole records that the footer promises", index,
                 block.record_count);
  }
  return {};
}

}  // namespace

std::string describe_run(const RunFile& run_file) {
  const RunHeader& header = run_file.header;
  const Run& run = run_file.run;
  std::string text;
  text += print("Format version: %" PRIu32 "\n", header.version);
  text += print("Job: %016" PRIx64 "\n", header.identity.job_id);
  text += print("Run: %" PRIu64 "\n", header.identity.run_number);
  text += print("Order: %016" PRIx64 "\n", header.order_hash);
  text += "Layout: " + describe_layout(header.layout) + "\n";
  text += print("Records: %" PRIu64 "\n", run.record_count);
  text += print("Blocks: %zu\n", run.blocks.size());
  text += print("Record bytes: %" PRIu64 " (", run.record_bytes) + format_size(run.record_bytes) + ")\n";
  text += print("Stored bytes: %" PRIu64 " (", run.stored_bytes) + format_size(run.stored_bytes) + ")\n";
  text += print("Ratio: %.2f\n", ratio(run.record_bytes, run.stored_bytes));
  return text;
}

std::string describe_blocks(const Run& run) {
  std::string text = print("%8s %16s %12s %12s %6s %10s  %-10s %s\n", "block", "offset", "stored", "bytes", "ratio",
                           "records", "codec", "first key");
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    const BlockInfo& block = run.blocks[i];
    text += print("%8zu %16" PRIu64 " %12" PRIu64 " %12" PRIu64 " %6.2f %10" PRIu64 "  %-10s ", i, block.offset,
                  block.stored_bytes, block.record_bytes, ratio(block.record_bytes, block.stored_bytes),
                  block.record_count, codec_name(block.codec).data());
    text += describe_key(block) + "\n";
  }
  return text;
}

std::vector<std::string> find_damage(const RunFile& run_file) {
  std::vector<std::string> messages(run_file.run.blocks.size());
  parallel_for(0, messages.size(), [&](std::size_t index) { messages[index] = block_damage(run_file, index); });
  std::erase(messages, "");
  return messages;
}

}  // namespace sortie::tools

#include "cli/options/resource_options.hpp"

#include <algorithm>

#include "cli/options/option_values.hpp"
#include "cli/options/set_once.hpp"

namespace sortie::cli {
namespace {

void set_compress_program(SortOptions& options, const std::string& program) {
  const bool by_itself = is_usual_compressor(program);
  options.compression = by_itself ? Compression::kZstd : Compression::kAuto;
  options.compress_program = by_itself ? std::nullopt : std::optional(program);
}

void set_compression(SortOptions& options, const std::string& word) {
  options.compress_program.reset();
  const CompressionChoice choice = parse_compression(word);
  options.compression = choice.compression;
  options.compression_level = choice.level;
}

void set_devices(SortOptions& options, const std::string& word) {
  const DeviceChoice choice = parse_devices(word);
  options.devices = choice.devices;
  options.all_devices = choice.all;
}

}  // namespace

void apply_resource_option(SortOptions& options, std::optional<std::string>& compress_program,
                           const Argument& argument) {
  const std::string& value = argument.value;
  switch (argument.option->id) {
    case OptionId::kBatchSize:
      options.merge_fan_in = parse_batch_size(value);
      return;
    case OptionId::kBufferSize:
      // As in GNU sort, the largest of several sizes counts.
      options.memory_bytes = std::max(options.memory_bytes, parse_memory_size(value, argument.name));
      return;
    case OptionId::kCheckpoint:
      options.checkpoint_directory = value;
      return;
    case OptionId::kTemporaryDirectory:
      options.scratch_directories.push_back(value);
      return;
    case OptionId::kParallel:
      options.threads = parse_thread_count(value);
      return;
    case OptionId::kCompressProgram:
      set_once(compress_program, value, "multiple compress programs specified");
      return set_compress_program(options, value);
    case OptionId::kCompress:
      return set_compression(options, value);
    case OptionId::kEngine:
      options.engine = parse_engine(value);
      return;
    case OptionId::kDevices:
      return set_devices(options, value);
    case OptionId::kDeviceMemory:
      options.device_memory_bytes = parse_device_memory_size(value);
      return;
    case OptionId::kAlgorithm:
      options.algorithm = parse_algorithm(value);
      return;
    default:
      return;
  }
}

}  // namespace sortie::cli

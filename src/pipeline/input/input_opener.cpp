#include "pipeline/input/input_opener.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "pipeline/input/headed_input.hpp"

namespace sortie {
namespace {

/// What one input may take beside the memory for data: a quarter of it, but what all can unpack whatever it is.
std::uint64_t window_bytes(std::uint64_t memory_bytes) {
  if (memory_bytes == 0) return kMaxWindowBytes;
  return std::clamp(memory_bytes / 4, kUsualWindowBytes, kMaxWindowBytes);
}

}  // namespace

std::uint64_t header_records(const SortOptions& options) {
  const auto has_name = [](const TextKey& key) { return !key.column.empty(); };
  const bool named = std::ranges::any_of(options.format.text.keys, has_name);
  return std::max<std::uint64_t>(options.header_lines, named ? 1 : 0);
}

InputOpener::InputOpener(FileSystem& files, const SortOptions& options)
    : files_(files),
      paths_(options.inputs.empty() ? std::vector<std::string>{"-"} : options.inputs),
      unpack_(options.unpack),
      window_bytes_(window_bytes(options.memory_bytes)),
      warn_(options.warn),
      layout_(layout_of(options.format)),
      records_(header_records(options)) {}

std::unique_ptr<Input> InputOpener::open(const std::string& path) {
  if (opened_.empty()) return open_headed(path);
  std::unique_ptr<Input> input = std::move(opened_.front());
  opened_.pop_front();
  return input;
}

std::span<const std::byte> InputOpener::find_header() {
  if (!expects_headers()) return {};
  for (const std::string& path : paths_) {
    opened_.push_back(open_headed(path));
    if (!header_.empty() || records_ == 0) break;
  }
  return header_;
}

std::unique_ptr<Input> InputOpener::open_headed(const std::string& path) {
  std::unique_ptr<Input> input = open_input(files_, path, unpack_, window_bytes_, warn_);
  if (!expects_headers()) return input;
  auto headed = std::make_unique<HeadedInput>(std::move(input), layout_, records_);
  if (headed->header().empty()) return headed;
  if (header_.empty()) {
    header_.assign(headed->header().begin(), headed->header().end());
    header_path_ = path;
  } else if (!std::ranges::equal(without_byte_order_mark(headed->header()), without_byte_order_mark(header_))) {
    throw Error("input " + quote_path(path) + " has another header than " + quote_path(header_path_) +
                ": sort inputs with the same header together, or drop --header");
  }
  return headed;
}

}  // namespace sortie

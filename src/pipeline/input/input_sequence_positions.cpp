// Where in the inputs a byte or a record came from, for messages.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/quote.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Bytes that are read at a time when lines are counted.
constexpr std::size_t kCountedBytes = 1 << 20;

/// Counts the records in the first `bytes`, which are whole ones.
std::uint64_t count_walked(Input& input, const Layout& layout, std::uint64_t bytes) {
  std::vector<std::byte> memory(kCountedBytes);
  std::size_t held = 0;
  std::uint64_t records = 0;
  while (bytes > 0) {
    if (held == memory.size()) memory.resize(2 * memory.size());
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, memory.size() - held));
    const std::size_t got = input.read(std::span(memory).subspan(held, wanted));
    bytes = got == wanted ? bytes - got : 0;
    const auto there = std::span<const std::byte>(memory).first(held + got);
    const std::size_t whole = bytes == 0 ? there.size() : whole_records(layout, there);
    records += count_records(layout, there.first(whole));
    std::copy(there.begin() + static_cast<std::ptrdiff_t>(whole), there.end(), memory.begin());
    held = there.size() - whole;
  }
  return records;
}

}  // namespace

std::string InputSequence::name(std::size_t index) const {
  return "input '" + escape_unprintable(inputs_[index]->path()) + "'";
}

std::string InputSequence::position_in_only(std::uint64_t offset) const {
  return name(0) + " at offset " + std::to_string(offset);
}

LinePosition InputSequence::position_of_line(std::uint64_t number) const {
  const DeferredInput& input = *inputs_[last_read()];
  const RecordNumbering numbering = input.numbering();
  const char* const usual_word = layout_.quoted() || layout_.started() ? "record" : "line";
  return {name(last_read()), numbering.word == nullptr ? usual_word : numbering.word, numbering.in_front + number,
          input.path()};
}

std::uint64_t InputSequence::records_in_first(std::uint64_t bytes) const {
  if (!layout_.walked() || bytes == 0) return lines_in_first(bytes);
  return count_walked(*inputs_[last_read()]->opened_anew(), layout_, bytes);
}

std::uint64_t InputSequence::lines_in_first(std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const std::unique_ptr<Input> input = inputs_[last_read()]->opened_anew();
  std::vector<std::byte> memory(kCountedBytes);
  std::uint64_t lines = 0;
  while (bytes > 0) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, memory.size()));
    const std::size_t got = input->read(std::span(memory).first(wanted));
    lines += static_cast<std::uint64_t>(std::ranges::count(std::span(memory).first(got), std::byte(layout_.delimiter)));
    bytes = got == wanted ? bytes - got : 0;
  }
  return lines;
}

std::string InputSequence::position(std::size_t back) const {
  // What was read last is of the current input, unless that input has just been completed.
  const bool completed = bytes_read_ < back;
  const std::size_t index = std::min(completed && current_ > 0 ? current_ - 1 : current_, inputs_.size() - 1);
  if (completed) return name(index);
  return name(index) + " at offset " + std::to_string(inputs_[index]->begin() + bytes_read_ - back);
}

}  // namespace sortie

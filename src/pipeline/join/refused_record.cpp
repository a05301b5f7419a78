#include "pipeline/join/refused_record.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/input/refused_line.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kShownBytes = 40;

/// Counted from 1, with the header. Nothing if there is no such record.
std::optional<std::uint64_t> number_of(std::string_view wanted, FileSystem& files, const SortOptions& side) {
  Observer observer(ProgressMode::kNever);
  InputOpener opener(files, side);
  opener.find_header(side.inputs);
  RecordReader reader(InputSequence(opener, side.inputs, side.format, Waiting::kUntilFull, observer), side.format,
                      false, observer);
  const Layout layout = layout_of(side.format);
  std::vector<std::byte> buffer(kReadBytes);
  std::uint64_t number = 0;
  while (true) {
    throw_if_stopped();
    const PieceSource::Piece piece = reader.read(buffer, ~std::uint64_t{0});
    if (number == 0) number = reader.inputs().header_records();
    if (piece.status == PieceSource::Status::kEnd) return std::nullopt;
    if (piece.status == PieceSource::Status::kTooSmall) {
      buffer.resize(2 * buffer.size());
      continue;
    }
    std::optional<std::uint64_t> found;
    for_each_record(layout, std::span(buffer).first(piece.bytes), [&](const std::byte* record, std::uint64_t bytes) {
      ++number;
      if (!found && as_text({record, static_cast<std::size_t>(bytes)}) == wanted) found = number;
    });
    if (found) return found;
  }
}

/// Nothing if the input has changed meanwhile, too.
std::optional<std::uint64_t> number_if_found(std::string_view wanted, FileSystem& files, const SortOptions& side) {
  if (!inputs_can_be_read_again(files, side)) return std::nullopt;
  try {
    return number_of(wanted, files, side);
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

RecordError with_position(const RefusedRecord& refused, FileSystem& files, const SortOptions& side) {
  const std::string input = "input '" + escape_unprintable(side.inputs.front()) + "'";
  const char* const word = side.format.text.csv ? "record" : "line";
  if (const auto number = number_if_found(refused.record(), files, side)) {
    return RecordError(name_of(LinePosition{input, word, *number}) + " " + refused.reason());
  }
  const std::string begin = refused.record().substr(0, kShownBytes);
  return RecordError(input + ": the " + word + " that begins with " + quote_word(without_line_end(begin)) + " " +
                     refused.reason());
}

}  // namespace sortie

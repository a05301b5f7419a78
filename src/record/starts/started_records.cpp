#include "record/starts/started_records.hpp"

#include <cstring>
#include <string_view>

namespace sortie {
namespace {

/// `line` ends in '\n', or in "\r\n".
bool begins_record(const RecordStart& start, std::span<const std::byte> line) {
  std::string_view text(reinterpret_cast<const char*>(line.data()), line.size() - 1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return start.matches(text);
}

/// Offset behind the newline at `from` or behind it; bytes.size() + 1 if there is none.
std::size_t behind_newline(std::span<const std::byte> bytes, std::size_t from) {
  const void* const newline = std::memchr(bytes.data() + from, '\n', bytes.size() - from);
  if (newline == nullptr) return bytes.size() + 1;
  return static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
}

}  // namespace

std::size_t start_at_or_after(const RecordStart& start, std::span<const std::byte> bytes, std::size_t position) {
  if (position >= bytes.size()) return bytes.size();
  std::size_t line = position == 0 ? 0 : behind_newline(bytes, position - 1);
  while (line < bytes.size()) {
    const std::size_t end = behind_newline(bytes, line);
    if (end > bytes.size()) break;
    if (begins_record(start, bytes.subspan(line, end - line))) return line;
    line = end;
  }
  return bytes.size();
}

std::size_t last_start(const RecordStart& start, std::span<const std::byte> bytes) {
  const auto behind_last_newline = [&](std::size_t before) {
    const void* const newline = before == 0 ? nullptr : ::memrchr(bytes.data(), '\n', before);
    return newline == nullptr ? 0 : static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
  };
  std::size_t end = behind_last_newline(bytes.size());
  while (end > 0) {
    const std::size_t line = behind_last_newline(end - 1);
    if (line == 0 || begins_record(start, bytes.subspan(line, end - line))) return line;
    end = line;
  }
  return 0;
}

std::uint64_t count_started_records(const RecordStart& start, std::span<const std::byte> bytes) {
  std::uint64_t count = 0;
  for_each_started_end(start, bytes, [&](std::size_t) {
    ++count;
    return true;
  });
  return count;
}

std::size_t first_started_records(const RecordStart& start, std::span<const std::byte> bytes, std::uint64_t count) {
  std::size_t last_end = 0;
  if (count == 0) return 0;
  for_each_started_end(start, bytes, [&](std::size_t end) {
    last_end = end;
    return --count > 0;
  });
  return last_end;
}

}  // namespace sortie

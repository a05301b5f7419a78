#include "pipeline/input/json_input.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/quote.hpp"
#include "record/json/json_elements.hpp"
#include "record/record_order.hpp"

namespace sortie {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
/// A first line that is an array is read so far to say whether others follow it; of a longer one it is taken that none
/// do, so that another line behind it is refused.
constexpr std::size_t kMostBeginBytes = 1 << 20;
constexpr std::size_t kFirstReadBytes = 4 << 10;
constexpr std::size_t kReadBytes = 64 << 10;
/// Blanks at the end of what was read wait for what follows. Of empty lines more than these are left out in any case:
/// they come at the end, or the first of them is refused.
constexpr std::size_t kMostHeldBytes = 64 << 10;

/// How many bytes of `text` are left without the lines of blanks at its end.
std::size_t without_empty_lines(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  if (last == std::string_view::npos) return 0;
  return std::min(text.find('\n', last), text.size() - 1) + 1;
}

/// Takes from the front of `bytes`, from `begin` on.
std::size_t take_from(const auto& bytes, std::size_t& begin, std::span<std::byte> target) {
  const std::size_t count = std::min(target.size(), bytes.size() - begin);
  if (count > 0) std::memcpy(target.data(), bytes.data() + begin, count);
  begin += count;
  return count;
}

/// Reads the begin of an input until it shows the shape of the whole. `read(wanted)` lengthens `begin` by at least a
/// byte, to no more than `wanted`, and returns whether more may follow.
template <class Read>
JsonShape shape_of_begin(std::vector<std::byte>& begin, bool keys_index, const Read& read) {
  std::size_t wanted = kFirstReadBytes;
  JsonShape shape = JsonShape::kUnknown;
  while (shape == JsonShape::kUnknown) {
    if (begin.size() >= kMostBeginBytes) return JsonShape::kArray;
    if (begin.size() == wanted) wanted *= 2;
    const bool more = read(wanted);
    shape = json_shape(as_text(begin), !more, keys_index);
  }
  return shape;
}

/// What all inputs of unknown size have in common. `begin` of them has been read already.
class StreamedJson : public Input {
 public:
  StreamedJson(std::unique_ptr<Input> input, std::vector<std::byte> begin)
      : input_(std::move(input)), begin_(std::move(begin)) {}

  const std::string& path() const override { return input_->path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return input_->unpacking_bytes(); }
  std::size_t read(std::span<std::byte> target) override {
    std::size_t filled = 0;
    while (filled < target.size()) {
      const std::size_t got = read_some(target.subspan(filled));
      if (got == 0) break;
      filled += got;
    }
    return filled;
  }

 protected:
  std::size_t read_source(std::span<std::byte> target) {
    const std::size_t taken = take_from(begin_, begin_at_, target);
    return taken > 0 || target.empty() ? taken : input_->read_some(target);
  }

 private:
  std::unique_ptr<Input> input_;
  std::vector<std::byte> begin_;
  std::size_t begin_at_ = 0;  // offset of the first byte not handed out yet
};

/// One array, as its elements.
class ArrayInput final : public StreamedJson {
 public:
  using StreamedJson::StreamedJson;

  RecordNumbering numbering() const override { return {.word = "element"}; }

  std::size_t read_some(std::span<std::byte> target) override {
    while (at_ == lines_.size() && !has_ended_) read_on();
    return take_from(lines_, at_, target);
  }

 private:
  void read_on() {
    lines_.clear();
    at_ = 0;
    piece_.resize(kReadBytes);
    std::string_view text = as_text(std::span(piece_).first(read_source(piece_)));
    has_ended_ = text.empty();
    if (!has_begun_ && text.starts_with(kByteOrderMark)) {
      lines_ = kByteOrderMark;
      text.remove_prefix(kByteOrderMark.size());
    }
    has_begun_ = true;
    if (has_ended_ ? elements_.finish() : elements_.take(text, lines_)) return;
    throw Error("input " + quote_path(path()) + ": line " + std::to_string(elements_.line()) + " " + elements_.fault());
  }

  JsonElements elements_;
  std::vector<std::byte> piece_;
  std::string lines_;
  std::size_t at_ = 0;  // offset of the first byte not handed out yet
  bool has_begun_ = false;
  bool has_ended_ = false;
};

/// JSON Lines of unknown size.
class StreamedLines final : public StreamedJson {
 public:
  using StreamedJson::StreamedJson;

  std::size_t read_some(std::span<std::byte> target) override {
    if (at_ < waiting_.size()) return take_from(waiting_, at_, target);
    while (const std::size_t got = read_source(target)) {
      const std::string_view text = as_text(target.first(got));
      const std::size_t bytes = without_empty_lines(text);
      const std::string_view rest = text.substr(bytes);
      if (bytes > 0 && held_.empty()) {
        hold(rest);
        return bytes;
      }
      if (bytes > 0) {
        waiting_ = held_.append(text.substr(0, bytes));
        at_ = 0;
        held_.clear();
        hold(rest);
        return take_from(waiting_, at_, target);
      }
      hold(rest);
    }
    return 0;
  }

 private:
  void hold(std::string_view blanks) {
    if (held_.size() < kMostHeldBytes || held_.find('\n') == std::string::npos) held_.append(blanks);
  }

  std::string held_;  // blanks that are left out unless something follows
  std::string waiting_;
  std::size_t at_ = 0;  // offset of the first byte of these not handed out yet
};

/// A plain file up to the lines of blanks at its end.
class TrimmedInput final : public Input {
 public:
  TrimmedInput(std::unique_ptr<Input> input, std::uint64_t bytes) : input_(std::move(input)), bytes_(bytes) {}

  const std::string& path() const override { return input_->path(); }
  std::size_t read(std::span<std::byte> target) override { return count(input_->read(rest_of(target))); }
  std::size_t read_some(std::span<std::byte> target) override { return count(input_->read_some(rest_of(target))); }
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override {
    return count(input_->read_slices(rest_of(target), sink));
  }
  void skip(std::uint64_t bytes) override {
    input_->skip(bytes);
    position_ += bytes;
  }
  std::optional<std::uint64_t> size() const override { return bytes_; }
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) override {
    const std::uint64_t left = bytes_ - position_;
    const std::uint64_t there = left - std::min(left, distance);
    return input_->peek(distance,
                        target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), there))));
  }

 private:
  std::span<std::byte> rest_of(std::span<std::byte> target) const {
    return target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), bytes_ - position_)));
  }
  std::size_t count(std::size_t got) {
    position_ += got;
    return got;
  }

  std::unique_ptr<Input> input_;
  std::uint64_t bytes_;
  std::uint64_t position_ = 0;
};

/// The size of a plain file without the lines of blanks at its end.
std::uint64_t trimmed_size(Input& file) {
  std::vector<std::byte> piece(kFirstReadBytes);
  for (std::uint64_t end = *file.size(); end > 0;) {
    const std::uint64_t begin = end - std::min<std::uint64_t>(end, piece.size());
    const std::size_t got = file.peek(begin, std::span(piece).first(static_cast<std::size_t>(end - begin)));
    const std::size_t bytes = without_empty_lines(as_text(std::span(piece).first(got)));
    if (bytes > 0) return begin + bytes;
    if (begin == 0) return 0;
    end = begin;
    piece.resize(kReadBytes);
  }
  return 0;
}

/// Leaves the file at its begin.
JsonShape shape_of_file(Input& file, bool keys_index) {
  std::vector<std::byte> begin;
  return shape_of_begin(begin, keys_index, [&](std::size_t wanted) {
    begin.resize(wanted);
    begin.resize(file.peek(0, begin));
    return begin.size() == wanted && begin.size() < *file.size();
  });
}

/// Reads on in a stream; what has been read is in `begin`.
JsonShape shape_of_stream(Input& input, std::vector<std::byte>& begin, bool keys_index) {
  return shape_of_begin(begin, keys_index, [&](std::size_t wanted) {
    const std::size_t before = begin.size();
    begin.resize(wanted);
    begin.resize(before + input.read_some(std::span(begin).subspan(before)));
    return begin.size() > before;
  });
}

}  // namespace

std::unique_ptr<Input> as_json_lines(std::unique_ptr<Input> input, const JsonReading& reading) {
  if (input->size()) {
    if (reading.may_be_array && shape_of_file(*input, reading.keys_index) == JsonShape::kArray) {
      return std::make_unique<ArrayInput>(std::move(input), std::vector<std::byte>());
    }
    const std::uint64_t bytes = trimmed_size(*input);
    if (bytes == *input->size()) return input;
    return std::make_unique<TrimmedInput>(std::move(input), bytes);
  }
  std::vector<std::byte> begin;
  if (reading.may_be_array && shape_of_stream(*input, begin, reading.keys_index) == JsonShape::kArray) {
    return std::make_unique<ArrayInput>(std::move(input), std::move(begin));
  }
  return std::make_unique<StreamedLines>(std::move(input), std::move(begin));
}

}  // namespace sortie

#include "table/array_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/function_ref.hpp"
#include "table/array_parts.hpp"

namespace sortie::table {
namespace {

/// Hands an array's bytes to a sink. Each part follows its length, so that the bytes of other values are others.
class ByteWalk {
 public:
  using Sink = FunctionRef<void(std::span<const std::byte>)>;

  explicit ByteWalk(const Sink& sink) : sink_(sink) {}

  /// False if the values are not in the order of their bytes. `first`, `count`: which values are meant, by their
  /// indexes.
  bool add_values(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count) {
    const std::int64_t position = array.offset + first;
    add_number(static_cast<std::uint64_t>(count));
    if (type.has_validity()) add_bits(validity_of(type, array), position, count);
    switch (type.storage) {
      case Storage::kNull:
        return true;
      case Storage::kBits:
        add_bits(buffer_of(array, 1), position, count);
        return true;
      case Storage::kFixed:
        add_buffer(array, 1, position * type.width, count * type.width);
        return true;
      case Storage::kBinary: {
        const IndexRange bytes = add_offsets(type, array, position, count);
        add_buffer(array, 2, bytes.first, bytes.count);
        return true;
      }
      case Storage::kBinaryView:
        add_views(type, array, position, count);
        return true;
      case Storage::kList: {
        const IndexRange elements = add_offsets(type, array, position, count);
        return add_values(type.children[0], *array.children[0], elements.first, elements.count);
      }
      case Storage::kFixedList:
        return add_values(type.children[0], *array.children[0], position * type.list_size, count * type.list_size);
      case Storage::kStruct:
        for (std::size_t i = 0; i < type.children.size(); ++i) {
          if (!add_values(type.children[i], *array.children[i], position, count)) return false;
        }
        return true;
      default:
        return false;
    }
  }

 private:
  void add(std::span<const std::byte> bytes) {
    const std::uint64_t size = bytes.size();
    sink_(std::as_bytes(std::span(&size, 1)));
    sink_(bytes);
  }

  void add_number(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }

  void add_buffer(const ArrowArray& array, std::size_t buffer, std::int64_t begin, std::int64_t bytes) {
    if (bytes == 0 || array.buffers[buffer] == nullptr) return add({});
    add(std::span(buffer_of(array, buffer) + begin, static_cast<std::size_t>(bytes)));
  }

  /// The bytes that bits lie in; those beside them may be any, and then the bytes differ for no reason.
  void add_bits(const std::byte* bits, std::int64_t position, std::int64_t count) {
    if (bits == nullptr || count == 0) return add({});
    add_number(static_cast<std::uint64_t>(position % 8));
    const auto bytes = static_cast<std::size_t>((position + count + 7) / 8 - position / 8);
    add(std::span(bits + position / 8, bytes));
  }

  /// Returns where the values lie that the offsets lead to.
  IndexRange add_offsets(const TableType& type, const ArrowArray& array, std::int64_t position, std::int64_t count) {
    const std::int64_t width = type.width;
    add_buffer(array, 1, position * width, count == 0 ? 0 : (count + 1) * width);
    return count == 0 ? IndexRange() : between_offsets(type, array, {position - array.offset, count});
  }

  void add_views(const TableType& type, const ArrowArray& array, std::int64_t position, std::int64_t count) {
    const std::byte* const valid = validity_of(type, array);
    if (array.buffers[1] == nullptr) return add({});  // all are null
    const ViewTexts texts(array);
    for (std::int64_t i = position; i < position + count; ++i) {
      const std::string_view text = valid == nullptr || bit_at(valid, i) ? texts(i) : std::string_view();
      add(std::as_bytes(std::span(text)));
    }
  }

  const Sink sink_;
};

}  // namespace

bool ArrayBytes::are_of(const TableType& type, const ArrowArray& array) const {
  if (bytes_.empty()) return false;
  std::span<const std::byte> left(bytes_);
  bool is_same = true;
  const auto compare = [&](std::span<const std::byte> part) {
    is_same = is_same && part.size() <= left.size() &&
              (part.empty() || std::memcmp(part.data(), left.data(), part.size()) == 0);
    if (is_same) left = left.subspan(part.size());
  };
  return ByteWalk(compare).add_values(type, array, 0, array.length) && is_same && left.empty();
}

void ArrayBytes::keep(const TableType& type, const ArrowArray& array) {
  bytes_.clear();
  const auto copy = [&](std::span<const std::byte> part) { bytes_.insert(bytes_.end(), part.begin(), part.end()); };
  if (array.length == 0 || !ByteWalk(copy).add_values(type, array, 0, array.length)) bytes_.clear();
}

}  // namespace sortie::table

#include "record/number_order.hpp"

#include <algorithm>
#include <cstdint>

#include "base/bytes.hpp"

namespace sortie {
namespace {

// Numbers that are compared between two looks at whether all were in order.
constexpr std::size_t kStride = 4096;

// The code of a number in the requested order, without branches, so that the compiler can use vectors.
template <class Word, FieldKind kKind>
Word code_of(const std::byte* number) {
  constexpr Word kSign = Word{1} << (8 * sizeof(Word) - 1);
  const auto bits = load_as<Word>(number);
  if constexpr (kKind == FieldKind::kSigned) return bits ^ kSign;
  if constexpr (kKind == FieldKind::kFloat) {
    const Word all_if_negative = Word{0} - (bits >> (8 * sizeof(Word) - 1));
    return bits ^ (all_if_negative | kSign);
  }
  return bits;
}

// Whether number `index` must not follow the one before it. Descending order is ascending order backwards.
template <class Word, FieldKind kKind, bool kDescending, bool kUnique>
bool is_disorder(const std::byte* numbers, std::size_t index) {
  const Word before = code_of<Word, kKind>(numbers + (index - 1) * sizeof(Word));
  const Word after = code_of<Word, kKind>(numbers + index * sizeof(Word));
  const Word low = kDescending ? after : before;
  const Word high = kDescending ? before : after;
  return kUnique ? high <= low : high < low;
}

// Offset of the first number at `index` or behind it that `is_wanted`. Asks of `stride` numbers at once whether any is.
template <class Word, class IsWanted>
std::optional<std::size_t> find_first(std::size_t index, std::size_t count, std::size_t stride,
                                      const IsWanted& is_wanted) {
  for (; index < count; index += stride) {
    const std::size_t end = std::min(index + stride, count);
    Word found = 0;
    for (std::size_t i = index; i < end; ++i) found |= is_wanted(i) ? Word{1} : Word{0};
    for (std::size_t i = index; i < end && found != 0; ++i) {
      if (is_wanted(i)) return i * sizeof(Word);
    }
  }
  return std::nullopt;
}

template <class Word, FieldKind kKind, bool kDescending, bool kUnique>
std::optional<std::size_t> find_in(std::span<const std::byte> bytes) {
  return find_first<Word>(1, bytes.size() / sizeof(Word), kStride, [numbers = bytes.data()](std::size_t index) {
    return is_disorder<Word, kKind, kDescending, kUnique>(numbers, index);
  });
}

// Numbers that are compared at once: few enough that looking at each of them again costs little where many are before
// the bound.
constexpr std::size_t kBoundStride = 128;

template <class Word, FieldKind kKind, bool kDescending>
std::optional<std::size_t> find_before_in(std::span<const std::byte> bytes, Record bound) {
  const Word bound_code = code_of<Word, kKind>(bound.data());
  return find_first<Word>(0, bytes.size() / sizeof(Word), kBoundStride, [=](std::size_t index) {
    const Word code = code_of<Word, kKind>(bytes.data() + index * sizeof(Word));
    return kDescending ? code > bound_code : code < bound_code;
  });
}

template <class Word, FieldKind kKind>
struct NumberType {};

template <class Word, class Visit>
std::optional<std::size_t> visit_kind(FieldKind kind, const Visit& visit) {
  switch (kind) {
    case FieldKind::kSigned:
      return visit(NumberType<Word, FieldKind::kSigned>());
    case FieldKind::kFloat:
      return visit(NumberType<Word, FieldKind::kFloat>());
    default:
      return visit(NumberType<Word, FieldKind::kUnsigned>());
  }
}

// Calls visit() with the NumberType of the one number that `part` is.
template <class Visit>
std::optional<std::size_t> visit_number(const KeyPart& part, const Visit& visit) {
  return part.bytes == 4 ? visit_kind<std::uint32_t>(part.kind, visit) : visit_kind<std::uint64_t>(part.kind, visit);
}

}  // namespace

bool is_number_order(const RecordOrder& order) {
  const KeyPlan& plan = order.plan();
  const KeyPart& part = plan.parts[0];
  const bool one_number = !plan.whole_line && plan.part_count == 1 && part.kind != FieldKind::kBytes &&
                          part.byte_order == ByteOrder::kLittle && part.bytes == order.layout().record_bytes;
  return one_number && (part.bytes == 4 || part.bytes == 8);
}

std::optional<std::size_t> find_number_disorder(const RecordOrder& order, std::span<const std::byte> numbers,
                                                bool unique) {
  const KeyPart& part = order.plan().parts[0];
  return visit_number(part, [&]<class Word, FieldKind kKind>(NumberType<Word, kKind>) {
    if (part.descending) {
      return unique ? find_in<Word, kKind, true, true>(numbers) : find_in<Word, kKind, true, false>(numbers);
    }
    return unique ? find_in<Word, kKind, false, true>(numbers) : find_in<Word, kKind, false, false>(numbers);
  });
}

std::optional<std::size_t> find_number_before(const RecordOrder& order, std::span<const std::byte> numbers,
                                              Record bound) {
  const KeyPart& part = order.plan().parts[0];
  return visit_number(part, [&]<class Word, FieldKind kKind>(NumberType<Word, kKind>) {
    return part.descending ? find_before_in<Word, kKind, true>(numbers, bound)
                           : find_before_in<Word, kKind, false>(numbers, bound);
  });
}

}  // namespace sortie

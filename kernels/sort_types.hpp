// The types of keys and values, and the direction, that the sorts and merges of this library take.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sortie::kernels {

/// Numbers that have an unsigned code of the same order (common/key_codec.hpp). All of them sort and merge by it,
/// floats in totalOrder.
template <class T>
concept SortKey = std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, float> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int64_t> || std::same_as<T, double>;

/// A value that travels with its key, mostly the position that the item comes from.
template <class T>
concept SortValue = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The value type of keys without values.
struct NoValue {};

template <class Value>
inline constexpr bool kHasValue = !std::is_same_v<Value, NoValue>;

/// The direction of the keys. A stable sort keeps the order of equal keys in either direction.
enum class SortOrder { kAscending, kDescending };

}  // namespace sortie::kernels

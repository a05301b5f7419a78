// What the sorts and merges of this library take: types of keys and values, and the direction.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sortie::kernels {

/// Numbers that have an unsigned code of the same order (common/key_codec.hpp): by that, all of them sort and merge
/// alike, floats in totalOrder.
template <class T>
concept SortKey = std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, float> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int64_t> || std::same_as<T, double>;

/// What travels with a key: mostly the place that the item comes from.
template <class T>
concept SortValue = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The value of keys alone.
struct NoValue {};

template <class Value>
inline constexpr bool kHasValue = !std::is_same_v<Value, NoValue>;

/// Which way the keys go. What is stable keeps the order of equal keys either way.
enum class SortOrder { kAscending, kDescending };

}  // namespace sortie::kernels

// What the sorts and merges of this library take: types of keys and values, and the direction.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sortie::kernels {

/// Numbers that have an unsigned code of the same order (key_codec.hpp).
template <class T>
concept RadixKey = std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, float> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int64_t> || std::same_as<T, double>;

template <class T>
concept RadixValue = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The value of keys alone.
struct NoValue {};

template <class Value>
inline constexpr bool kHasValue = !std::is_same_v<Value, NoValue>;

/// Equal keys keep their order either way.
enum class SortOrder { kAscending, kDescending };

}  // namespace sortie::kernels

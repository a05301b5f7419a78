// The arrays that the functions of sortie::cuda take, and what all of these functions share.
//
// Arrays are pointers to device memory with the type of what they point to. A pointer of a C++ type converts by itself;
// a program that knows types only when it runs names the type. Pointers need not be of an allocation's begin, but
// aligned to 16 bytes unless a function says otherwise. Arrays and scratch must not overlap, unless both are only read.
//
// A call queues its work in `stream` and returns. It synchronises nothing, and uses no other stream; but CUDA loads a
// kernel when it is first launched, and may wait then for what the device is doing (CUDA_MODULE_LOADING=EAGER loads all
// when the program starts). Some sorts launch blocks that wait for each other, and these begin when the GPU has room
// for all of them: beside a kernel that runs on and on they wait. The stream belongs to the device that is current. A
// call allocates nothing but scratch from an allocator (device_scratch.hpp): with scratch of the caller's it can be
// captured into a graph. Several calls may be under way at once, in streams and threads of the program's, if their
// arrays and scratch differ.
//
// Counts may be beyond 2^32 unless a function says otherwise. Results do not depend on the machine. A call that is
// refused, for lack of memory for its scratch too, has launched nothing, and all arrays are as they were (status.hpp).
#pragma once

#if __cplusplus < 202002L
#error "sortie::cuda needs C++20: compile with -std=c++20"
#endif

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sortie::cuda {

/// What keys are, and so how they are ordered. Integers are ordered by value. Floats have two orders, of which the type
/// names one. Keys come back bit for bit in either.
///
/// The totalOrder of IEEE 754, in which no two patterns of bits are equal:
/// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.
///
/// By value, as torch.sort() and numpy.sort() have it: -inf < ... < -0 = +0 < ... < +inf < NaN. NaNs of either sign are
/// equal. Where a function is stable, zeros and NaNs keep their order; those of radix_sort(), merge_sort() and short
/// rows without values, and of merges of short keys without values, come as -0 before +0, behind it in descending
/// order, and NaNs by their bits. Sorts with values, segmented_sort() and sorts on several GPUs read the keys once
/// more, and take scratch for a copy of them; merges copy them, and take scratch for two. Functions whose headers do
/// not name this order refuse it.
enum class KeyType : std::uint8_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kFloat16,   ///< IEEE half precision, as __half
  kBfloat16,  ///< the upper half of a float, as __nv_bfloat16
  kUint32,
  kInt32,
  kFloat32,
  kUint64,
  kInt64,
  kFloat64,
  kFloat16ByValue,
  kBfloat16ByValue,
  kFloat32ByValue,
  kFloat64ByValue,
};

/// Whether keys are floats in the order of their values.
constexpr bool is_by_value(KeyType type) {
  return type >= KeyType::kFloat16ByValue && type <= KeyType::kFloat64ByValue;
}

/// The type of the same floats in the order of their values; other types as they are.
constexpr KeyType by_value(KeyType type) {
  switch (type) {
    case KeyType::kFloat16:
      return KeyType::kFloat16ByValue;
    case KeyType::kBfloat16:
      return KeyType::kBfloat16ByValue;
    case KeyType::kFloat32:
      return KeyType::kFloat32ByValue;
    case KeyType::kFloat64:
      return KeyType::kFloat64ByValue;
    default:
      return type;
  }
}

/// The type of the same floats in totalOrder; other types as they are.
constexpr KeyType in_total_order(KeyType type) {
  switch (type) {
    case KeyType::kFloat16ByValue:
      return KeyType::kFloat16;
    case KeyType::kBfloat16ByValue:
      return KeyType::kBfloat16;
    case KeyType::kFloat32ByValue:
      return KeyType::kFloat32;
    case KeyType::kFloat64ByValue:
      return KeyType::kFloat64;
    default:
      return type;
  }
}

constexpr std::size_t bytes_of(KeyType type) {
  type = in_total_order(type);
  if (type <= KeyType::kInt8) return 1;
  if (type <= KeyType::kBfloat16) return 2;
  return type <= KeyType::kFloat32 ? 4 : 8;
}

/// Numbers of C++ that are keys: integers and floats of up to 8 bytes.
template <class T>
concept KeyNumber = std::is_arithmetic_v<T> && std::same_as<T, std::remove_cv_t<T>> && sizeof(T) <= 8;

template <KeyNumber T>
constexpr KeyType key_type_of() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? KeyType::kFloat32 : KeyType::kFloat64;
  constexpr bool kSigned = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) return kSigned ? KeyType::kInt8 : KeyType::kUint8;
  if constexpr (sizeof(T) == 2) return kSigned ? KeyType::kInt16 : KeyType::kUint16;
  if constexpr (sizeof(T) == 4) return kSigned ? KeyType::kInt32 : KeyType::kUint32;
  return kSigned ? KeyType::kInt64 : KeyType::kUint64;
}

/// The direction of keys. A stable function keeps the order of items with equal keys in either direction.
enum class Order : std::uint8_t { kAscending, kDescending };

/// What set_operation() keeps of two sorted lists, as std::set_union() and its like do: of m items of a key in the
/// first list and n in the second, the larger number, the smaller number, those that the first list has more, and those
/// that either has more. Where both lists have an item, it comes from the first.
enum class SetOperation : std::uint8_t { kUnion, kIntersection, kDifference, kSymmetricDifference };

/// Which of the items with one key is kept.
enum class Keep : std::uint8_t { kFirst, kLast };

/// Keys that are read and written.
struct Keys {
  void* data;
  KeyType type;

  Keys(void* array, KeyType array_type) noexcept : data(array), type(array_type) {}
  template <KeyNumber T>
  Keys(T* array) noexcept : data(array), type(key_type_of<T>()) {}
};

/// Keys that are only read.
struct ConstKeys {
  const void* data;
  KeyType type;

  ConstKeys(const void* array, KeyType array_type) noexcept : data(array), type(array_type) {}
  ConstKeys(const Keys& keys) noexcept : data(keys.data), type(keys.type) {}
  template <KeyNumber T>
  ConstKeys(const T* array) noexcept : data(array), type(key_type_of<T>()) {}
};

/// What values may be: anything whose bytes may be copied.
template <class T>
concept ValueType = std::is_trivially_copyable_v<T> && std::same_as<T, std::remove_cv_t<T>>;

/// Values that travel with keys. Those of 4 and 8 bytes move with their keys; for other sizes 4-byte positions move,
/// and values once, at the end. Then there may be 2^32 items at most, and values need no alignment.
struct Values {
  void* data = nullptr;
  std::size_t bytes = 0;  ///< of each value; 0 if there are none

  Values() noexcept = default;
  Values(void* array, std::size_t value_bytes) noexcept : data(array), bytes(value_bytes) {}
  template <ValueType T>
  Values(T* array) noexcept : data(array), bytes(sizeof(T)) {}
};

/// Values that are only read.
struct ConstValues {
  const void* data = nullptr;
  std::size_t bytes = 0;  ///< of each value; 0 if there are none

  ConstValues() noexcept = default;
  ConstValues(const void* array, std::size_t value_bytes) noexcept : data(array), bytes(value_bytes) {}
  ConstValues(const Values& values) noexcept : data(values.data), bytes(values.bytes) {}
  template <ValueType T>
  ConstValues(const T* array) noexcept : data(array), bytes(sizeof(T)) {}
};

/// Values may have this many bytes each at most.
inline constexpr std::size_t kMostValueBytes = std::size_t{1} << 16;

/// Integers that positions may be.
template <class T>
concept PositionNumber = std::integral<T> && std::same_as<T, std::remove_cv_t<T>> &&(sizeof(T) == 4 || sizeof(T) == 8);

/// Positions of items, counted from 0, that a function writes.
struct Positions {
  void* data;
  std::size_t bytes;  ///< 4 or 8; with 4 there may be 2^32 items at most

  /// `position_bytes`: 4 or 8.
  Positions(void* array, std::size_t position_bytes) noexcept : data(array), bytes(position_bytes) {}
  template <PositionNumber T>
  Positions(T* array) noexcept : data(array), bytes(sizeof(T)) {}
};

}  // namespace sortie::cuda

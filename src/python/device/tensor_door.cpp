// A short way for few items: where they lie, and the stream that is current, are asked of their library by the C
// functions that it gives with its type of arrays (DLPack 1.3, `__dlpack_c_exchange_api__`), not by its Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "python/device/device_module.hpp"
#include "python/device/exchange_bindings.hpp"
#include "python/raise_errors.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

using DlTensor = nb::dlpack::dltensor;

/// DLPack's DLPackExchangeAPI. What is not called here stands as plain pointers.
struct ExchangeApi {
  std::uint32_t major;
  std::uint32_t minor;
  const void* previous;
  const void* new_tensor;
  const void* export_tensor;
  const void* import_tensor;
  /// Fills in where the array lies, without a hold on it. 0, or -1 with an exception of Python.
  int (*look)(void* array, DlTensor* tensor);
  int (*current_stream)(std::int32_t device_type, std::int32_t device, void** stream);
};

constexpr char kCapsuleName[] = "dlpack_exchange_api";
constexpr std::uint32_t kKnownMajor = 1;

/// The type of keys that DLPack describes so.
std::optional<cuda::KeyType> key_type_of(const nb::dlpack::dtype& type, bool by_value) {
  constexpr unsigned kInt = 0, kUint = 1, kFloat = 2, kBfloat = 4, kBool = 6;
  using cuda::KeyType;
  const auto of = [&](KeyType of8, KeyType of16, KeyType of32, KeyType of64) -> std::optional<KeyType> {
    if (type.bits == 8) return of8;
    if (type.bits == 16) return of16;
    if (type.bits == 32) return of32;
    return type.bits == 64 ? std::optional(of64) : std::nullopt;
  };
  const auto in_order = [&](KeyType total) { return by_value ? cuda::by_value(total) : total; };
  switch (type.lanes == 1 ? type.code : 255U) {
    case kInt:
      return of(KeyType::kInt8, KeyType::kInt16, KeyType::kInt32, KeyType::kInt64);
    case kUint:
      return of(KeyType::kUint8, KeyType::kUint16, KeyType::kUint32, KeyType::kUint64);
    case kFloat:
      if (type.bits == 16) return in_order(KeyType::kFloat16);
      if (type.bits == 32) return in_order(KeyType::kFloat32);
      return type.bits == 64 ? std::optional(in_order(KeyType::kFloat64)) : std::nullopt;
    case kBfloat:
      return type.bits == 16 ? std::optional(in_order(KeyType::kBfloat16)) : std::nullopt;
    case kBool:
      return type.bits == 8 ? std::optional(KeyType::kUint8) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// An array with items side by side, as its library tells it.
struct Seen {
  DlTensor tensor;

  void* data() const { return static_cast<std::byte*>(tensor.data) + tensor.byte_offset; }
  std::uint64_t length(std::int32_t dim) const { return static_cast<std::uint64_t>(tensor.shape[dim]); }
  std::uint64_t item_bytes() const { return tensor.dtype.bits / 8; }
  std::uint64_t count() const {
    std::uint64_t count = 1;
    for (std::int32_t i = 0; i < tensor.ndim; ++i) count *= length(i);
    return count;
  }

  bool is_side_by_side() const {
    std::int64_t expected = 1;
    for (std::int32_t i = tensor.ndim; tensor.strides != nullptr && i-- > 0;) {
      if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
      expected *= tensor.shape[i];
    }
    return true;
  }

  bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(data()) % item_bytes() == 0; }

  bool lies_beside(const Seen& other) const { return tensor.device.device_id == other.tensor.device.device_id; }
};

/// Functions that do their work where it is done in one launch without scratch, or say that they have not done it: then
/// the package goes its usual way, which has messages for what is wrong.
class TensorDoor {
 public:
  explicit TensorDoor(nb::handle capsule)
      : api_(static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), kCapsuleName))) {
    if (api_ == nullptr) throw nb::python_error();
    if (api_->major != kKnownMajor || api_->look == nullptr || api_->current_stream == nullptr) {
      raise_value_error("the library's exchange of tensors is of a version that is not known");
    }
  }

  /// keys, places: None if they are not wanted, else of the shape of `source`; places are int64.
  bool sort_rows(nb::handle source, nb::handle keys, nb::handle places, bool by_value, bool descending) const {
    const std::optional<Seen> from = see(source);
    if (!from || from->tensor.ndim == 0 || from->count() == 0) return false;
    const std::optional<cuda::KeyType> type = key_type_of(from->tensor.dtype, by_value);
    const std::optional<void*> keys_at = output(keys, *from, from->count(), from->item_bytes());
    const std::optional<void*> places_at = output(places, *from, from->count(), sizeof(std::uint64_t));
    if (!type || !keys_at || !places_at) return false;
    const DeviceRowSort sort{{from->data(), *keys_at, *type, order_of(descending),
                              *places_at == nullptr ? 0 : sizeof(std::uint64_t), *places_at, from->count()},
                             from->length(from->tensor.ndim - 1)};
    if (device_functions().row_sort_scratch_bytes(sort) != 0) return false;
    call_device([&, call = call_beside(*from, nullptr, 0)](const DeviceFunctions& functions, DeviceMessage& message) {
      return functions.sort_rows(sort, call, message);
    });
    return true;
  }

  /// keys, positions: as many as are wanted, of the type of `source` and of int64.
  bool top(nb::handle source, nb::handle keys, nb::handle positions, std::uint64_t wanted, bool by_value,
           bool descending) const {
    const std::optional<Seen> from = see(source);
    if (!from || from->tensor.ndim != 1 || wanted == 0 || wanted > from->count()) return false;
    const std::optional<cuda::KeyType> type = key_type_of(from->tensor.dtype, by_value);
    const std::optional<void*> keys_at = output(keys, *from, wanted, from->item_bytes());
    const std::optional<void*> positions_at = output(positions, *from, wanted, sizeof(std::uint64_t));
    if (!type || !keys_at || !positions_at) return false;
    if (device_functions().top_scratch_bytes(*type, from->count(), wanted) != 0) return false;
    const DeviceTop top{from->data(),
                        *type,
                        order_of(descending),
                        from->count(),
                        wanted,
                        *keys_at,
                        static_cast<std::uint64_t*>(*positions_at)};
    call_device([&, call = call_beside(*from, nullptr, 0)](const DeviceFunctions& functions, DeviceMessage& message) {
      return functions.top(top, call, message);
    });
    return true;
  }

  /// Returns how many items are kept; -1 if nothing was done. keys: has room for all, and `scratch_bytes` from
  /// `scratch_begin` on, in bytes.
  std::int64_t unique(nb::handle source, nb::handle keys, std::uint64_t scratch_begin, std::uint64_t scratch_bytes,
                      bool by_value, bool keep_last) const {
    const std::optional<Seen> from = see(source);
    if (!from || from->tensor.ndim != 1 || from->count() == 0) return -1;
    const std::optional<cuda::KeyType> type = key_type_of(from->tensor.dtype, by_value);
    const std::uint64_t bytes = from->item_bytes();
    const std::optional<void*> keys_at =
        output(keys, *from, (scratch_begin + scratch_bytes + bytes - 1) / bytes, bytes);
    if (!type || !keys_at || *keys_at == nullptr || scratch_begin < from->count() * bytes) return -1;
    const DeviceUnique unique{{from->data(), nullptr, from->count()},
                              *type,
                              keep_last ? cuda::Keep::kLast : cuda::Keep::kFirst,
                              0,
                              *keys_at,
                              nullptr};
    std::uint64_t kept_count = 0;
    void* const scratch = static_cast<std::byte*>(*keys_at) + scratch_begin;
    call_device([&, call = call_beside(*from, scratch, scratch_bytes)](const DeviceFunctions& functions,
                                                                       DeviceMessage& message) {
      return functions.unique(unique, kept_count, call, message);
    });
    return static_cast<std::int64_t>(kept_count);
  }

 private:
  static cuda::Order order_of(bool descending) {
    return descending ? cuda::Order::kDescending : cuda::Order::kAscending;
  }

  /// Nothing if it is no array in a GPU's memory with aligned items side by side.
  std::optional<Seen> see(nb::handle array) const {
    Seen seen{};
    if (api_->look(array.ptr(), &seen.tensor) != 0) {
      PyErr_Clear();
      return std::nullopt;
    }
    const bool is_taken = seen.tensor.device.device_type == nb::device::cuda::value && seen.tensor.dtype.bits >= 8 &&
                          seen.is_side_by_side() && seen.is_aligned();
    return is_taken ? std::optional(seen) : std::nullopt;
  }

  /// Where an array is to be written: null for None; nothing if it does not suit.
  std::optional<void*> output(nb::handle array, const Seen& source, std::uint64_t count,
                              std::uint64_t item_bytes) const {
    if (array.is_none()) return nullptr;
    const std::optional<Seen> seen = see(array);
    const bool suits = seen && seen->count() == count && seen->item_bytes() == item_bytes && seen->lies_beside(source);
    return suits ? std::optional(seen->data()) : std::nullopt;
  }

  /// In the stream that is current on the array's device.
  DeviceCall call_beside(const Seen& array, void* scratch, std::size_t scratch_bytes) const {
    void* stream = nullptr;
    const std::int32_t device = array.tensor.device.device_id;
    if (api_->current_stream(nb::device::cuda::value, device, &stream) != 0) throw nb::python_error();
    // CUDA's name of the legacy default stream, which null need not be.
    void* const legacy = pointer_of(1);
    return {device, stream == nullptr ? legacy : stream, scratch, scratch_bytes};
  }

  const ExchangeApi* api_;
};

}  // namespace

void bind_tensor_door(nb::module_& device) {
  nb::class_<TensorDoor>(device, "TensorDoor")
      .def(nb::init<nb::handle>(), nb::arg("capsule"))
      .def("sort_rows", &TensorDoor::sort_rows, nb::arg("source"), nb::arg("keys").none(), nb::arg("places").none(),
           nb::arg("by_value"), nb::arg("descending"))
      .def("top", &TensorDoor::top, nb::arg("source"), nb::arg("keys"), nb::arg("positions"), nb::arg("wanted"),
           nb::arg("by_value"), nb::arg("descending"))
      .def("unique", &TensorDoor::unique, nb::arg("source"), nb::arg("keys"), nb::arg("scratch_begin"),
           nb::arg("scratch_bytes"), nb::arg("by_value"), nb::arg("keep_last"));
}

}  // namespace sortie::python

// Arrays in device memory that cross by DLPack: those of other libraries come in, and Sortie's own go out. Beside them
// what is done with memory and streams.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "python/bindings.hpp"
#include "python/device/device_module.hpp"
#include "python/device/exchange_bindings.hpp"
#include "python/device/stream_memory.hpp"
#include "python/raise_errors.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// A tensor of another library, which is given back when this ends.
struct Tensor {
  nb::ndarray<nb::ro> array;

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(array.data()); }
  std::vector<std::int64_t> shape() const { return {array.shape_ptr(), array.shape_ptr() + array.ndim()}; }
  std::vector<std::int64_t> strides() const { return {array.stride_ptr(), array.stride_ptr() + array.ndim()}; }
};

Tensor tensor_of(nb::handle capsule) {
  Tensor tensor;
  if (!nb::try_cast(capsule, tensor.array)) raise_type_error("the array's DLPack is of no known form");
  return tensor;
}

/// What Python holds of memory.
class Memory {
 public:
  explicit Memory(std::shared_ptr<StreamMemory> memory) : memory_(std::move(memory)) {}
  Memory(Memory&&) = default;
  Memory(const Memory&) = delete;
  /// Whoever shares it may have work on the device that waits for the GIL.
  ~Memory() {
    const nb::gil_scoped_release unlocked;
    memory_.reset();
  }

  const std::shared_ptr<StreamMemory>& memory() const { return memory_; }

 private:
  std::shared_ptr<StreamMemory> memory_;
};

/// DLPack's DLManagedTensor, with what it points to.
struct ManagedTensor {
  nb::dlpack::dltensor tensor;
  void* context;
  void (*release)(ManagedTensor* self);
  std::shared_ptr<StreamMemory> memory;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
};

/// The strides of items side by side.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * shape[i - 1];
  return strides;
}

constexpr char kNewTensor[] = "dltensor";

/// Called by whoever took it over, with the GIL or without it.
void release(ManagedTensor* self) { delete self; }

/// Ends a capsule that nobody took over.
void end_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kNewTensor) == 0) return;
  release(static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, kNewTensor)));
}

nb::object capsule_of(const Memory& held, std::vector<std::int64_t> shape, unsigned code, unsigned bits) {
  auto managed = std::make_unique<ManagedTensor>();
  managed->memory = held.memory();
  managed->memory->share();
  managed->strides = strides_of(shape);
  managed->shape = std::move(shape);
  managed->context = nullptr;
  managed->release = release;
  nb::dlpack::dltensor& tensor = managed->tensor;
  tensor.data = managed->memory->data();
  tensor.device = {nb::device::cuda::value, managed->memory->device()};
  tensor.ndim = static_cast<std::int32_t>(managed->shape.size());
  tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  tensor.shape = managed->shape.data();
  tensor.strides = managed->strides.data();
  nb::object capsule = nb::steal(PyCapsule_New(managed.get(), kNewTensor, end_capsule));
  if (!capsule.is_valid()) throw nb::python_error();
  static_cast<void>(managed.release());  // the capsule has it
  return capsule;
}

/// The device of memory; None if it lies on the host.
std::optional<int> device_of(std::uint64_t address) {
  DevicePlace place{};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.find(pointer_of(address), place, message);
  });
  return place.is_on_device ? std::optional(place.device) : std::nullopt;
}

void copy(int device, std::uint64_t stream, std::uint64_t target, std::uint64_t source, std::size_t bytes) {
  const DeviceCall call{device, pointer_of(stream), nullptr, 0};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.copy(pointer_of(target), pointer_of(source), bytes, call, message);
  });
}

void wait_for(int device, std::uint64_t stream, std::uint64_t other) {
  const DeviceCall call{device, pointer_of(stream), nullptr, 0};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.wait_for(pointer_of(other), call, message);
  });
}

void synchronize(int device, std::uint64_t stream) {
  const DeviceCall call{device, pointer_of(stream), nullptr, 0};
  call_device(
      [&](const DeviceFunctions& functions, DeviceMessage& message) { return functions.synchronize(call, message); });
}

}  // namespace

void bind_exchange(nb::module_& device) {
  device.def("device_of", &device_of, nb::arg("address"));
  device.def("copy", &copy, nb::arg("device"), nb::arg("stream"), nb::arg("target"), nb::arg("source"),
             nb::arg("bytes"));
  device.def("wait_for", &wait_for, nb::arg("device"), nb::arg("stream"), nb::arg("other"));
  device.def("synchronize", &synchronize, nb::arg("device"), nb::arg("stream"));
  nb::class_<Tensor>(device, "Tensor")
      .def_prop_ro("address", &Tensor::address)
      .def_prop_ro("shape", &Tensor::shape)
      .def_prop_ro("strides", &Tensor::strides)
      .def_prop_ro("code", [](const Tensor& self) { return self.array.dtype().code; })
      .def_prop_ro("bits", [](const Tensor& self) { return self.array.dtype().bits * self.array.dtype().lanes; })
      .def_prop_ro("device_type", [](const Tensor& self) { return self.array.device_type(); })
      .def_prop_ro("device", [](const Tensor& self) { return self.array.device_id(); });
  nb::class_<Memory>(device, "Memory")
      .def_prop_ro("address", [](const Memory& self) { return self.memory()->address(); })
      .def("share", [](const Memory& self) { self.memory()->share(); });
  device.def("tensor", &tensor_of, nb::arg("capsule"));
  device.def("capsule", &capsule_of, nb::arg("memory"), nb::arg("shape"), nb::arg("code"), nb::arg("bits"));
  device.def(
      "allocate",
      [](int number, std::uint64_t stream, std::uint64_t bytes) {
        const nb::gil_scoped_release unlocked;
        return Memory(std::make_shared<StreamMemory>(number, reinterpret_cast<void*>(stream), bytes));
      },
      nb::arg("device"), nb::arg("stream"), nb::arg("bytes"));
}

}  // namespace sortie::python

// Owners of the structures of the Arrow C data interface, and the capsules in which Python's libraries hand them over:
// https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "python/raise_errors.hpp"

namespace sortie::python {

/// Releases an ArrowSchema, ArrowArray or ArrowArrayStream in the end.
template <class Struct>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  /// Takes over what is in `given`, and leaves it released.
  explicit ArrowOwner(Struct& given) : held_(given) { given.release = nullptr; }
  ~ArrowOwner() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  ArrowOwner(ArrowOwner&& other) noexcept : held_(std::exchange(other.held_, Struct{})) {}
  ArrowOwner& operator=(ArrowOwner&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }

  explicit operator bool() const { return held_.release != nullptr; }
  Struct* get() { return &held_; }
  const Struct& operator*() const { return held_; }
  Struct& operator*() { return held_; }
  Struct* operator->() { return &held_; }

 private:
  Struct held_{};
};

template <class Struct>
inline constexpr const char* kCapsuleName = "arrow_array_stream";
template <>
inline constexpr const char* kCapsuleName<ArrowSchema> = "arrow_schema";
template <>
inline constexpr const char* kCapsuleName<ArrowArray> = "arrow_array";

/// What the capsule holds, which stays there. Raises TypeError if it is another thing, ValueError if it is released.
template <class Struct>
Struct& struct_in(nanobind::handle capsule) {
  constexpr const char* kName = kCapsuleName<Struct>;
  if (PyCapsule_IsValid(capsule.ptr(), kName) == 0) {
    raise_type_error(std::string("a capsule of the name ") + kName + " is needed");
  }
  Struct& held = *static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), kName));
  if (held.release == nullptr) raise_value_error(std::string("the ") + kName + " has been read already");
  return held;
}

/// A capsule that owns what is in `given`.
template <class Struct>
nanobind::object make_capsule(ArrowOwner<Struct> given) {
  auto held = std::make_unique<ArrowOwner<Struct>>(std::move(given));
  // The owner begins with the structure, at whose address consumers look.
  static_assert(sizeof(ArrowOwner<Struct>) == sizeof(Struct));
  const auto destroy = [](PyObject* capsule) {
    delete static_cast<ArrowOwner<Struct>*>(PyCapsule_GetPointer(capsule, kCapsuleName<Struct>));
  };
  nanobind::object capsule = nanobind::steal(PyCapsule_New(held.get(), kCapsuleName<Struct>, destroy));
  if (!capsule.is_valid()) throw nanobind::python_error();
  static_cast<void>(held.release());
  return capsule;
}

/// Schemas and arrays that several consumers may have: each gets structures of its own, which keep `owner` alive.
template <class Struct>
ArrowOwner<Struct> share(std::shared_ptr<const ArrowOwner<Struct>> owner, const Struct& node) {
  struct Copies {
    std::shared_ptr<const ArrowOwner<Struct>> owner;
    std::vector<ArrowOwner<Struct>> children;
    std::vector<Struct*> pointers;
    ArrowOwner<Struct> dictionary;
  };
  auto copies = std::make_unique<Copies>();
  copies->owner = owner;
  for (std::int64_t i = 0; i < node.n_children; ++i) copies->children.push_back(share(owner, *node.children[i]));
  for (ArrowOwner<Struct>& child : copies->children) copies->pointers.push_back(child.get());
  Struct copy = node;
  copy.children = copies->pointers.data();
  if (node.dictionary != nullptr) {
    copies->dictionary = share(owner, *node.dictionary);
    copy.dictionary = copies->dictionary.get();
  }
  copy.private_data = copies.release();
  copy.release = [](Struct* released) {
    delete static_cast<Copies*>(released->private_data);
    released->release = nullptr;
  };
  return ArrowOwner<Struct>(copy);
}

}  // namespace sortie::python

// Arrays of the Arrow C data interface, built by hand: what comes into a table sorter. They count how often they are
// released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <sortie/arrow_c_data.hpp>

namespace sortie::test {

/// One array with its type. Copies share nothing. Fill in the parts, then take schema() and array().
struct HandBuilt {
  std::string format;
  std::string name;
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::int64_t null_count = 0;
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  std::string metadata;  ///< as the interface has it; empty: none
  std::vector<std::string> buffers;
  std::vector<bool> has_buffer;  ///< false: a null pointer
  std::vector<HandBuilt> children;
  std::vector<HandBuilt> dictionary;  ///< one or none
};

struct OwnedSchema {
  HandBuilt source;
  std::deque<ArrowSchema> nodes;
  std::deque<std::vector<ArrowSchema*>> pointers;
};

inline ArrowSchema* add_schema(OwnedSchema& owner, const HandBuilt& built) {
  ArrowSchema& schema = owner.nodes.emplace_back();
  schema = ArrowSchema{};
  schema.format = built.format.c_str();
  schema.name = built.name.c_str();
  schema.metadata = built.metadata.empty() ? nullptr : built.metadata.data();
  schema.flags = built.flags;
  schema.release = [](ArrowSchema* released) { released->release = nullptr; };
  std::vector<ArrowSchema*> children;
  for (const HandBuilt& child : built.children) children.push_back(add_schema(owner, child));
  schema.n_children = static_cast<std::int64_t>(children.size());
  owner.pointers.push_back(children);
  schema.children = owner.pointers.back().data();
  schema.dictionary = built.dictionary.empty() ? nullptr : add_schema(owner, built.dictionary[0]);
  return &schema;
}

/// A schema that is the test's own; it lives as long as the pointer.
inline std::shared_ptr<ArrowSchema> schema_of(const HandBuilt& built) {
  auto owner = std::make_shared<OwnedSchema>();
  owner->source = built;
  ArrowSchema* const schema = add_schema(*owner, owner->source);
  return {owner, schema};
}

struct OwnedArray {
  HandBuilt source;
  std::deque<ArrowArray> nodes;
  std::deque<std::vector<ArrowArray*>> pointers;
  std::deque<std::vector<const void*>> buffers;
  int* release_count = nullptr;
};

inline ArrowArray* add_array(OwnedArray& owner, const HandBuilt& built) {
  ArrowArray& array = owner.nodes.emplace_back();
  array = ArrowArray{};
  array.length = built.length;
  array.offset = built.offset;
  array.null_count = built.null_count;
  std::vector<const void*> buffers;
  for (std::size_t i = 0; i < built.buffers.size(); ++i) {
    buffers.push_back(built.has_buffer[i] ? built.buffers[i].data() : nullptr);
  }
  array.n_buffers = static_cast<std::int64_t>(buffers.size());
  owner.buffers.push_back(buffers);
  array.buffers = owner.buffers.back().data();
  std::vector<ArrowArray*> children;
  for (const HandBuilt& child : built.children) children.push_back(add_array(owner, child));
  array.n_children = static_cast<std::int64_t>(children.size());
  owner.pointers.push_back(children);
  array.children = owner.pointers.back().data();
  array.dictionary = built.dictionary.empty() ? nullptr : add_array(owner, built.dictionary[0]);
  return &array;
}

/// An array for somebody to take over. `releases`: counts when that is released.
inline ArrowArray array_of(const HandBuilt& built, int* releases = nullptr) {
  auto owner = std::make_unique<OwnedArray>();
  owner->source = built;
  owner->release_count = releases;
  ArrowArray array = *add_array(*owner, owner->source);
  array.private_data = owner.release();
  array.release = [](ArrowArray* released) {
    auto* const parts = static_cast<OwnedArray*>(released->private_data);
    if (parts->release_count != nullptr) ++*parts->release_count;
    delete parts;
    released->release = nullptr;
  };
  return array;
}

}  // namespace sortie::test

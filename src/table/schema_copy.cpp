#include "table/schema_copy.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace sortie::table {
namespace {

/// What a copied schema points to.
struct Contents {
  Contents() = default;
  ~Contents() {
    for (ArrowSchema& child : children) release(child);
    release(dictionary);
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  static void release(ArrowSchema& schema) {
    if (schema.release != nullptr) schema.release(&schema);
  }

  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};
};

/// Bytes of metadata: a count of pairs, then a length and the bytes of each key and each value.
std::size_t metadata_bytes(const char* metadata) {
  const auto pairs = load_as<std::int32_t>(metadata);
  std::size_t at = sizeof(pairs);
  for (std::int64_t i = 0; i < 2 * std::int64_t{pairs}; ++i) {
    at += sizeof(std::int32_t) + static_cast<std::size_t>(load_as<std::int32_t>(metadata + at));
  }
  return at;
}

void release_copy(ArrowSchema* schema) {
  delete static_cast<Contents*>(schema->private_data);
  schema->release = nullptr;
}

ArrowSchema copy_of(const ArrowSchema& schema) {
  auto contents = std::make_unique<Contents>();
  if (schema.format != nullptr) contents->format = schema.format;
  if (schema.name != nullptr) contents->name = schema.name;
  if (schema.metadata != nullptr) contents->metadata.assign(schema.metadata, metadata_bytes(schema.metadata));
  const auto child_count = static_cast<std::size_t>(schema.n_children);
  contents->children.reserve(child_count);
  for (std::size_t i = 0; i < child_count; ++i) contents->children.push_back(copy_of(*schema.children[i]));
  for (ArrowSchema& child : contents->children) contents->child_pointers.push_back(&child);
  if (schema.dictionary != nullptr) contents->dictionary = copy_of(*schema.dictionary);
  ArrowSchema copy{};
  copy.format = contents->format.c_str();
  copy.name = schema.name == nullptr ? nullptr : contents->name.c_str();
  copy.metadata = schema.metadata == nullptr ? nullptr : contents->metadata.data();
  copy.flags = schema.flags;
  copy.n_children = schema.n_children;
  copy.children = contents->child_pointers.data();
  copy.dictionary = schema.dictionary == nullptr ? nullptr : &contents->dictionary;
  copy.release = release_copy;
  copy.private_data = contents.release();
  return copy;
}

}  // namespace

SchemaCopy::SchemaCopy(const ArrowSchema& schema) : schema_(copy_of(schema)) {}

SchemaCopy::~SchemaCopy() { Contents::release(schema_); }

ArrowSchema SchemaCopy::release() { return std::exchange(schema_, ArrowSchema{}); }

}  // namespace sortie::table

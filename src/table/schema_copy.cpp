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
struct SchemaParts {
  SchemaParts() = default;
  ~SchemaParts() {
    for (ArrowSchema& child : children) release(child);
    release(dictionary);
  }
  SchemaParts(const SchemaParts&) = delete;
  SchemaParts& operator=(const SchemaParts&) = delete;

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
  delete static_cast<SchemaParts*>(schema->private_data);
  schema->release = nullptr;
}

ArrowSchema copy_of(const ArrowSchema& schema) {
  auto parts = std::make_unique<SchemaParts>();
  if (schema.format != nullptr) parts->format = schema.format;
  if (schema.name != nullptr) parts->name = schema.name;
  if (schema.metadata != nullptr) parts->metadata.assign(schema.metadata, metadata_bytes(schema.metadata));
  const auto child_count = static_cast<std::size_t>(schema.n_children);
  parts->children.reserve(child_count);
  for (std::size_t i = 0; i < child_count; ++i) parts->children.push_back(copy_of(*schema.children[i]));
  for (ArrowSchema& child : parts->children) parts->child_pointers.push_back(&child);
  if (schema.dictionary != nullptr) parts->dictionary = copy_of(*schema.dictionary);
  ArrowSchema copy{};
  copy.format = parts->format.c_str();
  copy.name = schema.name == nullptr ? nullptr : parts->name.c_str();
  copy.metadata = schema.metadata == nullptr ? nullptr : parts->metadata.data();
  copy.flags = schema.flags;
  copy.n_children = schema.n_children;
  copy.children = parts->child_pointers.data();
  copy.dictionary = schema.dictionary == nullptr ? nullptr : &parts->dictionary;
  copy.release = release_copy;
  copy.private_data = parts.release();
  return copy;
}

}  // namespace

SchemaCopy::SchemaCopy(const ArrowSchema& schema) : schema_(copy_of(schema)) {}

SchemaCopy::~SchemaCopy() { SchemaParts::release(schema_); }

ArrowSchema SchemaCopy::release() { return std::exchange(schema_, ArrowSchema{}); }

}  // namespace sortie::table

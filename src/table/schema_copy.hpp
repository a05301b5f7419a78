// A copy of a schema with all that is in it, for the caller to release: what a sorted table has is what came.
#pragma once

#include <sortie/arrow_c_data.hpp>

namespace sortie::table {

/// Owns a schema.
class SchemaCopy {
 public:
  /// Precondition: `schema` is not released.
  explicit SchemaCopy(const ArrowSchema& schema);
  ~SchemaCopy();
  SchemaCopy(const SchemaCopy&) = delete;
  SchemaCopy& operator=(const SchemaCopy&) = delete;

  const ArrowSchema& get() const { return schema_; }
  /// Hands the schema over.
  ArrowSchema release();

 private:
  ArrowSchema schema_{};
};

}  // namespace sortie::table

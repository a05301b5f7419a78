// How fields of fixed records become parts of a key plan, for formats, and for sorts of records in device memory, which
// have fields but no format.
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "record/key_plan.hpp"

namespace sortie {

/// Whether a field of this kind may have this length.
constexpr bool length_suits(const Field& field) {
  switch (field.kind) {
    case FieldKind::kBytes:
      return field.length > 0;
    case FieldKind::kFloat:
      return field.length == 2 || field.length == 4 || field.length == 8;
    default:
      return field.length == 1 || field.length == 2 || field.length == 4 || field.length == 8;
  }
}

/// Makes the field the next part of the plan's key. Precondition: it is valid, and there is room in the plan.
constexpr void add_key_part(KeyPlan& plan, const Field& field, bool reverse) {
  KeyPart& part = plan.parts[plan.part_count++];
  part.source_offset = static_cast<std::uint32_t>(field.offset);
  part.key_offset = plan.key_bytes;
  part.bytes = static_cast<std::uint32_t>(field.length);
  part.kind = field.kind;
  part.byte_order = field.byte_order;
  part.descending = field.descending != reverse;
  plan.key_bytes += part.bytes;
}

}  // namespace sortie

#include "record/key_plan.hpp"

namespace sortie {
namespace {

KeyPart make_part(const Field& field, std::uint32_t key_offset, bool reverse) {
  KeyPart part;
  part.source_offset = static_cast<std::uint32_t>(field.offset);
  part.key_offset = key_offset;
  part.bytes = static_cast<std::uint32_t>(field.length);
  part.kind = field.kind;
  part.byte_order = field.byte_order;
  part.descending = field.descending != reverse;
  return part;
}

}  // namespace

KeyPlan make_key_plan(const Format& format) {
  validate(format);
  KeyPlan plan;
  if (format.kind == RecordKind::kLines) {
    plan.whole_line = true;
    plan.descending_line = format.descending;
    return plan;
  }
  for (const Field& field : format.fields) {
    plan.parts[plan.part_count++] = make_part(field, plan.key_bytes, format.descending);
    plan.key_bytes += static_cast<std::uint32_t>(field.length);
  }
  if (format.fields.empty()) {
    const Field whole{FieldKind::kBytes, ByteOrder::kBig, 0, format.record_bytes, false};
    plan.parts[plan.part_count++] = make_part(whole, 0, format.descending);
    plan.key_bytes = static_cast<std::uint32_t>(format.record_bytes);
  }
  return plan;
}

}  // namespace sortie

// Compares the keys of consecutive decorated lines for a check of their order: finds lines that repeat the keys of the
// line before, and lines that must not follow it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "record/layout.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Offset of the first line in `lines` whose keys are those of the line before it. `lines` are whole decorated lines.
/// Parallel.
std::optional<std::size_t> find_repeated_key(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines);

/// Offset of the first line whose keys are less than those of the line before it, or the same if `unique`.
/// Precondition: `decorator` collates.
std::optional<std::size_t> find_key_disorder(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines, bool unique);

}  // namespace sortie

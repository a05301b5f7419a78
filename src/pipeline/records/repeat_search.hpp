// Finds lines with equal keys that follow each other, for a check of decorated lines with --unique.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "record/layout.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Offset of the first line in `lines` whose keys are those of the line before it. Whole decorated lines. Parallel.
std::optional<std::size_t> find_repeated_key(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines);

}  // namespace sortie

// Which way a merge of two lists takes, while they are compared: 100 * shape + log2 of the most items that one launch
// merges; 0 for the way before.
#pragma once

namespace sortie::kernels {

inline unsigned merge_variant = 120;

}  // namespace sortie::kernels

// Token files of training data: of Megatron, .npy arrays, and bare tokens. See token_documents.hpp for what is a
// document.
#pragma once

#include <memory>
#include <string_view>

#include "formats/file_format.hpp"

namespace sortie::formats::tokens {

inline constexpr std::string_view kTakes =
    "by token-end token-type unique keep top sample order split split-size split-records manifest";

/// The index: the tokens themselves begin like nothing.
bool begins_megatron(const FileBegin& begin);
bool begins_array(const FileBegin& begin);

std::unique_ptr<FormatFiles> open_megatron(const JobContext& context);
std::unique_ptr<FormatFiles> open_npy(const JobContext& context);
std::unique_ptr<FormatFiles> open_raw(const JobContext& context);

}  // namespace sortie::formats::tokens

// The tar format: archives of samples, as WebDataset has them. See tar_samples.hpp for what is one.
#pragma once

#include <memory>
#include <string_view>

#include "formats/file_format.hpp"

namespace sortie::formats::tar {

inline constexpr std::string_view kTakes =
    "by unique keep top sample order split split-size split-records manifest output-level";

bool begins(const FileBegin& begin);
std::unique_ptr<FormatFiles> open(const JobContext& context);

}  // namespace sortie::formats::tar

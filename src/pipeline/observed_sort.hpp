// What sort() does, also where the sort is a part of a job. Called by sort() and by SortChain.
#pragma once

#include <cstddef>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "observe/observer.hpp"
#include "record/record_form.hpp"

namespace sortie {

/// As sort() does. `form`: in which records are written, to a sink that takes them so. `observer`: is told what the
/// sort does, in place of one that the options ask for; null if this is no part of a job. `sources`: how many inputs
/// SortOptions::source stands for, one behind the other: each ends where it gives 0.
SortReport observed_sort(const SortOptions& options, RecordForm form, Observer* observer, std::size_t sources = 1);

}  // namespace sortie

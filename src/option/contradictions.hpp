// Refuses options that do not go together, by tables of rules. Whoever makes something of a request asks.
#pragma once

#include <string_view>

#include "option/request.hpp"

namespace sortie::option {

/// Throws Error for options that name different forms of lines, or another kind of records than `format`.
void refuse_contradictory_forms(const Request& request, const Format& format);

/// Throws Error for all others: first those that GNU sort finds, in its order, which is that of --debug before that of
/// a check. Precondition: the format is made, since mistakes in keys come before.
void refuse_contradictions(const Request& request);

/// Throws Error for options that contradict each other, of which SortOptions know. The library asks, whoever calls it.
void refuse_contradictions(const SortOptions& options, Door door);

/// The same for a check: throws Error for options of which it makes nothing, too.
void refuse_contradictions_of_check(const SortOptions& options, Door door);

/// Throws Error for options that a "join" or a "shard" makes nothing of. `name`: what asks for the job.
void refuse_beside_job(const Request& request, std::string_view job, std::string_view name);
void refuse_beside_job(const SortOptions& options, Door door, std::string_view job);

/// Throws Error for options of GPUs beside those that leave all work to the CPU. refuse_contradictions() does so, too.
void refuse_idle_gpu_options(const Request& request);

}  // namespace sortie::option

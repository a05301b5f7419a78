// The rules of which options do not go together, as data. contradictions.cpp says when each list is asked.
#pragma once

#include <string_view>

namespace sortie::option {

/// Options that do not go with `option`. "check", "set" and "genome" stand for any that asks for one. Messages speak of
/// "sets" and "parts" as such.
struct Rule {
  std::string_view option;
  std::string_view others;
};

// The first rule that is broken gives the message: GNU sort has an order of its own for those that it knows.
inline constexpr Rule kRulesOfForms[] = {
    {"-z", "csv tsv jsonl entry-start"},
    {"csv", "jsonl entry-start"},
    {"tsv", "jsonl entry-start"},
    {"-t", "jsonl"},
    {"header", "jsonl"},
    {"entry-start", "jsonl"},
    {"no-header", "header columns"},
    {"genome", "header csv tsv jsonl entry-start -z debug"},
};

inline constexpr Rule kRulesOfGroups[] = {
    {"group", "check repeated only-once set order=input sample unique keep=last shuffle debug entry-start together"},
    {"set", "check repeated only-once debug shuffle"},
};

inline constexpr Rule kRulesOfActions[] = {
    {"check", "plan"},
    {"debug", "plan"},
    {"check", "explain columns"},
    {"check", "trace"},  // of the command: the library's check has one
    {"debug", "explain columns"},
    {"plan", "explain columns"},
    {"explain", "columns"},
    {"debug", "csv tsv entry-start jsonl header count"},
    {"count", "entry-start"},
    {"csv", "tsv"},
};

inline constexpr Rule kRulesOfSelections[] = {
    {"shuffle", "check debug merge count repeated only-once unique"},
    {"count", "csv tsv"},
    {"check", "count keep=last repeated only-once top"},
    {"check", "order=input sample"},
    {"debug", "order=input sample"},
};

inline constexpr Rule kRulesOfChains[] = {
    {"shuffle", "order=input"},
    {"merge", "sample"},
    {"checkpoint", "sample"},
};

inline constexpr Rule kRulesOfKept[] = {
    {"keep=last", "only-once"},
    {"dropped", "check debug group set repeated only-once top sample merge checkpoint"},
};

inline constexpr Rule kRulesOfParts[] = {
    {"split", "check debug split-size split-records split-weight split-by"},
    {"split-size", "check debug split-records split-weight"},
    {"split-records", "check debug split-weight"},
    {"split-weight", "check debug"},
    {"split-by", "check debug"},
};

inline constexpr Rule kOtherRules[] = {
    {"index", "check debug count group parts order=input"},
    {"check", "checkpoint"},
    {"debug", "checkpoint"},
    {"merge", "checkpoint"},
    {"top", "checkpoint"},
    {"-T", "checkpoint"},
    // What sorts nothing has nothing to report.
    {"check", "stats stats-json report"},
    {"explain", "checkpoint stats stats-json report trace"},
    {"columns", "checkpoint stats stats-json report trace"},
    {"plan", "stats stats-json report trace"},
};

// Jobs beside the sort. All that a join makes are pairs, in one output. A shard is a part of a sort that others divide.
inline constexpr Rule kRulesOfJobs[] = {
    {"join",
     "repeated only-once sets group count unique keep=last dropped top parts sample order=input shuffle jsonl "
     "entry-start "
     "check columns debug checkpoint genome"},
    {"shard",
     "merge dropped parts index check plan explain columns debug checkpoint compress-program stats stats-json report"},
    {"split of ranges",
     "merge join sample check plan explain columns debug checkpoint compress-program stats stats-json report"},
};

/// What only a GPU makes something of.
inline constexpr std::string_view kOfGpus = "devices device-memory algorithm";

}  // namespace sortie::option

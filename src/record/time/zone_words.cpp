#include "record/time/zone_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sortie {
namespace {

/// A word in place: a table of pointers would have to be relocated whenever the command starts.
struct ShortWord {
  template <std::size_t kSize>
  constexpr ShortWord(const char (&word)[kSize]) {
    static_assert(kSize <= kLongestZoneWord + 1);
    std::copy_n(word, kSize, letters.begin());
  }
  constexpr std::string_view view() const { return letters.data(); }

  std::array<char, kLongestZoneWord + 1> letters{};
};

// Names that the tz database has or had, and those that other programs write. In order, so that a binary
// search finds them.
constexpr auto kZoneWords = std::to_array<ShortWord>({
    "ACDT", "ACST",  "ACWST", "ADDT",  "ADMT",  "ADT",   "AEDT", "AEST", "AET",   "AFT",   "AHDT",  "AHST",  "AKDT",
    "AKST", "ALMT",  "AMST",  "AMT",   "ANAT",  "AQTT",  "ARST", "ART",  "AST",   "AWDT",  "AWST",  "AWT",   "AZOST",
    "AZOT", "AZT",   "BDST",  "BDT",   "BMT",   "BNT",   "BRST", "BRT",  "BST",   "CAT",   "CCT",   "CDT",   "CEMT",
    "CEST", "CET",   "CHADT", "CHAST", "CHOST", "CHOT",  "CHST", "CHUT", "CKT",   "CLST",  "CLT",   "CMT",   "COT",
    "CST",  "CVT",   "CWST",  "CWT",   "CXT",   "DAVT",  "DDUT", "DFT",  "DMT",   "EASST", "EAT",   "ECT",   "EDT",
    "EEST", "EET",   "EGST",  "EGT",   "EMT",   "EST",   "EWT",  "FET",  "FFMT",  "FJST",  "FJT",   "FKST",  "FKT",
    "FMT",  "FNT",   "GALT",  "GAMT",  "GDT",   "GFT",   "GILT", "GMT",  "GST",   "GYT",   "HDT",   "HKST",  "HKT",
    "HKWT", "HMT",   "HOVST", "HOVT",  "HST",   "HWT",   "ICT",  "IDDT", "IDT",   "IMT",   "IOT",   "IRDT",  "IRKT",
    "IRST", "IST",   "JDT",   "JMT",   "JST",   "KALT",  "KDT",  "KGT",  "KMT",   "KOST",  "KRAST", "KRAT",  "KST",
    "LHDT", "LHST",  "LMT",   "LST",   "MAGT",  "MAWT",  "MDST", "MDT",  "MEST",  "MESZ",  "MET",   "MEZ",   "MHT",
    "MMT",  "MSD",   "MSK",   "MST",   "MUT",   "MVT",   "MWT",  "MYT",  "NCT",   "NDDT",  "NDT",   "NFT",   "NOVT",
    "NRT",  "NST",   "NWT",   "NZDT",  "NZMT",  "NZST",  "NZT",  "OESZ", "OEZ",   "OMSST", "OMST",  "ORAT",  "PDT",
    "PET",  "PETST", "PETT",  "PGT",   "PHOT",  "PHST",  "PHT",  "PKST", "PKT",   "PLMT",  "PMDT",  "PMST",  "PMT",
    "PONT", "PPMT",  "PST",   "PWT",   "PYST",  "PYT",   "QMT",  "RMT",  "ROTT",  "SAKT",  "SAMT",  "SAST",  "SBT",
    "SDMT", "SDT",   "SGT",   "SJMT",  "SMT",   "SRET",  "SRT",  "SST",  "SYOT",  "TAHT",  "TBMT",  "TFT",   "TJT",
    "TKT",  "TLT",   "TMT",   "TRT",   "TVT",   "ULAST", "ULAT", "UYST", "UYT",   "UZT",   "VET",   "VLAST", "VLAT",
    "VOST", "VUT",   "WAKT",  "WAST",  "WAT",   "WEMT",  "WEST", "WESZ", "WET",   "WEZ",   "WFT",   "WGST",  "WGT",
    "WIB",  "WIT",   "WITA",  "WMT",   "YAKST", "YAKT",  "YDDT", "YDT",  "YEKST", "YEKT",  "YST",   "YWT",   "ZMT",
});
static_assert(std::ranges::is_sorted(kZoneWords, {}, &ShortWord::view));
static_assert(std::ranges::all_of(kZoneWords, [](const ShortWord& word) {
  return kLastZoneLetters.find(word.view().back()) != std::string_view::npos;
}));

constexpr auto kWordsOfLogs = std::to_array<ShortWord>({
    "ABORT", "ACK",   "ALERT", "AUDIT", "BEGIN", "CONN",  "CRIT", "DBG",  "DEBUG", "DEL",  "DENY",  "DONE",
    "DROP",  "EMERG", "END",   "ERR",   "ERROR", "EVENT", "EXIT", "FAIL", "FATAL", "FINE", "FINER", "FTL",
    "GET",   "HEAD",  "HINT",  "HOST",  "INF",   "INFO",  "INIT", "KILL", "LOG",   "MSG",  "NOTE",  "PANIC",
    "PASS",  "PATCH", "PING",  "PONG",  "POST",  "PUT",   "QUIT", "READ", "RESET", "SET",  "SKIP",  "START",
    "STAT",  "STOP",  "SYN",   "TEST",  "TRACE", "TRC",   "USER", "VERB", "VRB",   "WARN", "WRITE", "WRN",
});
static_assert(std::ranges::is_sorted(kWordsOfLogs, {}, &ShortWord::view));

constexpr auto kRegions =
    std::to_array<std::string_view>({"Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/",
                                     "Australia/", "Etc/", "Europe/", "Indian/", "Pacific/", "US/"});

}  // namespace

// Most words behind a time end like none of these: that is quick to see.
bool is_zone_word(std::string_view word) {
  if (word.size() < 3 || word.size() > kLongestZoneWord) return false;
  if (kLastZoneLetters.find(word.back()) == std::string_view::npos) return false;
  return std::ranges::binary_search(kZoneWords, word, {}, &ShortWord::view);
}

bool is_word_of_logs(std::string_view word) {
  return std::ranges::binary_search(kWordsOfLogs, word, {}, &ShortWord::view);
}

bool begins_like_database_zone(std::string_view text) {
  return std::ranges::any_of(kRegions, [&](std::string_view region) { return text.starts_with(region); });
}

}  // namespace sortie

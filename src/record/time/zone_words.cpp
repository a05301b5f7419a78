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
    static_assert(kSize <= kLongestWord + 1);
    std::copy_n(word, kSize, letters.begin());
  }
  constexpr std::string_view view() const { return letters.data(); }

  std::array<char, kLongestWord + 1> letters{};
};

// Names that the tz database has or had, and those that other programs write. In order, so that a binary
// search finds them.
constexpr auto kZoneWords = std::to_array<ShortWord>({
    "ACDT",  "ACST",  "ACWST",  "ADDT",   "ADMT", "ADT",   "AEDST", "AEDT",  "AEST", "AET",    "AFT",   "AHDT",
    "AHST",  "AKDT",  "AKST",   "ALMT",   "AMST", "AMT",   "ANAT",  "AQTT",  "ARST", "ART",    "AST",   "AWDT",
    "AWST",  "AWT",   "AZOST",  "AZOT",   "AZT",  "BDST",  "BDT",   "BMT",   "BNT",  "BOT",    "BRST",  "BRT",
    "BST",   "BTT",   "CAT",    "CCT",    "CDT",  "CEDT",  "CEMT",  "CEST",  "CET",  "CETDST", "CHADT", "CHAST",
    "CHOST", "CHOT",  "CHST",   "CHUT",   "CKT",  "CLST",  "CLT",   "CMT",   "COT",  "CST",    "CT",    "CVT",
    "CWST",  "CWT",   "CXT",    "DAVT",   "DDUT", "DFT",   "DMT",   "EASST", "EAT",  "ECT",    "EDT",   "EEDT",
    "EEST",  "EET",   "EETDST", "EGST",   "EGT",  "EMT",   "EST",   "ET",    "EWT",  "FET",    "FFMT",  "FJST",
    "FJT",   "FKST",  "FKT",    "FMT",    "FNT",  "GALT",  "GAMT",  "GDT",   "GFT",  "GILT",   "GMT",   "GST",
    "GYT",   "HAA",   "HAC",    "HADT",   "HAE",  "HAEC",  "HAST",  "HDT",   "HEC",  "HEEC",   "HKST",  "HKT",
    "HKWT",  "HMT",   "HNA",    "HNC",    "HNE",  "HNEC",  "HNT",   "HOVST", "HOVT", "HST",    "HT",    "HWT",
    "ICT",   "IDDT",  "IDT",    "IMT",    "IOT",  "IRDT",  "IRKT",  "IRST",  "IST",  "JDT",    "JMT",   "JST",
    "KALT",  "KDT",   "KGT",    "KMT",    "KOST", "KRAST", "KRAT",  "KST",   "KUYT", "LHDT",   "LHST",  "LKT",
    "LMT",   "LST",   "MAGT",   "MAWT",   "MDST", "MDT",   "MEST",  "MESZ",  "MET",  "METDST", "MEZ",   "MHT",
    "MMT",   "MSD",   "MSK",    "MST",    "MT",   "MUT",   "MVT",   "MWT",   "MYT",  "NCT",    "NDDT",  "NDT",
    "NFT",   "NOVT",  "NPT",    "NRT",    "NST",  "NT",    "NWT",   "NZ",    "NZDT", "NZMT",   "NZST",  "NZT",
    "OESZ",  "OEZ",   "OMSST",  "OMST",   "ORAT", "PDT",   "PET",   "PETST", "PETT", "PGT",    "PHOT",  "PHST",
    "PHT",   "PKST",  "PKT",    "PLMT",   "PMDT", "PMST",  "PMT",   "PONT",  "PPMT", "PRC",    "PST",   "PT",
    "PWT",   "PYST",  "PYT",    "QMT",    "RMT",  "ROC",   "ROK",   "ROTT",  "SAKT", "SAMT",   "SAST",  "SBT",
    "SCT",   "SDMT",  "SDT",    "SGT",    "SJMT", "SMT",   "SRET",  "SRT",   "SST",  "SYOT",   "TAHT",  "TBMT",
    "TFT",   "TJT",   "TKT",    "TLT",    "TMT",  "TOT",   "TRT",   "TVT",   "UCT",  "ULAST",  "ULAT",  "UYST",
    "UYT",   "UZT",   "VET",    "VLAST",  "VLAT", "VOST",  "VUT",   "WAKT",  "WAST", "WAT",    "WEDT",  "WEMT",
    "WEST",  "WESZ",  "WET",    "WETDST", "WEZ",  "WFT",   "WGST",  "WGT",   "WIB",  "WIT",    "WITA",  "WMT",
    "WST",   "YAKST", "YAKT",   "YDDT",   "YDT",  "YEKST", "YEKT",  "YST",   "YWT",  "ZMT",
});
static_assert(std::ranges::is_sorted(kZoneWords, {}, &ShortWord::view));
static_assert(std::ranges::all_of(kZoneWords, [](const ShortWord& word) {
  return kLastZoneLetters.find(word.view().back()) != std::string_view::npos;
}));

constexpr auto kWordsOfLogs = std::to_array<ShortWord>({
    "ABORT",  "ACCEPT",   "ACK",    "ACTIVE",  "ALERT",   "ALL",     "AM",      "AND",    "API",     "APP",
    "AUDIT",  "AUTH",     "BAD",    "BEGIN",   "BLOCK",   "BOOT",    "BUSY",    "BY",     "BYE",     "CACHE",
    "CALL",   "CHECK",    "CLEAR",  "CLIENT",  "CLOSE",   "CMD",     "CONFIG",  "CONN",   "CONNECT", "CPU",
    "CRIT",   "CRITICAL", "CRON",   "CUT",     "DATA",    "DB",      "DBG",     "DEBUG",  "DEL",     "DELETE",
    "DENY",   "DISABLED", "DO",     "DONE",    "DOWN",    "DROP",    "EMERG",   "EMPTY",  "ENABLED", "END",
    "ERR",    "ERROR",    "EVENT",  "EXIT",    "FAIL",    "FAILED",  "FALSE",   "FATAL",  "FINE",    "FINER",
    "FINEST", "FOUND",    "FTL",    "FULL",    "GET",     "GO",      "HEAD",    "HELLO",  "HELP",    "HI",
    "HINT",   "HOST",     "HOUR",   "HOURS",   "HRS",     "HTTP",    "HTTPS",   "ID",     "IDLE",    "IF",
    "IN",     "INF",      "INFO",   "INIT",    "INSERT",  "IO",      "IP",      "IS",     "ITEM",    "JOB",
    "KILL",   "LAST",     "LEVEL",  "LINE",    "LIST",    "LOAD",    "LOCK",    "LOG",    "LOGIN",   "LOGOUT",
    "MAIL",   "MAIN",     "ME",     "MESSAGE", "MISS",    "MOVE",    "MSG",     "MY",     "NAN",     "NEW",
    "NO",     "NONE",     "NOTE",   "NOTICE",  "NULL",    "OF",      "OFF",     "OK",     "OLD",     "ON",
    "ONE",    "ONLINE",   "OPEN",   "OPTIONS", "OR",      "OUT",     "PANIC",   "PASS",   "PATCH",   "PAUSE",
    "PING",   "PM",       "PONG",   "POST",    "PUT",     "QA",      "QUERY",   "QUEUE",  "QUIT",    "READ",
    "READY",  "REJECT",   "RESET",  "RETRY",   "RUN",     "RUNNING", "RX",      "SELECT", "SEND",    "SENT",
    "SERVER", "SET",      "SEVERE", "SIGNAL",  "SKIP",    "SLEEP",   "SO",      "SQL",    "SSH",     "SSL",
    "START",  "STARTED",  "STAT",   "STEP",    "STOP",    "STOPPED", "SUCCESS", "SYN",    "SYNC",    "SYS",
    "SYSTEM", "TASK",     "TCP",    "TEST",    "THE",     "TIME",    "TIMEOUT", "TIMER",  "TO",      "TRACE",
    "TRC",    "TRUE",     "TX",     "UDP",     "UHR",     "UI",      "UNKNOWN", "UP",     "UPDATE",  "US",
    "USAGE",  "USER",     "VALID",  "VERB",    "VERBOSE", "VRB",     "WAIT",    "WAKE",   "WARN",    "WARNING",
    "WE",     "WRITE",    "WRN",    "YES",
});
static_assert(std::ranges::is_sorted(kWordsOfLogs, {}, &ShortWord::view));

constexpr auto kRegions = std::to_array<std::string_view>({"Africa/", "America/", "Antarctica/", "Arctic/", "Asia/",
                                                           "Atlantic/", "Australia/", "Brazil/", "Canada/", "Chile/",
                                                           "Etc/", "Europe/", "Indian/", "Mexico/", "Pacific/", "US/"});

}  // namespace

// Most words behind a time end like none of these: that is quick to see.
bool is_zone_word(std::string_view word) {
  if (word.size() < 2 || word.size() > kLongestZoneWord) return false;
  if (kLastZoneLetters.find(word.back()) == std::string_view::npos) return false;
  return std::ranges::binary_search(kZoneWords, word, {}, &ShortWord::view);
}

bool is_word_of_logs(std::string_view word) {
  return std::ranges::binary_search(kWordsOfLogs, word, {}, &ShortWord::view);
}

bool begins_like_database_zone(std::string_view text) {
  const auto is_same = [](char one, char other) { return (one | 0x20) == (other | 0x20); };
  return std::ranges::any_of(kRegions, [&](std::string_view region) {
    if (region.size() < 5) return text.starts_with(region);
    return text.size() >= region.size() && std::equal(region.begin(), region.end(), text.begin(), is_same);
  });
}

}  // namespace sortie

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

constexpr std::size_t kLongestPlace = 20;

// The last parts of the database's names, which words of other languages mostly are not. Each has a blank on both
// sides.
constexpr std::string_view kPlaces =
    " "
    "abidjan accra acre adak addis_ababa adelaide aden alaska aleutian algiers almaty amman amsterdam "
    "anadyr anchorage andorra anguilla antananarivo antigua apia aqtau aqtobe araguaina arizona aruba "
    "ashgabat ashkhabad asmara asmera astrakhan asuncion athens atikokan atka atlantic atyrau auckland "
    "azores baghdad bahia bahia_banderas bahrain bajanorte bajasur baku bamako bangkok bangui banjul "
    "barbados barnaul beirut belem belfast belgrade belize berlin bermuda beulah bishkek bissau "
    "blanc-sablon blantyre boa_vista bogota boise bougainville bratislava brazzaville brisbane "
    "broken_hill brunei brussels bucharest budapest buenos_aires bujumbura busingen cairo calcutta "
    "cambridge_bay campo_grande canary canberra cancun cape_verde caracas casablanca casey catamarca "
    "cayenne cayman central ceuta chagos chatham chicago chihuahua chisinau chita choibalsan chongqing "
    "christmas chungking chuuk ciudad_juarez cocos colombo comodrivadavia comoro conakry continental "
    "copenhagen coral_harbour cordoba costa_rica coyhaique creston cuba cuiaba curacao currie dacca "
    "dakar damascus danmarkshavn dar_es_salaam darwin davis dawson dawson_creek denoronha denver detroit "
    "dhaka dili djibouti dominica douala dubai dublin dumontdurville dushanbe east-indiana easter "
    "easterisland eastern edmonton efate egypt eire eirunepe el_aaiun el_salvador enderbury ensenada "
    "eucla factory faeroe fakaofo famagusta faroe fiji fort_nelson fort_wayne fortaleza freetown "
    "funafuti gaborone galapagos gambier gaza gb-eire gibraltar glace_bay godthab goose_bay grand_turk "
    "greenwich grenada guadalcanal guadeloupe guam guatemala guayaquil guernsey guyana halifax harare "
    "harbin havana hawaii hebron helsinki hermosillo ho_chi_minh hobart hong_kong hongkong honolulu hovd "
    "iceland indiana-starke indianapolis inuvik iqaluit iran irkutsk isle_of_man israel istanbul jakarta "
    "jamaica jan_mayen japan jayapura jersey jerusalem johannesburg johnston juba jujuy juneau kabul "
    "kaliningrad kamchatka kampala kanton karachi kashgar kathmandu katmandu kerguelen khandyga khartoum "
    "kiev kigali kinshasa kiritimati kirov knox knox_in kolkata kosrae kralendijk krasnoyarsk "
    "kuala_lumpur kuching kuwait kwajalein kyiv la_paz la_rioja lagos libreville libya lima lindeman "
    "lisbon ljubljana local lome london longyearbyen lord_howe los_angeles louisville lower_princes "
    "luanda lubumbashi lusaka luxembourg macao macau maceio macquarie madeira madrid magadan mahe majuro "
    "makassar malabo maldives malta managua manaus manila maputo marengo mariehamn marigot marquesas "
    "martinique maseru matamoros mauritius mawson mayotte mazatlan mbabane mcmurdo melbourne mendoza "
    "menominee merida metlakatla mexico_city michigan midway minsk miquelon mogadishu monaco moncton "
    "monrovia monterrey montevideo monticello montreal montserrat moscow mountain muscat nairobi nassau "
    "nauru navajo ndjamena new_salem new_york newfoundland niamey nicosia nipigon niue nome norfolk "
    "noronha nouakchott noumea novokuznetsk novosibirsk nuuk nz-chat ojinaga omsk oral oslo ouagadougou "
    "pacific pago_pago palau palmer panama pangnirtung paramaribo paris perth petersburg phnom_penh "
    "phoenix pitcairn podgorica pohnpei poland ponape pontianak port-au-prince port_moresby "
    "port_of_spain porto-novo porto_acre porto_velho portugal prague puerto_rico punta_arenas pyongyang "
    "qatar qostanay queensland qyzylorda rainy_river rangoon rankin_inlet rarotonga recife regina "
    "resolute reunion reykjavik riga rio_branco rio_gallegos riyadh rome rosario rothera saigon saipan "
    "sakhalin salta samara samarkand samoa san_juan san_luis san_marino santa_isabel santarem santiago "
    "santo_domingo sao_paulo sao_tome sarajevo saratov saskatchewan scoresbysund seoul shanghai shiprock "
    "simferopol singapore sitka skopje sofia south_georgia south_pole srednekolymsk st_barthelemy "
    "st_helena st_johns st_kitts st_lucia st_thomas st_vincent stanley stockholm swift_current sydney "
    "syowa tahiti taipei tallinn tarawa tashkent tasmania tbilisi tegucigalpa tehran tel_aviv tell_city "
    "thimbu thimphu thule thunder_bay tijuana timbuktu tirane tiraspol tokyo tomsk tongatapu toronto "
    "tortola tripoli troll truk tucuman tunis turkey uct ujung_pandang ulaanbaatar ulan_bator ulyanovsk "
    "universal urumqi ushuaia ust-nera uzhgorod vaduz vancouver vatican vevay victoria vienna vientiane "
    "vilnius vincennes virgin vladivostok volgograd vostok w-su wake wallis warsaw whitehorse winamac "
    "windhoek winnipeg yakutat yakutsk yancowinna yangon yap yekaterinburg yellowknife yerevan yukon "
    "zagreb zaporozhye zulu zurich ";

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

bool is_zone_place(std::string_view name) {
  if (name.empty() || name.size() > kLongestPlace) return false;
  std::array<char, kLongestPlace + 2> word{};
  word[0] = ' ';
  std::ranges::transform(name, word.begin() + 1, [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | 0x20) : letter;
  });
  word[name.size() + 1] = ' ';
  return kPlaces.find(std::string_view(word.data(), name.size() + 2)) != std::string_view::npos;
}

}  // namespace sortie

#include "record/time/zone_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sortie {
namespace {

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

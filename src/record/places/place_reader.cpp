#include "record/places/place_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

/// Fields of VCF up to INFO.
constexpr std::size_t kMostFields = 8;
constexpr std::size_t kReference = 3;
constexpr std::size_t kInfo = 7;

/// tabix marks columns that count from 0.
constexpr std::int32_t kFromZero = 0x10000;

struct PlaceFields {
  std::array<std::string_view, kMostFields> texts;
  std::size_t count = 0;
};

PlaceFields first_fields(std::string_view line, std::size_t wanted) {
  PlaceFields fields;
  while (fields.count < wanted) {
    const std::size_t end = line.find('\t');
    fields.texts[fields.count++] = line.substr(0, end);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return fields;
}

/// No form of an index takes a greater one.
constexpr std::int64_t kGreatestPlace = std::int64_t{1} << 40;

std::optional<std::int64_t> whole_place(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number < 0 || number > kGreatestPlace ? std::nullopt : std::optional(number);
}

std::int64_t place_in(const PlaceFields& fields, std::size_t field) {
  const std::string name = "field " + std::to_string(field + 1);
  if (field >= fields.count) throw Error("has no " + name + ", in which its place stands");
  const auto place = whole_place(fields.texts[field]);
  if (!place) throw Error("has no place in " + name + ", but " + quote_word(fields.texts[field].substr(0, 40)));
  return *place;
}

/// The number behind "END=" in the field INFO of VCF; nothing if there is none.
std::optional<std::int64_t> end_in_info(std::string_view info) {
  constexpr std::string_view kFirst = "END=";
  constexpr std::string_view kFurther = ";END=";
  if (!info.starts_with(kFirst)) {
    const std::size_t at = info.find(kFurther);
    if (at == std::string_view::npos) return std::nullopt;
    info.remove_prefix(at + 1);
  }
  info.remove_prefix(kFirst.size());
  return whole_place(info.substr(0, info.find(';')));
}

std::int64_t end_of_variant(const PlaceFields& fields, std::int64_t begin) {
  if (fields.count <= kReference) throw Error("has no field REF");
  const auto end = fields.count > kInfo ? end_in_info(fields.texts[kInfo]) : std::nullopt;
  return end && *end > begin ? *end : begin + static_cast<std::int64_t>(fields.texts[kReference].size());
}

}  // namespace

PlaceColumns place_columns(GenomeFile file) {
  switch (file) {
    case GenomeFile::kBed:
      return {kFromZero, 1, 2, 3};
    case GenomeFile::kVcf:
      return {2, 1, 2, 0};
    default:
      return {0, 1, 4, 5};
  }
}

bool lacks_place(GenomeFile file, std::string_view line) {
  if (line.empty() || line.front() == '#') return true;
  return file == GenomeFile::kBed && (line.starts_with("track") || line.starts_with("browser"));
}

Place place_of(GenomeFile file, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool is_vcf = file == GenomeFile::kVcf;
  const PlaceColumns columns = place_columns(file);
  const PlaceFields fields = first_fields(line, is_vcf ? kMostFields : static_cast<std::size_t>(columns.end));
  Place place{fields.texts[0], place_in(fields, static_cast<std::size_t>(columns.begin - 1)), 0};
  if (columns.preset != kFromZero) --place.begin;
  place.end =
      is_vcf ? end_of_variant(fields, place.begin) : place_in(fields, static_cast<std::size_t>(columns.end - 1));
  return place;
}

}  // namespace sortie

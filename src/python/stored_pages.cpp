// Headers of the pages of a Parquet column chunk: how many values the pages have, where they lie, and their checksums.
#include <libdeflate.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "python/bindings.hpp"
#include "python/thrift_bytes.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// Fields of the struct PageHeader in parquet.thrift, and values of the enum PageType.
constexpr std::int64_t kPageType = 1;
constexpr std::int64_t kPageStoredBytes = 3;
constexpr std::int64_t kPageChecksum = 4;
constexpr std::int64_t kStatistics[] = {5, 0, 0, 8};  // field of a data page's header of this type
constexpr std::int64_t kDataPage = 0;
constexpr std::int64_t kDataPageV2 = 3;

/// What the header of a page tells, which begins at `header` of its column chunk. The bytes of the page follow, from
/// `begin` to `end`.
struct StoredPage {
  std::int64_t type = -1;
  std::int64_t stored_bytes = 0;
  std::optional<std::uint32_t> checksum;     // by CRC-32, of its bytes
  std::int64_t values_in[4] = {0, 0, 0, 0};  // by type
  bool has_statistics = false;
  std::size_t header = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Reads the header at the start of `rest`, and returns its bytes.
std::size_t read_page_header(std::string_view rest, StoredPage& page) {
  constexpr std::int64_t kHeaderOfType[] = {5, 0, 0, 8};  // fields of PageHeader whose first field is the number
  ThriftBytes header(rest);
  header.each_field([&](std::int64_t number, std::uint8_t kind) {
    if (number == kPageType && kind == kI32) {
      page.type = header.integer();
    } else if (number == kPageStoredBytes && kind == kI32) {
      page.stored_bytes = header.integer();
    } else if (number == kPageChecksum && kind == kI32) {
      page.checksum = static_cast<std::uint32_t>(header.integer());
    } else if (kind == kStruct && (number == kHeaderOfType[kDataPage] || number == kHeaderOfType[kDataPageV2])) {
      const std::int64_t type = number == kHeaderOfType[kDataPage] ? kDataPage : kDataPageV2;
      header.each_field([&](std::int64_t inner, std::uint8_t inner_kind) {
        page.has_statistics |= inner == kStatistics[type];
        if (inner == 1 && inner_kind == kI32) {
          page.values_in[type] = header.integer();
        } else {
          header.skip_field(inner_kind, 2);
        }
      });
    } else {
      header.skip_field(kind, 1);
    }
  });
  return header.position();
}

/// Calls take(page) for each page of a column chunk, of all its bytes.
template <class Take>
void each_page(std::string_view chunk, const Take& take) {
  for (std::size_t at = 0; at < chunk.size();) {
    StoredPage page;
    page.header = at;
    page.begin = at + read_page_header(chunk.substr(at), page);
    if (page.stored_bytes < 0 || static_cast<std::uint64_t>(page.stored_bytes) > chunk.size() - page.begin) {
      throw nb::value_error("a page that is cut short");
    }
    page.end = at = page.begin + static_cast<std::size_t>(page.stored_bytes);
    take(page);
  }
}

std::uint64_t values_of(const StoredPage& page) {
  const bool has_values = page.type == kDataPage || page.type == kDataPageV2;
  return has_values ? static_cast<std::uint64_t>(page.values_in[page.type]) : 0;
}

/// The number of values by the headers of a column chunk's pages, of all its bytes.
std::uint64_t page_values(const nb::bytes& data) {
  std::uint64_t values = 0;
  each_page({data.c_str(), data.size()}, [&](const StoredPage& page) { values += values_of(page); });
  return values;
}

/// Whether pages are as their checksums tell.
bool are_whole(std::string_view chunk, const std::vector<StoredPage>& pages) {
  return std::ranges::all_of(pages, [&](const StoredPage& page) {
    return !page.checksum || ::libdeflate_crc32(0, chunk.data() + page.begin, page.end - page.begin) == *page.checksum;
  });
}

/// The same number, and (header, begin, end, whether its header has statistics) of each page. Raises ValueError for
/// pages that differ from their checksums.
nb::tuple stored_pages(const nb::bytes& data) {
  const std::string_view chunk(data.c_str(), data.size());
  std::uint64_t values = 0;
  std::vector<StoredPage> pages;
  each_page(chunk, [&](const StoredPage& page) {
    values += values_of(page);
    pages.push_back(page);
  });
  bool is_whole = false;
  WatchedCall::run_unwatched([&] { is_whole = are_whole(chunk, pages); });
  if (!is_whole) throw nb::value_error("a page that differs from its checksum");
  nb::list places;
  for (const StoredPage& page : pages) {
    places.append(nb::make_tuple(page.header, page.begin, page.end, page.has_statistics));
  }
  return nb::make_tuple(values, places);
}

}  // namespace

void bind_stored_pages(nb::module_& module) {
  module.def("page_values", &page_values, nb::arg("data"));
  module.def("stored_pages", &stored_pages, nb::arg("data"));
}

}  // namespace sortie::python

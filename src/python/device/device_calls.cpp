// The submodule `device` of sortie._native: sorts and merges of arrays in device memory, by addresses, for the package
// sortie.cuda, which knows whose memory they are.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "python/bindings.hpp"
#include "python/device/device_module.hpp"
#include "python/device/exchange_bindings.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

using Address = std::uint64_t;
/// Device, stream, scratch and its bytes.
using Place = std::tuple<int, Address, Address, std::size_t>;
using Sort = cuda::StatusCode (*DeviceFunctions::*)(const DeviceSort&, const DeviceCall&, DeviceMessage&);

DeviceCall call_at(const Place& place) {
  const auto [device, stream, scratch, scratch_bytes] = place;
  return {device, pointer_of(stream), pointer_of(scratch), scratch_bytes};
}

/// The number that Python has for a type, `kUint8` being 0.
cuda::KeyType key_type(unsigned number) { return static_cast<cuda::KeyType>(number); }
cuda::Order order_of(bool descending) { return descending ? cuda::Order::kDescending : cuda::Order::kAscending; }

template <Sort kSort>
void sort(const Place& place, Address source, Address keys, unsigned type, Address values, std::size_t value_bytes,
          std::uint64_t count, bool descending) {
  const DeviceSort sort{pointer_of(source), pointer_of(keys),   key_type(type), order_of(descending),
                        value_bytes,        pointer_of(values), count};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return (functions.*kSort)(sort, call_at(place), message);
  });
}

template <Sort kSort>
void bind_sort(nb::module_& device, const char* name) {
  device.def(name, &sort<kSort>, nb::arg("place"), nb::arg("source"), nb::arg("keys"), nb::arg("type"),
             nb::arg("values"), nb::arg("value_bytes"), nb::arg("count"), nb::arg("descending"));
}

void segmented_sort(const Place& place, Address source, Address keys, unsigned type, Address values,
                    std::size_t value_bytes, std::uint64_t count, Address offsets, std::uint32_t segment_count,
                    bool descending) {
  const DeviceSegmentedSort sort{{pointer_of(source), pointer_of(keys), key_type(type), order_of(descending),
                                  value_bytes, pointer_of(values), count},
                                 static_cast<const std::uint64_t*>(pointer_of(offsets)),
                                 segment_count};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.segmented_sort(sort, call_at(place), message);
  });
}

/// `value_bytes`: 8 if there are places of items in their rows, else 0.
DeviceRowSort row_sort(Address source, Address keys, unsigned type, Address places, std::size_t value_bytes,
                       std::uint64_t count, std::uint64_t row_items, bool descending) {
  return {{pointer_of(source), pointer_of(keys), key_type(type), order_of(descending), value_bytes, pointer_of(places),
           count},
          row_items};
}

void sort_rows(const Place& place, Address source, Address keys, unsigned type, Address places, std::size_t value_bytes,
               std::uint64_t count, std::uint64_t row_items, bool descending) {
  const DeviceRowSort sort = row_sort(source, keys, type, places, value_bytes, count, row_items, descending);
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.sort_rows(sort, call_at(place), message);
  });
}

/// Source, target and bytes of a row of an array.
using GatheredArray = std::tuple<Address, Address, std::size_t>;

void gather(int device, Address stream, Address positions, std::uint64_t count,
            const std::vector<GatheredArray>& given) {
  std::vector<DeviceGather> arrays;
  arrays.reserve(given.size());
  for (const auto& [source, target, row_bytes] : given) {
    arrays.push_back({pointer_of(source), pointer_of(target), row_bytes});
  }
  const DeviceCall call{device, pointer_of(stream), nullptr, 0};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.gather(static_cast<const std::uint32_t*>(pointer_of(positions)), count, arrays.data(),
                            arrays.size(), call, message);
  });
}

/// Addresses of keys and values, and how many.
using List = std::tuple<Address, Address, std::uint64_t>;

DeviceItems list_of(const List& given) {
  const auto [keys, values, count] = given;
  return {pointer_of(keys), pointer_of(values), count};
}

void merge(const Place& place, const std::vector<List>& given, unsigned type, std::size_t value_bytes, Address keys,
           Address values, bool descending) {
  std::vector<DeviceItems> lists;
  lists.reserve(given.size());
  for (const List& list : given) lists.push_back(list_of(list));
  const DeviceMerge merge{lists.data(),      static_cast<std::uint32_t>(lists.size()),
                          key_type(type),    order_of(descending),
                          value_bytes,       pointer_of(keys),
                          pointer_of(values)};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.merge(merge, call_at(place), message);
  });
}

std::uint64_t combine_sets(const Place& place, unsigned operation, const List& first, const List& second, unsigned type,
                           std::size_t value_bytes, Address keys, Address values, bool descending) {
  const DeviceSetOperation sets{static_cast<cuda::SetOperation>(operation),
                                key_type(type),
                                order_of(descending),
                                value_bytes,
                                list_of(first),
                                list_of(second),
                                pointer_of(keys),
                                pointer_of(values)};
  std::uint64_t kept_count = 0;
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.combine_sets(sets, kept_count, call_at(place), message);
  });
  return kept_count;
}

void top(const Place& place, Address keys, unsigned type, std::uint64_t count, std::uint64_t top_count,
         Address top_keys, Address top_positions, bool descending) {
  const DeviceTop top{pointer_of(keys),
                      key_type(type),
                      order_of(descending),
                      count,
                      top_count,
                      pointer_of(top_keys),
                      static_cast<std::uint64_t*>(pointer_of(top_positions))};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.top(top, call_at(place), message);
  });
}

using GivenColumns = std::vector<std::tuple<Address, unsigned, bool>>;

/// `use` gets the rows of columns that are (keys, type, whether they descend).
template <class Use>
auto with_rows(const GivenColumns& given, std::uint64_t count, const Use& use) {
  std::vector<DeviceColumn> columns;
  columns.reserve(given.size());
  for (const auto& [keys, type, descending] : given) {
    columns.push_back({pointer_of(keys), key_type(type), order_of(descending)});
  }
  return use(DeviceRows{columns.data(), columns.size(), count});
}

void lexsort(const Place& place, const GivenColumns& columns, std::uint64_t count, Address positions) {
  with_rows(columns, count, [&](const DeviceRows& rows) {
    call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
      return functions.lexsort(rows, static_cast<std::uint64_t*>(pointer_of(positions)), call_at(place), message);
    });
  });
}

void argsort_strings(const Place& place, Address bytes, Address offsets, std::size_t offset_bytes, std::uint64_t count,
                     Address positions, bool descending) {
  const DeviceStrings strings{pointer_of(bytes), pointer_of(offsets), offset_bytes, count, order_of(descending)};
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.argsort_strings(strings, static_cast<std::uint64_t*>(pointer_of(positions)), call_at(place),
                                     message);
  });
}

std::uint64_t unique(const Place& place, const List& items, unsigned type, std::size_t value_bytes, Address unique_keys,
                     Address unique_values, bool keep_last) {
  const DeviceUnique unique{list_of(items), key_type(type),          keep_last ? cuda::Keep::kLast : cuda::Keep::kFirst,
                            value_bytes,    pointer_of(unique_keys), pointer_of(unique_values)};
  std::uint64_t kept_count = 0;
  call_device([&](const DeviceFunctions& functions, DeviceMessage& message) {
    return functions.unique(unique, kept_count, call_at(place), message);
  });
  return kept_count;
}

void bind_scratch_sizes(nb::module_& device) {
  device.def(
      "sort_scratch_bytes",
      [](unsigned type, std::size_t value_bytes, std::uint64_t count) {
        return device_functions().sort_scratch_bytes(key_type(type), value_bytes, count);
      },
      nb::arg("type"), nb::arg("value_bytes"), nb::arg("count"));
  device.def(
      "argsort_scratch_bytes",
      [](unsigned type, std::size_t position_bytes, std::uint64_t count) {
        return device_functions().argsort_scratch_bytes(key_type(type), position_bytes, count);
      },
      nb::arg("type"), nb::arg("position_bytes"), nb::arg("count"));
  device.def(
      "sort_with_positions_scratch_bytes",
      [](unsigned type, std::size_t position_bytes, std::uint64_t count) {
        return device_functions().sort_with_positions_scratch_bytes(key_type(type), position_bytes, count);
      },
      nb::arg("type"), nb::arg("position_bytes"), nb::arg("count"));
  device.def(
      "row_sort_scratch_bytes",
      [](unsigned type, std::size_t value_bytes, std::uint64_t count, std::uint64_t row_items) {
        return device_functions().row_sort_scratch_bytes(row_sort(0, 0, type, 0, value_bytes, count, row_items, false));
      },
      nb::arg("type"), nb::arg("value_bytes"), nb::arg("count"), nb::arg("row_items"));
  device.def(
      "segmented_sort_scratch_bytes",
      [](unsigned type, std::size_t value_bytes, std::uint64_t count) {
        return device_functions().segmented_sort_scratch_bytes(key_type(type), value_bytes, count);
      },
      nb::arg("type"), nb::arg("value_bytes"), nb::arg("count"));
  device.def(
      "set_scratch_bytes",
      [](unsigned operation, unsigned type, std::uint64_t count) {
        return device_functions().set_scratch_bytes(static_cast<cuda::SetOperation>(operation), key_type(type), count);
      },
      nb::arg("operation"), nb::arg("type"), nb::arg("count"));
  device.def(
      "merge_scratch_bytes",
      [](unsigned type, std::size_t value_bytes, std::uint64_t count, std::uint32_t list_count) {
        return device_functions().merge_scratch_bytes(key_type(type), value_bytes, count, list_count);
      },
      nb::arg("type"), nb::arg("value_bytes"), nb::arg("count"), nb::arg("list_count"));
  device.def(
      "top_scratch_bytes",
      [](unsigned type, std::uint64_t count, std::uint64_t top_count) {
        return device_functions().top_scratch_bytes(key_type(type), count, top_count);
      },
      nb::arg("type"), nb::arg("count"), nb::arg("top_count"));
  device.def(
      "lexsort_scratch_bytes",
      [](const GivenColumns& columns, std::uint64_t count) {
        return with_rows(columns, count,
                         [](const DeviceRows& rows) { return device_functions().lexsort_scratch_bytes(rows); });
      },
      nb::arg("columns"), nb::arg("count"));
  device.def(
      "argsort_strings_scratch_bytes",
      [](std::size_t offset_bytes, std::uint64_t count) {
        return device_functions().argsort_strings_scratch_bytes(offset_bytes, count);
      },
      nb::arg("offset_bytes"), nb::arg("count"));
  device.def(
      "unique_scratch_bytes",
      [](unsigned type, std::size_t value_bytes, std::uint64_t count) {
        return device_functions().unique_scratch_bytes(key_type(type), value_bytes, count);
      },
      nb::arg("type"), nb::arg("value_bytes"), nb::arg("count"));
}

}  // namespace

void bind_device(nb::module_& module) {
  nb::module_ device = module.def_submodule("device");
  bind_exchange(device);
  bind_tensor_door(device);
  bind_scratch_sizes(device);
  bind_sort<&DeviceFunctions::sort>(device, "sort");
  bind_sort<&DeviceFunctions::sort_with_positions>(device, "sort_with_positions");
  bind_sort<&DeviceFunctions::argsort>(device, "argsort");
  device.def("segmented_sort", &segmented_sort, nb::arg("place"), nb::arg("source"), nb::arg("keys"), nb::arg("type"),
             nb::arg("values"), nb::arg("value_bytes"), nb::arg("count"), nb::arg("offsets"), nb::arg("segment_count"),
             nb::arg("descending"));
  device.def("sort_rows", &sort_rows, nb::arg("place"), nb::arg("source"), nb::arg("keys"), nb::arg("type"),
             nb::arg("places"), nb::arg("value_bytes"), nb::arg("count"), nb::arg("row_items"), nb::arg("descending"));
  device.def("gather", &gather, nb::arg("device"), nb::arg("stream"), nb::arg("positions"), nb::arg("count"),
             nb::arg("arrays"));
  device.def("combine_sets", &combine_sets, nb::arg("place"), nb::arg("operation"), nb::arg("first"), nb::arg("second"),
             nb::arg("type"), nb::arg("value_bytes"), nb::arg("keys"), nb::arg("values"), nb::arg("descending"));
  device.def("merge", &merge, nb::arg("place"), nb::arg("lists"), nb::arg("type"), nb::arg("value_bytes"),
             nb::arg("keys"), nb::arg("values"), nb::arg("descending"));
  device.def("top", &top, nb::arg("place"), nb::arg("keys"), nb::arg("type"), nb::arg("count"), nb::arg("top_count"),
             nb::arg("top_keys"), nb::arg("top_positions"), nb::arg("descending"));
  device.def("lexsort", &lexsort, nb::arg("place"), nb::arg("columns"), nb::arg("count"), nb::arg("positions"));
  device.def("argsort_strings", &argsort_strings, nb::arg("place"), nb::arg("bytes"), nb::arg("offsets"),
             nb::arg("offset_bytes"), nb::arg("count"), nb::arg("positions"), nb::arg("descending"));
  device.def("unique", &unique, nb::arg("place"), nb::arg("items"), nb::arg("type"), nb::arg("value_bytes"),
             nb::arg("unique_keys"), nb::arg("unique_values"), nb::arg("keep_last"));
}

}  // namespace sortie::python

// What sortie.cluster takes from the lower layers: checksums by which it finds out whether files are still those that
// were written, a way to put a complete file in place, what this machine leaves to the process, and what all shards
// assumed.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/byte_checksum.hpp>
#include <sortie/shard.hpp>

#include "python/arrays/number_buffer.hpp"
#include "python/bindings.hpp"
#include "python/object_value.hpp"
#include "python/raise_errors.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

void add_to(ByteChecksum& checksum, nb::handle bytes) {
  const HeldBuffer held(bytes, PyBUF_SIMPLE);
  const nb::gil_scoped_release unlocked;
  checksum.add(held.bytes());
}

/// `parts`: dicts, as the command writes them in JSON.
nb::list totals_of(const nb::iterable& parts, std::uint64_t records) {
  std::vector<ShardAssumption> given;
  for (const nb::handle part : parts) {
    const auto text = [&](const char* name) { return nb::cast<std::string>(part[name]); };
    given.push_back({text("kind"), text("subject"), text("some"), text("all"), nb::cast<bool>(part["only_if_all"]),
                     nb::cast<std::uint64_t>(part["count"]), nb::cast<std::uint64_t>(part["of"]), text("first_place"),
                     text("only_with")});
  }
  nb::list totals;
  for (const Assumption& total : total_assumptions(given, records)) totals.append(assumption_object(total));
  return totals;
}

bool put_file_in_place(nb::handle source, nb::handle target) {
  const std::string from = ObjectValue("source", source).as_path();
  const std::string to = ObjectValue("target", target).as_path();
  const nb::gil_scoped_release unlocked;
  return put_in_place(from, to);
}

}  // namespace

void bind_cluster(nb::module_& module) {
  nb::class_<ByteChecksum>(module, "ByteChecksum")
      .def(nb::init<>())
      .def("add", &add_to, nb::arg("bytes"))
      .def("value", [](const ByteChecksum& checksum) { return to_string(checksum.value()); });
  module.def("put_in_place", &put_file_in_place, nb::arg("source"), nb::arg("target"));
  module.def("total_assumptions", &totals_of, nb::arg("parts"), nb::arg("records"));
  // (bytes of memory, threads)
  module.def(
      "machine_share",
      [](const std::string& root) {
        const MachineShare share = machine_share(root);
        return nb::make_tuple(share.memory_bytes, share.threads);
      },
      nb::arg("root") = std::string());
}

}  // namespace sortie::python

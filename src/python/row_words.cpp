// Words behind the columns of rows, for sortie/columns/row_words.py and sortie/curves/: keys of curves and of shuffles;
// and boxes of geometries. Columns come in capsules of the Arrow C data interface, and what is made of them are bytes.
#include <sortie/curve_keys.hpp>
#include <sortie/format.hpp>
#include <sortie/shuffle_keys.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// Bytes of Python that are still to be written.
nb::object new_bytes(std::size_t size, char*& content) {
  nb::object made = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!made.is_valid()) throw nb::python_error();
  content = PyBytes_AsString(made.ptr());
  return made;
}

/// An array that came as (schema, array).
struct GivenArray {
  ArrowSchema& schema;
  ArrowOwner<ArrowArray> array;

  explicit GivenArray(nb::handle pair)
      : schema(struct_in<ArrowSchema>(nb::object(pair[0]))), array(struct_in<ArrowArray>(nb::object(pair[1]))) {}
};

/// The words of a key of all rows as bytes: one object for each word, still to be written at `words`.
nb::list new_words(std::size_t count, std::size_t rows, std::vector<std::uint64_t*>& words) {
  nb::list made;
  for (std::size_t i = 0; i < count; ++i) {
    char* content = nullptr;
    made.append(new_bytes(rows * sizeof(std::uint64_t), content));
    words.push_back(reinterpret_cast<std::uint64_t*>(content));
  }
  return made;
}

class KeysOfCurve {
 public:
  KeysOfCurve(const std::string& curve, const nb::list& columns, unsigned threads)
      : keys_(curve == "hilbert" ? Curve::kHilbert : Curve::kZ, threads) {
    for (const nb::handle column : columns) {
      const GivenArray bounds{nb::object(column[0])};
      keys_.add_column(bounds.schema, *bounds.array,
                       {.by_rank = nb::cast<bool>(nb::object(column[1])),
                        .descending = nb::cast<bool>(nb::object(column[2])),
                        .nulls_first = nb::cast<bool>(nb::object(column[3]))});
    }
  }

  std::size_t words() const { return keys_.words(); }

  /// As new_words() makes them.
  nb::list of(const nb::list& columns) {
    std::deque<GivenArray> given;
    for (const nb::handle column : columns) given.emplace_back(column);
    std::vector<const ArrowArray*> arrays;
    for (std::size_t i = 0; i < given.size(); ++i) {
      keys_.require_type(i, given[i].schema);
      arrays.push_back(given[i].array.get());
    }
    const auto rows = static_cast<std::size_t>(arrays.at(0)->length);
    std::vector<std::uint64_t*> words;
    nb::list made = new_words(keys_.words(), rows, words);
    WatchedCall::run_unwatched([&] { keys_.write(arrays, words); });
    return made;
  }

 private:
  CurveKeys keys_;
};

class KeysOfShuffle {
 public:
  static constexpr std::size_t kWords = 2;

  explicit KeysOfShuffle(const std::optional<std::string>& seed)
      : keys_(seed ? std::optional(seed_of_text(*seed)) : std::nullopt) {}

  /// As new_words() makes them, of rows whose numbers follow one another.
  nb::list of(std::uint64_t first_number, std::size_t rows) const {
    std::vector<std::uint64_t*> words;
    nb::list made = new_words(kWords, rows, words);
    WatchedCall::run_unwatched([&] { keys_.write_words(first_number, {words[0], rows}, {words[1], rows}); });
    return made;
  }

 private:
  ShuffleKeys keys_;
};

/// ([xmin, ymin, xmax, ymax] as bytes of doubles, bytes that are 1 where there is a box), or (row, reason) of a
/// geometry that is damaged.
nb::tuple boxes(nb::handle geometries) {
  const GivenArray given(geometries);
  const auto rows = static_cast<std::size_t>((*given.array).length);
  BoxColumns columns{};
  nb::list bounds;
  char* content = nullptr;
  for (double*& bound : columns.bounds) {
    bounds.append(new_bytes(rows * sizeof(double), content));
    bound = reinterpret_cast<double*>(content);
  }
  nb::object valid = new_bytes(rows, content);
  columns.valid = reinterpret_cast<std::uint8_t*>(content);
  std::optional<DamagedGeometry> damaged;
  WatchedCall::run_unwatched([&] { damaged = write_boxes(*given.array, columns); });
  if (damaged) return nb::make_tuple(damaged->row, damaged->reason);
  return nb::make_tuple(bounds, valid);
}

}  // namespace

void bind_row_words(nb::module_& module) {
  nb::class_<KeysOfCurve>(module, "CurveKeys")
      .def(nb::init<const std::string&, const nb::list&, unsigned>(), nb::arg("curve"), nb::arg("columns"),
           nb::arg("threads"))
      .def_prop_ro("words", &KeysOfCurve::words)
      .def("of", &KeysOfCurve::of, nb::arg("columns"));
  nb::class_<KeysOfShuffle>(module, "ShuffleKeys")
      .def(nb::init<const std::optional<std::string>&>(), nb::arg("seed").none())
      .def_ro_static("words", &KeysOfShuffle::kWords)
      .def("of", &KeysOfShuffle::of, nb::arg("first_number"), nb::arg("rows"));
  module.def("geometry_boxes", &boxes, nb::arg("geometries"));
}

}  // namespace sortie::python

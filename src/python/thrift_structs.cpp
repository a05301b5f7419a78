// Thrift's compact protocol for sortie._thrift, which says what the values look like: a footer of thousands of row groups has a million of
// them, too many for Python's own loops.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/bindings.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

enum ThriftKind : std::uint8_t { kTrue = 1, kFalse, kByte, kI16, kI32, kI64, kDouble, kBinary, kList, kSet, kStruct = 12 };

constexpr std::size_t kDoubleBytes = 8;
// Footers have less than ten levels; damage may have as many as it has bytes.
constexpr int kMostThriftLevels = 64;
constexpr std::uint8_t kLongList = 15;

nb::object valid(PyObject* made) {
  if (made == nullptr) nb::raise_python_error();
  return nb::steal(made);
}

nb::object pair_of(const nb::object& first, const nb::object& second) {
  return valid(PyTuple_Pack(2, first.ptr(), second.ptr()));
}

nb::object number_object(std::int64_t number) { return valid(PyLong_FromLongLong(number)); }

/// The collector looks at all that has been made again and again, and finds nothing. Needs the GIL all the time.
class NoCollection {
 public:
  NoCollection() : was_on_(PyGC_Disable() != 0) {}
  ~NoCollection() {
    if (was_on_) PyGC_Enable();
  }
  NoCollection(const NoCollection&) = delete;
  NoCollection& operator=(const NoCollection&) = delete;

 private:
  bool was_on_;
};

class ThriftReader {
 public:
  /// kept: the field of the outermost struct whose list has structs that stay bytes.
  ThriftReader(std::string_view data, std::int64_t kept) : data_(data), kept_(kept) {}

  nb::object value(std::uint8_t kind, int level) {
    refuse_depth(level);
    switch (kind) {
      case kI16:
      case kI32:
      case kI64: return number_object(integer());
      case kTrue:
      case kFalse:
      case kByte: return number_object(byte());
      case kDouble: return bytes(kDoubleBytes);
      case kBinary: return bytes(varint());
      case kStruct: return fields(level);
      case kList:
      case kSet: return list(level, false);
      default: refuse_kind(kind);
    }
  }

 private:
  static void refuse_depth(int level) {
    if (level > kMostThriftLevels) throw nb::value_error("a footer with too many levels");
  }

  [[noreturn]] static void refuse_kind(std::uint8_t kind) {
    throw nb::value_error(("a footer with a value of type " + std::to_string(kind)).c_str());
  }

  void require(std::uint64_t count) const {
    if (count > data_.size() - at_) throw nb::value_error("a footer that is cut short");
  }

  std::uint8_t byte() {
    require(1);
    return static_cast<std::uint8_t>(data_[at_++]);
  }

  nb::object bytes(std::uint64_t count) {
    require(count);
    const std::string_view taken = data_.substr(at_, count);
    at_ += count;
    return valid(PyBytes_FromStringAndSize(taken.data(), static_cast<Py_ssize_t>(taken.size())));
  }

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < std::numeric_limits<std::uint64_t>::digits; shift += 7) {
      const std::uint8_t next = byte();
      number |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return number;
    }
    throw nb::value_error("a footer with a number of more than 64 bits");
  }

  std::int64_t integer() {
    const std::uint64_t number = varint();
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
  }

  /// Calls take(number, kind) at the value of each field. The type of a bool is its value.
  template <class Take>
  void each_field(const Take& take) {
    std::int64_t number = 0;
    while (const std::uint8_t header = byte()) {
      const std::int64_t step = header >> 4;
      number = step == 0 ? integer() : number + step;
      if (number != static_cast<std::int16_t>(number)) throw nb::value_error("a footer with a field out of range");
      take(number, static_cast<std::uint8_t>(header & 15U));
    }
  }

  nb::object fields(int level) {
    nb::object made = valid(PyDict_New());
    each_field([&](std::int64_t number, std::uint8_t kind) {
      const bool is_kept = level == 0 && number == kept_;
      const nb::object held = kind == kTrue || kind == kFalse ? nb::none()
                              : is_kept && kind == kList      ? list(level + 1, true)
                                                              : value(kind, level + 1);
      if (PyDict_SetItem(made.ptr(), number_object(number).ptr(), pair_of(number_object(kind), held).ptr()) != 0) {
        nb::raise_python_error();
      }
    });
    return made;
  }

  /// The kind of the items, and their number. Each takes a byte at least, so that a damaged number ends with the data.
  std::pair<std::uint8_t, std::uint64_t> list_header() {
    const std::uint8_t header = byte();
    const std::uint64_t count = header >> 4 < kLongList ? header >> 4 : varint();
    return {static_cast<std::uint8_t>(header & 15U), count};
  }

  nb::object list(int level, bool is_kept) {
    const auto [kind, count] = list_header();
    nb::object made = valid(PyList_New(0));
    for (std::uint64_t item = 0; item < count; ++item) {
      const nb::object held = is_kept && kind == kStruct ? struct_bytes(level + 1) : value(kind, level + 1);
      if (PyList_Append(made.ptr(), held.ptr()) != 0) nb::raise_python_error();
    }
    return pair_of(number_object(kind), made);
  }

  nb::object struct_bytes(int level) {
    const std::size_t begin = at_;
    skip(kStruct, level);
    const std::size_t size = at_ - begin;
    at_ = begin;
    return bytes(size);
  }

  void skip(std::uint8_t kind, int level) {
    refuse_depth(level);
    switch (kind) {
      case kI16:
      case kI32:
      case kI64: varint(); break;
      case kTrue:
      case kFalse:
      case kByte: byte(); break;
      case kDouble: skip_bytes(kDoubleBytes); break;
      case kBinary: skip_bytes(varint()); break;
      case kStruct:
        each_field([&](std::int64_t, std::uint8_t held) {
          if (held != kTrue && held != kFalse) skip(held, level + 1);
        });
        break;
      case kList:
      case kSet: {
        const auto [held, count] = list_header();
        for (std::uint64_t item = 0; item < count; ++item) skip(held, level + 1);
        break;
      }
      default: refuse_kind(kind);
    }
  }

  void skip_bytes(std::uint64_t count) {
    require(count);
    at_ += count;
  }

  std::string_view data_;
  std::int64_t kept_;
  std::size_t at_ = 0;
};

class ThriftWriter {
 public:
  void write(std::uint8_t kind, nb::handle value) {
    switch (kind) {
      case kI16:
      case kI32:
      case kI64: write_integer(integer_of(value)); break;
      case kTrue:
      case kFalse:
      case kByte: out_.push_back(static_cast<char>(integer_of(value))); break;
      case kDouble: append(value); break;
      case kBinary:
        write_varint(static_cast<std::uint64_t>(nb::len(value)));
        append(value);
        break;
      case kStruct: PyBytes_Check(value.ptr()) != 0 ? append(value) : write_fields(value); break;
      default: write_list(value);
    }
  }

  nb::object bytes() const { return valid(PyBytes_FromStringAndSize(out_.data(), static_cast<Py_ssize_t>(out_.size()))); }

 private:
  struct Field {
    std::int64_t number;
    std::uint8_t kind;
    nb::handle value;  // of the tuple in the dict
  };

  static std::int64_t integer_of(nb::handle value) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return number;
  }

  /// Borrowed from a pair, which stays as it is while this runs.
  static nb::handle item(nb::handle pair, Py_ssize_t index) {
    PyObject* found = PyTuple_GetItem(pair.ptr(), index);
    if (found == nullptr) nb::raise_python_error();
    return found;
  }

  static std::uint8_t kind_in(nb::handle pair) { return static_cast<std::uint8_t>(integer_of(item(pair, 0))); }

  void append(nb::handle value) {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(value.ptr(), &data, &size) != 0) nb::raise_python_error();
    out_.append(data, static_cast<std::size_t>(size));
  }

  void write_varint(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) out_.push_back(static_cast<char>((number & 0x7f) | 0x80));
    out_.push_back(static_cast<char>(number));
  }

  void write_integer(std::int64_t number) {
    write_varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63));
  }

  void write_fields(nb::handle dict) {
    if (PyDict_Check(dict.ptr()) == 0) throw nb::type_error("a struct is a dict");
    std::vector<Field> fields;
    PyObject* key = nullptr;
    PyObject* pair = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &pair) != 0;) {
      fields.push_back({integer_of(key), kind_in(pair), item(pair, 1)});
    }
    std::ranges::sort(fields, {}, &Field::number);
    std::int64_t last = 0;
    for (const Field& field : fields) {
      const std::int64_t step = field.number - last;
      if (step > 0 && step < 16) {
        out_.push_back(static_cast<char>(static_cast<unsigned>(step) << 4 | field.kind));
      } else {
        out_.push_back(static_cast<char>(field.kind));
        write_integer(field.number);
      }
      if (field.kind != kTrue && field.kind != kFalse) write(field.kind, field.value);
      last = field.number;
    }
    out_.push_back('\0');
  }

  void write_list(nb::handle pair) {
    const std::uint8_t kind = kind_in(pair);
    const nb::handle list = item(pair, 1);
    const Py_ssize_t count = PyList_Size(list.ptr());
    if (count < 0) nb::raise_python_error();
    out_.push_back(static_cast<char>(std::min<Py_ssize_t>(count, kLongList) << 4 | kind));
    if (count >= kLongList) write_varint(static_cast<std::uint64_t>(count));
    for (Py_ssize_t number = 0; number < count; ++number) write(kind, PyList_GetItem(list.ptr(), number));
  }

  std::string out_;
};

nb::object read_thrift(const nb::bytes& data, std::int64_t kept) {
  const NoCollection no_collection;
  return ThriftReader({data.c_str(), data.size()}, kept).value(kStruct, 0);
}

nb::object thrift_bytes(const nb::dict& fields) {
  ThriftWriter writer;
  writer.write(kStruct, fields);
  return writer.bytes();
}

}  // namespace

void bind_thrift(nb::module_& module) {
  module.def("read_thrift", &read_thrift, nb::arg("data"), nb::arg("kept"));
  module.def("thrift_bytes", &thrift_bytes, nb::arg("fields"));
}

}  // namespace sortie::python

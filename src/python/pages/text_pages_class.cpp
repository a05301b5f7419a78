// Columns of texts as data pages of Parquet, into memory that is given: parquet/text_stretch.py calls it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "python/arrays/number_buffer.hpp"
#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/pages/text_pages.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

nb::object bytes_or_none(const std::optional<std::string_view>& text) {
  return text ? nb::object(nb::bytes(text->data(), text->size())) : nb::none();
}

/// What threads that encode at once use again. Any thread may call it.
class TextPages {
 public:
  /// `arrays`: of one type of texts or bytes, as __arrow_c_array__() gives them. `target`: of a buffer that can be
  /// written to. Returns (stored bytes, unpacked bytes, bytes of texts, rows, nulls, pages, least, greatest), None if
  /// there is too little room.
  nb::object write(const nb::list& arrays, bool may_be_null, std::optional<int> level, std::size_t page_bytes,
                   nb::handle target) {
    std::vector<ArrowOwner<ArrowArray>> owned;
    std::vector<TextArray> texts;
    for (const nb::handle given : arrays) {
      const auto capsules = nb::cast<nb::tuple>(given);
      const std::string_view format = struct_in<ArrowSchema>(capsules[0]).format;
      if (format != "u" && format != "z" && format != "U" && format != "Z") raise_value_error("a column without texts");
      owned.emplace_back(struct_in<ArrowArray>(capsules[1]));
      texts.push_back({nullptr, format == "U" || format == "Z"});
    }
    for (std::size_t i = 0; i < owned.size(); ++i) texts[i].array = owned[i].get();
    const HeldBuffer buffer(target, PyBUF_WRITABLE);
    std::optional<TextPagesTold> told;
    // The threads that call it are daemons, which the exit of the interpreter must not tear out of here.
    WatchedCall::run_unwatched([&] {
      std::unique_ptr<TextPageWriter> writer = take();
      told = writer->write(texts, {may_be_null, level, page_bytes}, buffer.bytes());
      give_back(std::move(writer));
    });
    if (!told) return nb::none();
    return nb::make_tuple(told->stored_bytes, told->unpacked_bytes, told->text_bytes, told->rows, told->nulls,
                          told->pages, bytes_or_none(told->least), bytes_or_none(told->greatest));
  }

 private:
  std::unique_ptr<TextPageWriter> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return std::make_unique<TextPageWriter>();
    std::unique_ptr<TextPageWriter> writer = std::move(free_.back());
    free_.pop_back();
    return writer;
  }

  void give_back(std::unique_ptr<TextPageWriter> writer) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(writer));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<TextPageWriter>> free_;
};

}  // namespace

void bind_text_pages(nb::module_& module) {
  nb::class_<TextPages>(module, "TextPages")
      .def(nb::init<>())
      .def("write", &TextPages::write, nb::arg("arrays"), nb::arg("may_be_null"), nb::arg("level").none(),
           nb::arg("page_bytes"), nb::arg("target"));
}

}  // namespace sortie::python

#include "tools/gen/record_source.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::tools {

std::unique_ptr<RecordSource> make_record_source(const DataSet& data_set) {
  if (data_set.ascii && data_set.kind != "gensort") throw Error("-a is for gensort records; leave it out");
  if (data_set.kind == "gensort") return make_gensort_source(data_set);
  if (data_set.kind == "lines") return make_line_source(data_set);
  if (data_set.kind == "prefixed") return make_prefixed_source(data_set);
  if (data_set.kind == "log") return make_log_source(data_set);
  if (auto numbers = make_number_source(data_set)) return numbers;
  throw Error("unknown kind '" + escape_unprintable(data_set.kind) +
              "'; known: gensort, lines, log, prefixed, u32, i32, u64, i64, f32, f64");
}

}  // namespace sortie::tools

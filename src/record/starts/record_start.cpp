#include <sortie/record_start.hpp>

#include <re2/re2.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {
namespace {

re2::RE2::Options quiet_options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

struct RecordStart::Compiled {
  explicit Compiled(const std::string& pattern) : text(pattern), expression(pattern, quiet_options()) {}

  std::string text;
  re2::RE2 expression;
};

RecordStart::RecordStart(const std::string& pattern) : compiled_(std::make_shared<const Compiled>(pattern)) {
  if (!compiled_->expression.ok()) {
    throw Error("regular expression " + quote_word(pattern) + ": " + compiled_->expression.error());
  }
}

RecordStart::RecordStart(const RecordStart& other) = default;
RecordStart::RecordStart(RecordStart&& other) noexcept = default;
RecordStart& RecordStart::operator=(const RecordStart& other) = default;
RecordStart& RecordStart::operator=(RecordStart&& other) noexcept = default;
RecordStart::~RecordStart() = default;

const std::string& RecordStart::pattern() const {
  static const std::string none;
  return compiled_ ? compiled_->text : none;
}

bool RecordStart::matches(std::string_view line) const {
  return re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), compiled_->expression);
}

}  // namespace sortie

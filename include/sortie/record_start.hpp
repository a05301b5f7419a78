// Where records of several lines begin: at each line that a regular expression matches. For logs, in which a stack
// trace follows its line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sortie {

/// A value that is cheap to copy; safe to use from many threads.
class RecordStart {
 public:
  /// What the expression sees a line as.
  enum class Characters : std::uint8_t {
    kUtf8,   ///< UTF-8; a line that is not valid in it may match byte by byte as well
    kBytes,  ///< bytes, as in "C" and where each is a character
  };

  /// No line begins a record of several lines: each line is a record.
  RecordStart() = default;
  /// `pattern`: a regular expression as RE2 has it, which need not match the whole line. Takes time linear in the
  /// length of a line, whatever the pattern. Throws Error if it is none.
  explicit RecordStart(const std::string& pattern, Characters characters = Characters::kUtf8);
  RecordStart(const RecordStart& other);
  RecordStart(RecordStart&& other) noexcept;
  RecordStart& operator=(const RecordStart& other);
  RecordStart& operator=(RecordStart&& other) noexcept;
  ~RecordStart();

  explicit operator bool() const { return compiled_ != nullptr; }
  /// Empty if there is none.
  const std::string& pattern() const;
  Characters characters() const;

  /// Whether `line`, without its end, begins a record. Precondition: there is a pattern.
  bool matches(std::string_view line) const;

  friend bool operator==(const RecordStart& a, const RecordStart& b) {
    return a.pattern() == b.pattern() && a.characters() == b.characters();
  }

 private:
  struct Compiled;

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace sortie

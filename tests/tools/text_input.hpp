// An Input that reads from a string, for the tests of code that reads inputs.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "io/input/input.hpp"

namespace sortie::tools {

class TextInput : public Input {
 public:
  explicit TextInput(std::string text) : text_(std::move(text)) {}

  const std::string& path() const override { return path_; }

  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = std::min(target.size(), text_.size() - done_);
    std::memcpy(target.data(), text_.data() + done_, bytes);
    done_ += bytes;
    return bytes;
  }

  std::optional<std::uint64_t> size() const override { return text_.size(); }

 private:
  const std::string path_ = "text";
  std::string text_;
  std::size_t done_ = 0;
};

}  // namespace sortie::tools

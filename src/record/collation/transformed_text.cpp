#include "record/collation/transformed_text.hpp"

#include <cstddef>
#include <cstring>

namespace sortie {

void append_transformed_piece(const std::string& text, std::string& out) {
  constexpr std::size_t kUsualGrowth = 8;  // four levels, the last with three bytes a letter
  const std::size_t begin = out.size();
  std::size_t room = kUsualGrowth * text.size() + 16;
  out.resize(begin + room);
  std::size_t length = std::strxfrm(out.data() + begin, text.c_str(), room);
  if (length >= room) {
    room = length + 1;
    out.resize(begin + room);
    length = std::strxfrm(out.data() + begin, text.c_str(), room);
  }
  out.resize(begin + length);
}

void append_transformed(std::string_view text, std::string& out) {
  std::string terminated;
  for_each_piece(text, [&](std::string_view piece) {
    append_transformed_piece(terminated.assign(piece), out);
    out.push_back('\0');
  });
}

}  // namespace sortie

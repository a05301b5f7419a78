#include "record/text/random_key.hpp"

#include <boost/uuid/detail/md5.hpp>

namespace sortie {

void append_random_key(std::string_view key_bytes, const std::array<std::byte, 16>& seed, std::string& out) {
  boost::uuids::detail::md5 hash;
  hash.process_bytes(seed.data(), seed.size());
  hash.process_bytes(key_bytes.data(), key_bytes.size());
  boost::uuids::detail::md5::digest_type digest;
  hash.get_digest(digest);
  for (const auto word : digest) {  // the first byte of the digest is the highest of the first word
    for (std::size_t shift = 8 * sizeof word; shift > 0;) {
      shift -= 8;
      out.push_back(static_cast<char>(word >> shift & 0xff));
    }
  }
  out.append(key_bytes);
}

}  // namespace sortie

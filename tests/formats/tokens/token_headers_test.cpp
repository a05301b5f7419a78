// Headers of token files are read as NumPy and Megatron write them, and what is damaged is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <stdexcept>

#include <sortie/error.hpp>

#include "formats/tokens/megatron_index.hpp"
#include "formats/tokens/npy_header.hpp"
#include "formats/tokens/token_bytes.hpp"
#include "support/memory_file_system.hpp"

namespace sortie {
namespace {

namespace tokens = formats::tokens;
using test::megatron_index;
using testing::ElementsAre;
using testing::HasSubstr;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string npy(const std::string& dictionary, char version = 1) {
  std::string text = "\x93NUMPY" + std::string({version, '\0'});
  text += {static_cast<char>(dictionary.size()), static_cast<char>(dictionary.size() >> 8)};
  if (version > 1) text += std::string(2, '\0');
  return text + dictionary;
}

std::string npy_refusal(const std::string& file) {
  try {
    tokens::read_npy_header(bytes_of(file), file.size(), "x.npy");
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  const std::string text = npy("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }      \n") + "aabbcc";
  const tokens::NpyHeader header = tokens::read_npy_header(bytes_of(text), text.size(), "x.npy");
  EXPECT_EQ(header.type->name, "u16");
  EXPECT_EQ(header.rows, 3U);
  EXPECT_FALSE(header.columns);
  EXPECT_EQ(header.header_bytes, text.size() - 6);
  const std::string rows = npy("{'descr':'<i4','fortran_order':False,'shape':(2, 1)}\n", 2) + "aaaabbbb";
  EXPECT_EQ(tokens::read_npy_header(bytes_of(rows), rows.size(), "x.npy").columns, 1U);
}

TEST(NpyHeader, ItsTextIsReadBack) {
  for (const tokens::TokenType& type : tokens::token_types()) {
    for (const std::optional<std::uint64_t> columns :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
      const std::string text = tokens::npy_header_text({.type = &type, .rows = 123456789, .columns = columns});
      EXPECT_EQ(text.size() % 64, 0U);
      const std::uint64_t bytes = text.size() + 123456789 * columns.value_or(1) * type.bytes;
      const tokens::NpyHeader header = tokens::read_npy_header(bytes_of(text), bytes, "x.npy");
      EXPECT_EQ(header.type, &type);
      EXPECT_EQ(header.rows, 123456789U);
      EXPECT_EQ(header.columns, columns);
      EXPECT_EQ(header.header_bytes, text.size());
    }
  }
}

TEST(NpyHeader, RefusesOthers) {
  EXPECT_THAT(npy_refusal("PK\3\4"), HasSubstr("no .npy file"));
  EXPECT_THAT(npy_refusal(npy("{}", 9)), HasSubstr("version 9"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}")), HasSubstr("of type '<f4'"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '>u2', 'fortran_order': False, 'shape': (3,)}")), HasSubstr("of type '>u2'"));
  EXPECT_THAT(npy_refusal(npy("{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (3,)}")),
              HasSubstr("fields"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<u2', 'fortran_order': True, 'shape': (3, 4)}")), HasSubstr("by columns"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4, 5)}")),
              HasSubstr("two dimensions"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<u2', 'fortran_order': False, 'shape': ()}")), HasSubstr("single number"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (3,)}") + "aabb"),
              HasSubstr("says 6 bytes of numbers, but it has 4"));
  EXPECT_THAT(npy_refusal(npy("{'descr': '<u8', 'fortran_order': False, 'shape': (9223372036854775807, 9)}")),
              HasSubstr("says too many bytes"));
  for (const char* damaged :
       {"", "{", "{'descr'", "{'descr': '<u2'}", "{'descr': '<u2', 'fortran_order': No, 'shape': (3,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (x,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (3,)} more", "{'other': '<u2'}"}) {
    EXPECT_THAT(npy_refusal(npy(damaged)), HasSubstr("is damaged")) << damaged;
  }
  std::string longer = npy("{}");
  longer[8] = '\x7f';
  EXPECT_THAT(npy_refusal(longer), HasSubstr("is damaged"));
}

std::unique_ptr<File> file_of(const std::string& contents) {
  return std::make_unique<test::MemoryFile>("x.idx", std::make_shared<std::string>(contents));
}

std::string index_refusal(const std::string& contents, std::uint64_t token_bytes) {
  try {
    tokens::MegatronIndex index(file_of(contents), token_bytes);
    while (index.next()) {
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(MegatronIndex, TellsDocumentsAndTheirSequences) {
  tokens::MegatronIndex index(file_of(megatron_index(8, 2, {{3, 1}, {}, {2}})), 12);
  EXPECT_EQ(index.type().name, "u16");
  const auto first = index.next();
  EXPECT_EQ(first->begin, 0U);
  EXPECT_EQ(first->bytes, 8U);
  EXPECT_THAT(first->lengths, ElementsAre(3, 1));
  EXPECT_EQ(index.next()->bytes, 0U);
  EXPECT_EQ(index.next()->begin, 8U);
  EXPECT_FALSE(index.next());
}

TEST(MegatronIndex, RefusesDamage) {
  const std::string good = megatron_index(8, 2, {{3, 1}, {2}});
  EXPECT_EQ(index_refusal(good, 12), "not refused");
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(index_refusal(good.substr(0, size), 12), "not refused");
  EXPECT_THAT(index_refusal(good, 14), HasSubstr("it knows of 12 of the 14 bytes"));
  EXPECT_THAT(index_refusal(good, 10), HasSubstr("ends behind the tokens"));
  EXPECT_THAT(index_refusal(good + "abc", 12), HasSubstr("modes of sequences"));
  const auto changed = [&](std::size_t offset, const std::string& bytes) {
    std::string text = good;
    test::put_bytes(text, offset, bytes);
    return index_refusal(text, 12);
  };
  EXPECT_THAT(changed(9, "\2"), HasSubstr("version 2"));
  EXPECT_THAT(changed(17, "\6"), HasSubstr("of type 6"));
  EXPECT_THAT(changed(25, "\x7f"), HasSubstr("counts are impossible"));
  EXPECT_THAT(changed(34 + 3, "\x80"), HasSubstr("offset 34: the length of a sequence is negative"));
  EXPECT_THAT(changed(34 + 12 + 8, "\1"),
              HasSubstr("offset 54: a sequence does not begin where the one before it ends"));
  EXPECT_THAT(changed(34 + 12 + 24, "\1"), HasSubstr("the first document does not begin"));
  EXPECT_THAT(changed(34 + 12 + 24 + 8, "\7"), HasSubstr("the first sequence of a document is impossible"));
}

}  // namespace
}  // namespace sortie

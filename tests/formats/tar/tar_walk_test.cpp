// Entries of tar archives are found in all forms of headers, and what cannot be trusted is refused with its offset.
#include "formats/tar/tar_walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "formats/tar/tar_bytes.hpp"

namespace sortie {
namespace {

namespace tar = formats::tar;

using tar::TarEntry;
using test::pax_record;
using test::tar_block;
using test::tar_end;
using test::tar_entry;
using test::tar_file;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<TarEntry> entries_of(const std::string& archive) {
  test::TextBytes bytes(archive);
  tar::TarWalk walk(bytes);
  std::vector<TarEntry> entries;
  while (auto entry = walk.next()) entries.push_back(std::move(*entry));
  return entries;
}

std::vector<std::string> names_of(const std::string& archive) {
  std::vector<std::string> names;
  for (const TarEntry& entry : entries_of(archive)) names.push_back(entry.name);
  return names;
}

std::string refusal_of(const std::string& archive) {
  try {
    entries_of(archive);
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(TarWalk, FindsFilesAndWhereTheyEnd) {
  const auto entries = entries_of(tar_file("a.txt", "hello") + tar_file("b.txt", std::string(513, 'x')) +
                                  tar_file("empty.txt", "") + tar_end() + std::string(512 * 7, '\0'));
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "a.txt");
  EXPECT_EQ(entries[0].begin, 0U);
  EXPECT_EQ(entries[0].end, 1024U);
  EXPECT_EQ(entries[1].end, 1024U + 512 + 1024);
  EXPECT_EQ(entries[2].begin, entries[1].end);
  EXPECT_EQ(entries[2].end, entries[2].begin + 512);
  EXPECT_TRUE(entries[2].is_file);
}

TEST(TarWalk, FindsNothingInAnEmptyArchive) { EXPECT_TRUE(entries_of(tar_end()).empty()); }

TEST(TarWalk, ReadsLongNamesInAllForms) {
  const std::string name = std::string(300, 'n') + "/x.jpg";
  const std::string gnu = tar_entry({.name = "././@LongLink", .type = 'L'}, name + '\0');
  const std::string link = tar_entry({.name = "././@LongLink", .type = 'K'}, std::string(200, 'k') + '\0');
  const std::string pax = tar_entry({.name = "PaxHeaders/x", .type = 'x'}, pax_record("path", name));
  EXPECT_THAT(names_of(gnu + tar_file("short", "1") + tar_end()), ElementsAre(name));
  EXPECT_THAT(names_of(link + gnu + tar_file("short", "1") + tar_end()), ElementsAre(name));
  EXPECT_THAT(names_of(pax + tar_file("short", "1") + tar_file("b", "2") + tar_end()), ElementsAre(name, "b"));
  EXPECT_THAT(names_of(tar_entry({.name = "x.jpg", .prefix = "far/away"}, "1") + tar_end()),
              ElementsAre("far/away/x.jpg"));
  // GNU tar has other things where ustar has the prefix.
  EXPECT_THAT(names_of(tar_entry({.name = "x.jpg", .prefix = "12345", .magic = "ustar  "}, "1") + tar_end()),
              ElementsAre("x.jpg"));
  EXPECT_THAT(names_of(tar_entry({.name = std::string(100, 'f')}, "1") + tar_end()),
              ElementsAre(std::string(100, 'f')));
}

TEST(TarWalk, AnEntryBeginsWithItsFirstExtension) {
  const std::string pax = tar_entry({.name = "PaxHeaders/x", .type = 'x'}, pax_record("mtime", "1.5"));
  const auto entries = entries_of(tar_file("a", "1") + pax + tar_file("b", "2") + tar_end());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].begin, 1024U);
  EXPECT_EQ(entries[1].end, 1024U + 1024 + 1024);
}

TEST(TarWalk, ReadsSizesInAllForms) {
  const std::string binary("\x80\0\0\0\0\0\0\0\0\0\x02\x01", 12);
  EXPECT_EQ(entries_of(tar_entry({.name = "a", .size = binary}, std::string(513, 'x')) + tar_end())[0].end, 1536U);
  EXPECT_EQ(entries_of(tar_entry({.name = "a", .size = "      5 "}, "12345") + tar_end())[0].end, 1024U);
  const std::string pax = tar_entry({.name = "p", .type = 'x'}, pax_record("size", "600"));
  EXPECT_EQ(entries_of(pax + tar_entry({.name = "a", .size = "0"}, std::string(600, 'x')) + tar_end())[0].end,
            1024U + 512 + 1024);
}

TEST(TarWalk, CarriesWhatIsNoFile) {
  const auto entries =
      entries_of(tar_entry({.name = "folder/", .type = '5'}, "") + tar_entry({.name = "link", .type = '2'}, "") +
                 tar_entry({.name = "old/", .type = '\0', .magic = ""}, "") +
                 tar_entry({.name = "old", .type = '\0', .magic = ""}, "1") + tar_end());
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_FALSE(entries[0].is_file);
  EXPECT_FALSE(entries[1].is_file);
  EXPECT_FALSE(entries[2].is_file);
  EXPECT_TRUE(entries[3].is_file);
}

TEST(TarWalk, KeepsGlobalHeadersOfTheBegin) {
  const std::string global = tar_entry({.name = "g", .type = 'g'}, pax_record("comment", "made by hand"));
  const std::string archive = global + tar_file("a", "1") + tar_end();
  test::TextBytes bytes(archive);
  tar::TarWalk walk(bytes);
  const auto entry = walk.next();
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->begin, global.size());
  EXPECT_EQ(walk.global_headers().size(), global.size());
  EXPECT_EQ(std::memcmp(walk.global_headers().data(), global.data(), global.size()), 0);
}

TEST(TarWalk, RefusesWhatCannotMove) {
  EXPECT_THAT(refusal_of(tar_file("a", "1") + tar_entry({.name = "l", .type = '1'}, "") + tar_end()),
              HasSubstr("x.tar, offset 1024: a hard link"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "s", .type = 'S'}, "") + tar_end()), HasSubstr("offset 0: a sparse file"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "p", .type = 'x'}, pax_record("GNU.sparse.major", "1")) +
                         tar_file("a", "") + tar_end()),
              HasSubstr("a sparse file"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "m", .type = 'M'}, "") + tar_end()), HasSubstr("another volume"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "m", .type = '~'}, "") + tar_end()), HasSubstr("unknown type"));
  const std::string global = tar_entry({.name = "g", .type = 'g'}, pax_record("comment", "x"));
  EXPECT_THAT(refusal_of(tar_file("a", "1") + global + tar_end()), HasSubstr("offset 1024: a global pax header"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "g", .type = 'g'}, pax_record("size", "1")) + tar_end()),
              HasSubstr("one name or size"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "d/", .type = '5', .size = "10"}, "") + tar_end()),
              HasSubstr("no file has contents"));
}

TEST(TarWalk, RefusesDamage) {
  std::string wrong = tar_file("a", "1");
  wrong[0] = 'b';
  EXPECT_THAT(refusal_of(tar_file("a", "1") + wrong + tar_end()), HasSubstr("offset 1024: the checksum"));
  EXPECT_THAT(refusal_of(tar_block({.name = "a", .size = "9x"}) + tar_end()),
              HasSubstr("size of the entry is impossible"));
  EXPECT_THAT(refusal_of(tar_block({.name = "a", .size = std::string(12, '\xff')}) + tar_end()),
              HasSubstr("impossible"));
  EXPECT_THAT(refusal_of(tar_block({.name = "a", .size = "77777777777"}) + tar_end()),
              HasSubstr("the entry has 8589934591 bytes, but the file ends after 1024 of them"));
  EXPECT_THAT(refusal_of(tar_block({.name = "L", .type = 'L', .size = "77777777777"}) + tar_end()),
              HasSubstr("for a name or for pax records is impossible"));
  for (const std::string said : {"6 a=b", "99 a=b\n", "7 ab=\n", "x a=b\n", "5 =b\n\n", "3 \n"}) {
    EXPECT_THAT(refusal_of(tar_entry({.name = "p", .type = 'x'}, said) + tar_file("a", "") + tar_end()),
                HasSubstr("the pax header is damaged"))
        << said;
  }
}

TEST(TarWalk, RefusesArchivesThatAreCutAnywhere) {
  const std::string pax = tar_entry({.name = "p", .type = 'x'}, pax_record("path", "abc"));
  const std::string archive = tar_file("a.txt", "hello") + pax + tar_file("b.txt", "2") + tar_end();
  for (std::size_t size = 0; size < archive.size(); size += 64) {
    EXPECT_THAT(refusal_of(archive.substr(0, size)), HasSubstr("is cut off")) << size;
  }
}

TEST(TarWalk, RefusesBytesBehindTheEnd) {
  const std::string archive = tar_file("a", "1") + tar_end();
  EXPECT_THAT(refusal_of(archive + archive), HasSubstr("offset 2048: bytes follow the end"));
  EXPECT_THAT(refusal_of(tar_entry({.name = "p", .type = 'x'}, pax_record("path", "a")) + tar_end()),
              HasSubstr("announces an entry"));
}

}  // namespace
}  // namespace sortie

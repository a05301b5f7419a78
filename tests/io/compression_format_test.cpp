#include "io/input/compression_format.hpp"

#include <string>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "io/io_support.hpp"

namespace sortie {
namespace {

using namespace std::string_literals;

CompressionFormat format_of(const std::string& leading) { return recognise_magic(test::as_bytes(leading)); }

TEST(CompressionFormat, RecognisesMagic) {
  EXPECT_EQ(format_of("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"s), CompressionFormat::kGzip);
  EXPECT_EQ(format_of("\x28\xb5\x2f\xfd\x04"s), CompressionFormat::kZstd);
  EXPECT_EQ(format_of("BZh9\x31\x41\x59\x26\x53\x59"s), CompressionFormat::kBzip2);
  EXPECT_EQ(format_of("BZh1\x17\x72\x45\x38\x50\x90"s), CompressionFormat::kBzip2);
}

TEST(CompressionFormat, RecognisesTheMagicOfXzLz4AndBgzf) {
  EXPECT_EQ(format_of("\xfd"
                      "7zXZ\x00\x00\x04\xe6\xd6\xb4\x46"s),
            CompressionFormat::kXz);
  EXPECT_EQ(format_of("\x04\x22\x4d\x18\x64\x40\xa7\x00\x00\x00\x00"s), CompressionFormat::kLz4);
  EXPECT_EQ(format_of("\x50\x2a\x4d\x18\x04\x00\x00\x00\x99\x99\x99\x99\x04\x22\x4d\x18"s), CompressionFormat::kLz4);
  const std::string bgzf =
      "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00"
      "BC\x02\x00\x1b\x00"s;
  EXPECT_EQ(format_of(bgzf), CompressionFormat::kBgzf);
  EXPECT_EQ(format_of(bgzf.substr(0, 12) + "XY\x02\x00\x1b\x00"s), CompressionFormat::kGzip);
}

TEST(CompressionFormat, NamesWhatIsPackedTwiceAndTarArchives) {
  std::string tar(512, '\0');
  tar[0] = 'f';
  tar.replace(257, 8, "ustar\00000"s);
  const auto name_of = [](const std::string& leading) {
    return std::string(name_of_packed(test::as_bytes(leading)).value_or(""));
  };
  EXPECT_EQ(name_of(tar), "a tar archive");
  tar.replace(257, 8, "ustar  \0"s);
  EXPECT_EQ(name_of(tar), "a tar archive");
  tar.replace(257, 8, "ustar is");
  EXPECT_EQ(name_of(tar), "");
  EXPECT_EQ(name_of("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"s), "packed by gzip");
  EXPECT_EQ(name_of("PK\x05\x06"s + std::string(18, '\0')), "a zip archive");
  EXPECT_EQ(name_of("a line\n"), "");
  EXPECT_EQ(name_of(""), "");
}

TEST(CompressionFormat, NamesArchivesAndPackedFormatsThatAreNotUnpacked) {
  const auto name_of = [](const std::string& leading) {
    const auto format = recognise_foreign(test::as_bytes(leading));
    return format ? std::string(format->name) : std::string();
  };
  EXPECT_EQ(name_of("PK\x03\x04\x14\x00\x00\x00\x08\x00\x11\x22"s), "a zip archive");
  EXPECT_EQ(name_of("PK\x05\x06"s + std::string(18, '\0')), "a zip archive");
  EXPECT_EQ(name_of("7z\xbc\xaf\x27\x1c\x00\x04"s), "a 7z archive");
  EXPECT_EQ(name_of("Rar!\x1a\x07\x01\x00"s), "a rar archive");
  EXPECT_EQ(name_of("LZIP\x01\x0c"s), "packed by lzip");
  EXPECT_EQ(name_of("\x89LZO\x00\r\n\x1a\n\x10"s), "packed by lzop");
  EXPECT_EQ(name_of("\x1f\x9d\x90\x61"s), "packed by compress");
  EXPECT_EQ(name_of("\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00"s), "lzma in its old format");
  EXPECT_EQ(name_of("\xff\x06\x00\x00sNaPpY"s), "packed by snappy");
  EXPECT_EQ(name_of("PAR1\x15\x04\x15\x10"s), "a Parquet file");
  EXPECT_EQ(name_of("ARROW1\x00\x00"s), "an Arrow file");
  for (const std::string& data :
       {"PK"s, "PK\x03\x04text, no zip archive"s, "7zip\n"s, "Rar! it is none\n"s, "PAR1 is text\n"s, "ARROW1\n"s,
        "LZIP\n"s, "\x1f\x9d\xff"s, "]\0\0 is no number\n"s, "PARENT\n"s,
        "\x5d"s + std::string(7, '\0') + "\5"s + std::string(7, '\0'), "\x5d\0\0\x90\0\5\0\0\0\0\0\0\0\0"s, ""s}) {
    EXPECT_EQ(name_of(data), "") << data;
  }
}

TEST(CompressionFormat, RecognisesAZstdFrameBehindASkippableOne) {
  EXPECT_EQ(format_of("\x50\x2a\x4d\x18\x04\x00\x00\x00\x99\x99\x99\x99\x28\xb5\x2f\xfd"s), CompressionFormat::kZstd);
  EXPECT_EQ(format_of("\x50\x2a\x4d\x18\x04\x00\x00\x00\x99\x99\x99\x99text"s), CompressionFormat::kNone);
}

TEST(CompressionFormat, KnowsBySomeBytesThatThereIsNoMagic) {
  for (const char* begin :
       {"\x1f", "\x1f\x8b", "\x28\xb5", "B", "BZ", "P", "P*", "_*", "PK", "7z", "\xfd", "\x04\x22"}) {
    EXPECT_TRUE(may_have_magic(test::as_bytes(std::string(begin)))) << begin;
  }
  for (const char* begin : {"\n", "a", "Ba", "P\n", "Pa", "\x1f\x1f", "1\n"}) {
    EXPECT_FALSE(may_have_magic(test::as_bytes(std::string(begin)))) << begin;
  }
}

TEST(CompressionFormat, TakesDataForData) {
  EXPECT_EQ(format_of(""), CompressionFormat::kNone);
  EXPECT_EQ(format_of("\x1f\x8b"), CompressionFormat::kNone);
  EXPECT_EQ(format_of("\x1f\x8b\x08\xff\x00\x00\x00\x00\x00\x03"s), CompressionFormat::kNone);
  EXPECT_EQ(format_of("BZh9 is not a block"), CompressionFormat::kNone);
  EXPECT_EQ(format_of("BZhx\x31\x41\x59\x26\x53\x59"), CompressionFormat::kNone);
}

TEST(CompressionFormat, RecognisesSuffixes) {
  EXPECT_EQ(recognise_suffix("a.gz"), CompressionFormat::kGzip);
  EXPECT_EQ(recognise_suffix("a.txt.zst"), CompressionFormat::kZstd);
  EXPECT_EQ(recognise_suffix("a.bz2"), CompressionFormat::kBzip2);
  EXPECT_EQ(recognise_suffix("a.xz"), CompressionFormat::kXz);
  EXPECT_EQ(recognise_suffix("a.lz4"), CompressionFormat::kLz4);
  for (const char* name : {"a.bgz", "a.vcf.gz", "a.bed.gz", "a.gff.gz", "a.gff3.gz", "a.gtf.gz", "a.sam.gz"}) {
    EXPECT_EQ(recognise_suffix(name), CompressionFormat::kBgzf) << name;
  }
  EXPECT_EQ(recognise_suffix("A.BED.gz"), CompressionFormat::kBgzf);
  EXPECT_EQ(recognise_suffix("gz"), CompressionFormat::kNone);
}

TEST(CompressionFormat, KnowsSuffixesInAnyCase) {
  EXPECT_EQ(format_of_output("o.GZ"), CompressionFormat::kGzip);
  EXPECT_EQ(format_of_output("q.CSV.Gz"), CompressionFormat::kGzip);
  EXPECT_EQ(format_of_output("X.BED.GZ"), CompressionFormat::kBgzf);
  EXPECT_EQ(format_of_output("o.Zst"), CompressionFormat::kZstd);
  EXPECT_EQ(format_of_output("o.TXT"), CompressionFormat::kNone);
  EXPECT_EQ(format_of_output("GZ"), CompressionFormat::kNone);
  EXPECT_THROW(static_cast<void>(format_of_output("o.ZIP")), Error);
}

TEST(CompressionFormat, KnowsSuffixesThatCannotBeWritten) {
  EXPECT_EQ(foreign_suffix("a.zip"), ".zip");
  EXPECT_EQ(foreign_suffix("a.tar.Z"), ".Z");
  for (const char* suffix :
       {".gzip", ".zstd", ".bzip2", ".tbz", ".tzst", ".taz", ".tz2", ".bam", ".snappy", ".lzop", ".tar"}) {
    EXPECT_EQ(foreign_suffix(std::string("a") + suffix), suffix);
  }
  EXPECT_EQ(foreign_suffix("a.gz"), "");
  EXPECT_EQ(foreign_suffix("zip"), "");
  EXPECT_EQ(foreign_suffix(".zip"), "");
}

}  // namespace
}  // namespace sortie

// Keys of chromosomes' names, and orders of files with positions in genomes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/genome_order.hpp>

#include "record/text/gff_header.hpp"
#include "record/text/name_keys.hpp"
#include "record/text/vcf_header.hpp"

namespace sortie {
namespace {

std::string karyotype_key_of(std::string_view name) {
  std::string key;
  append_karyotype_key(name, key);
  return key;
}

TEST(KaryotypeKey, OrdersNumbersThenXThenYThenMThenOthers) {
  const std::vector<std::vector<std::string>> orders = {
      {"chr1", "chr2", "chr9", "chr10", "chr22", "chr23", "chrX", "chrY", "chrM", "chr1_random", "chrUn_a", "chrx"},
      {"1", "2", "10", "22", "X", "Y", "MT", "", "1_random", "GL000191.1", "hs37d5"},
      {"CHR3", "Chr1", "chr2", "chrX", "chrM", "chr", "chrMX", "chrX1"},
  };
  for (const std::vector<std::string>& names : orders) {
    for (std::size_t i = 1; i < names.size(); ++i) {
      EXPECT_LT(karyotype_key_of(names[i - 1]), karyotype_key_of(names[i])) << names[i - 1] << " before " << names[i];
    }
  }
}

std::string listed_key_of(const ListedNames& names, std::string_view name) {
  std::string key;
  names.append_key(name, key);
  return key;
}

TEST(ListedNames, OrderAsTheListAndOthersBehind) {
  std::vector<std::string> list;
  for (int i = 0; i < 3000; ++i) list.push_back("name" + std::to_string(3000 - i));
  list.push_back("name5");  // once more, which does not count
  const ListedNames names(list);
  for (std::size_t i = 1; i < 3000; ++i) {
    ASSERT_LT(listed_key_of(names, list[i - 1]), listed_key_of(names, list[i])) << list[i];
  }
  EXPECT_LT(listed_key_of(names, "name1"), listed_key_of(names, "a2"));
  EXPECT_LT(listed_key_of(names, "a2"), listed_key_of(names, "a10"));
  EXPECT_LT(listed_key_of(names, "name1"), listed_key_of(names, ""));
}

TEST(GenomeOrder, TakesNamesOfContigsFromTheHeader) {
  const TextOrder order = genome_order(GenomeFile::kVcf, ChromosomeOrder::kHeader);
  const auto names = [&](std::string_view header) { return with_contigs_found(order, header).keys[0].names; };
  using Names = std::vector<std::string>;
  EXPECT_EQ(
      names("##x\n##contig=<ID=chr2,length=3>\n##contig=<assembly=\"a\",ID=1>\n##contig=<ID=HLA:A*01:01>\n#CHROM\n"),
      (Names{"chr2", "1", "HLA:A*01:01"}));
  EXPECT_EQ(names("##contig=<ID=a,length=3>\r\n##contig=<\n##contig=<,\n##contig=<x\n##contig=<ID=b"),
            (Names{"a", "b"}));
  EXPECT_EQ(names(""), Names());
  EXPECT_EQ(names("##gff-version 3\n##sequence-region  chr2 1 9\n##sequence-region\tchr1\t1\n"),
            (Names{"chr2", "chr1"}));
}

TEST(GenomeOrder, IsNaturalWhereTheHeaderListsNone) {
  const auto kind = [](ChromosomeOrder order, std::string_view header) {
    return with_contigs_found(genome_order(GenomeFile::kVcf, order), header).keys[0].kind;
  };
  EXPECT_EQ(kind(ChromosomeOrder::kUsual, "##contig=<ID=a>\n"), TextKind::kListed);
  EXPECT_EQ(kind(ChromosomeOrder::kUsual, "##x\n"), TextKind::kVersion);
  EXPECT_EQ(kind(ChromosomeOrder::kHeader, "##x\n"), TextKind::kListed);
}

TEST(AllelesKey, OrdersAsBcftoolsDoes) {
  const auto key_of_alleles = [](std::string_view alleles) {
    std::string key;
    append_alleles_key(alleles, key);
    return key;
  };
  const std::vector<std::string> ordered = {".", "*", "*,T", "<DEL>", "[chr1:5[A", "A", "A,C", "A,T", "AC", "C"};
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    EXPECT_LT(key_of_alleles(ordered[i - 1]), key_of_alleles(ordered[i])) << ordered[i];
  }
  EXPECT_EQ(key_of_alleles("a,<Del>"), key_of_alleles("A,<DEL>"));
}

TEST(GffHeader, IsMergedLineByLine) {
  GffHeader header("##gff-version 3\r\n#x\r\n#x\r\n##sequence-region a 1 5\r\n");
  EXPECT_FALSE(header.add("#!y\n#x\n##gff-version 3\n##sequence-region b 1 5\n"));
  EXPECT_EQ(header.text(),
            "##gff-version 3\r\n#x\r\n#x\r\n##sequence-region a 1 5\r\n#!y\r\n##sequence-region b 1 5\r\n");
  EXPECT_EQ(header.add("##sequence-region a 1 6\n"), "it has '##sequence-region a 1 6', not '##sequence-region a 1 5'");
  EXPECT_EQ(header.add("##gff-version 2\n"), "it has '##gff-version 2', not '##gff-version 3'");
}

TEST(GenomeOrder, IsByPlace) {
  const TextOrder bed = genome_order(GenomeFile::kBed, ChromosomeOrder::kKaryotype);
  ASSERT_EQ(bed.keys.size(), 4U);
  EXPECT_EQ(bed.keys[0].kind, TextKind::kKaryotype);
  EXPECT_EQ(bed.keys[1].kind, TextKind::kText);  // chr1 and chr01 are two chromosomes
  EXPECT_EQ(bed.keys[1].begin.field, 0U);
  EXPECT_EQ(bed.keys[3].kind, TextKind::kNumber);
  EXPECT_EQ(bed.keys[3].begin.field, 2U);
  EXPECT_FALSE(bed.last_resort);
  const TextOrder vcf = genome_order(GenomeFile::kVcf, ChromosomeOrder::kNatural);
  ASSERT_EQ(vcf.keys.size(), 5U);
  EXPECT_EQ(vcf.keys[3].kind, TextKind::kAlleles);
  EXPECT_EQ(vcf.keys[4].begin.field, 4U);
  EXPECT_EQ(vcf.keys[0].kind, TextKind::kVersion);
  EXPECT_EQ(vcf.separator, "\t");
  const TextOrder by_bytes = genome_order(GenomeFile::kVcf, ChromosomeOrder::kBytes);
  ASSERT_EQ(by_bytes.keys.size(), 4U);
  EXPECT_EQ(by_bytes.keys[0].kind, TextKind::kText);
  const TextOrder gff = genome_order(GenomeFile::kGff, ChromosomeOrder::kUsual);
  ASSERT_EQ(gff.keys.size(), 4U);
  EXPECT_EQ(gff.keys[0].kind, TextKind::kVersion);
  EXPECT_EQ(gff.keys[2].begin.field, 3U);
  EXPECT_TRUE(gff.keys[3].descending);
  EXPECT_EQ(gff.comment_prefixes, std::vector<std::string>{"#"});
}

}  // namespace
}  // namespace sortie

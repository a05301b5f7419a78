#include "record/places/place_index.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"

namespace sortie {
namespace {

/// The smallest bins, and windows, have 2^14 bases.
constexpr unsigned kWindowBits = 14;
constexpr unsigned kLevelsOfTbi = 5;  // and of .bai
constexpr unsigned kLevelsOfCsi = 6;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
/// A name in the set of them, beside its characters.
constexpr std::uint64_t kNameBytes = 2 * sizeof(std::string) + 32;

/// What readers take a chromosome to have behind its end.
constexpr std::int64_t kSlack = 256;

constexpr std::int64_t bases_of(unsigned levels) { return std::int64_t{1} << (kWindowBits + 3 * levels); }

/// Below that of all bases.
unsigned levels_for(std::int64_t longest) {
  if (longest == 0) return kLevelsOfCsi;
  unsigned levels = 0;
  while (levels < kLevelsOfCsi && bases_of(levels) < longest + kSlack) ++levels;
  return levels;
}

/// The number of the first bin of a level.
constexpr std::uint32_t first_bin(unsigned level) { return ((1U << 3 * level) - 1) / 7; }

}  // namespace

/// Collects what it is given, and hands it on when it is much.
class PlaceIndex::Writer {
 public:
  Writer(const VirtualOffset& virtual_offset, const Sink& sink) : virtual_offset_(virtual_offset), sink_(sink) {}

  void text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class Number>
  void number(Number number) {
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof number);
    store_as(bytes_.data() + end, number);
    if (bytes_.size() >= kMost) flush();
  }
  void count(std::size_t count) { number(static_cast<std::int32_t>(count)); }
  std::uint64_t in_file(std::uint64_t offset) const { return virtual_offset_(offset); }
  void offset(std::uint64_t offset) { number(in_file(offset)); }
  void flush() {
    sink_(bytes_);
    bytes_.clear();
  }

 private:
  static constexpr std::size_t kMost = 1 << 16;

  const VirtualOffset& virtual_offset_;
  const Sink& sink_;
  std::vector<std::byte> bytes_;
};

PlaceIndex::PlaceIndex(const IndexOptions& options, std::uint64_t block_bytes, std::uint64_t most_bytes)
    : form_(options.form == IndexForm::kTbi ? Form::kTbi : Form::kCsi),
      file_(options.file),
      block_bytes_(block_bytes),
      most_bytes_(most_bytes),
      levels_(options.form == IndexForm::kTbi ? kLevelsOfTbi : kLevelsOfCsi) {}

PlaceIndex::PlaceIndex(Numbered form, NumberedChromosomes chromosomes, std::uint64_t block_bytes,
                       std::uint64_t most_bytes)
    : form_(form == Numbered::kBai ? Form::kBai : Form::kCsi),
      is_by_numbers_(true),
      numbered_(std::move(chromosomes)),
      block_bytes_(block_bytes),
      most_bytes_(most_bytes),
      levels_(form == Numbered::kBai ? kLevelsOfTbi : levels_for(numbered_.longest)) {}

std::string_view PlaceIndex::suffix() const {
  switch (form_) {
    case Form::kTbi:
      return ".tbi";
    case Form::kCsi:
      return ".csi";
    case Form::kBai:
      return ".bai";
  }
  return {};
}

void PlaceIndex::add(const Place& place, std::uint64_t begin, std::uint64_t end) {
  // A record of no length is looked for where it begins, and one in front of the first base at that.
  const std::int64_t first = std::max<std::int64_t>(place.begin, 0);
  const std::int64_t last = std::max(place.end, first + 1);
  if (last > bases_of(levels_)) {
    throw Error("reaches to base " + std::to_string(last) + ", beyond the last one that this form of index takes" +
                (form_ == Form::kCsi ? "" : ": take csi"));
  }
  if (chromosomes_.empty() || chromosomes_.back().name != place.chromosome) {
    begin_chromosome(place.chromosome, begin);
  } else if (place.begin < last_begin_) {
    throw Error("comes behind a greater place of " + quote_word(place.chromosome));
  }
  last_begin_ = place.begin;
  add_to_bin(first, last, begin, end);
  add_to_windows(first, last, begin);
  Chromosome& chromosome = chromosomes_.back();
  chromosome.end = end;
  ++(place.is_aligned ? chromosome.records : chromosome.unaligned);
  require_memory();
}

void PlaceIndex::add_without_place() {
  ++without_place_;
  require_memory();
}

void PlaceIndex::require_memory() const {
  if (held_bytes() <= most_bytes_) return;
  throw Error(
      "is too much for the index: it takes more than " + std::to_string(most_bytes_) + " bytes of memory; give more",
      Remedy::kMoreMemory);
}

void PlaceIndex::begin_chromosome(std::string_view name, std::uint64_t offset) {
  if (!names_.emplace(name).second) throw Error("is of " + quote_word(name) + ", which has come before others");
  name_bytes_ += 2 * name.size() + kNameBytes;
  chromosomes_.push_back({std::string(name), stretches_.size(), windows_.size(), offset, offset});
  open_.fill(kNone);
}

std::uint32_t PlaceIndex::bin_of(std::int64_t begin, std::int64_t end, unsigned& level) const {
  level = levels_;
  unsigned bits = kWindowBits;
  while (level > 0 && begin >> bits != (end - 1) >> bits) {
    --level;
    bits += 3;
  }
  return first_bin(level) + static_cast<std::uint32_t>(begin >> bits);
}

void PlaceIndex::add_to_bin(std::int64_t begin, std::int64_t end, std::uint64_t from, std::uint64_t to) {
  unsigned level = 0;
  const std::uint32_t bin = bin_of(begin, end, level);
  std::size_t& open = open_[level];
  if (open != kNone && stretches_[open].bin == bin && stretches_[open].end / block_bytes_ >= from / block_bytes_) {
    stretches_[open].end = to;
    return;
  }
  open = stretches_.size();
  stretches_.push_back({bin, from, to});
}

void PlaceIndex::add_to_windows(std::int64_t begin, std::int64_t end, std::uint64_t from) {
  Chromosome& chromosome = chromosomes_.back();
  const std::int64_t last = (end - 1) >> kWindowBits;
  if (last < chromosome.windows) return;
  const std::int64_t first = std::max(begin >> kWindowBits, chromosome.windows);
  windows_.push_back({static_cast<std::uint32_t>(first), from});
  chromosome.windows = last + 1;
}

std::uint64_t PlaceIndex::held_bytes() const {
  return stretches_.capacity() * sizeof(Stretch) + windows_.capacity() * sizeof(Window) +
         chromosomes_.capacity() * sizeof(Chromosome) + name_bytes_ + bytes_beside_;
}

void PlaceIndex::write(const VirtualOffset& virtual_offset, const Sink& sink) {
  Writer out(virtual_offset, sink);
  write_head(out);
  write_chromosomes(out);
  out.number(without_place_);
  out.flush();
}

void PlaceIndex::write_head(Writer& out) const {
  if (form_ == Form::kBai) {
    out.text("BAI\1");
    return out.count(numbered_.names.size());
  }
  if (form_ == Form::kTbi) {
    out.text("TBI\1");
    out.count(chromosomes_.size());
    return write_names(out);
  }
  out.text("CSI\1");
  out.count(kWindowBits);
  out.count(levels_);
  if (is_by_numbers_) {
    out.count(0);
    out.count(numbered_.names.size());
  } else {
    write_names(out);
    out.count(chromosomes_.size());
  }
}

// Where names and places stand in lines. In front of it, .csi has its length.
void PlaceIndex::write_names(Writer& out) const {
  const PlaceColumns columns = place_columns(file_);
  std::size_t bytes_of_names = 0;
  for (const Chromosome& chromosome : chromosomes_) bytes_of_names += chromosome.name.size() + 1;
  if (form_ == Form::kCsi) out.count(7 * sizeof(std::int32_t) + bytes_of_names);
  for (const std::int32_t number :
       {columns.preset, columns.chromosome, columns.begin, columns.end, std::int32_t{'#'}, 0}) {
    out.number(number);
  }
  out.count(bytes_of_names);
  for (const Chromosome& chromosome : chromosomes_) {
    out.text(chromosome.name);
    out.number('\0');
  }
}

void PlaceIndex::write_chromosomes(Writer& out) {
  std::size_t next = 0;
  const bool has_windows = form_ != Form::kCsi;
  const auto write_next = [&] {
    write_bins(out, next);
    if (has_windows) write_windows(out, next);
    ++next;
  };
  for (const std::string& name : numbered_.names) {
    if (next < chromosomes_.size() && chromosomes_[next].name == name) {
      write_next();
    } else {
      out.count(0);
      if (has_windows) out.count(0);
    }
  }
  while (next < chromosomes_.size()) write_next();
}

std::span<PlaceIndex::Stretch> PlaceIndex::stretches_of(std::size_t chromosome) {
  const std::size_t begin = chromosomes_[chromosome].first_stretch;
  const bool is_last = chromosome + 1 == chromosomes_.size();
  const std::size_t end = is_last ? stretches_.size() : chromosomes_[chromosome + 1].first_stretch;
  return std::span(stretches_).subspan(begin, end - begin);
}

std::span<const PlaceIndex::Window> PlaceIndex::windows_of(std::size_t chromosome) const {
  const std::size_t begin = chromosomes_[chromosome].first_window;
  const bool is_last = chromosome + 1 == chromosomes_.size();
  const std::size_t end = is_last ? windows_.size() : chromosomes_[chromosome + 1].first_window;
  return std::span(windows_).subspan(begin, end - begin);
}

void PlaceIndex::write_bins(Writer& out, std::size_t number) {
  const Chromosome& chromosome = chromosomes_[number];
  const std::span<Stretch> stretches = stretches_of(number);
  std::ranges::stable_sort(stretches, {}, &Stretch::bin);
  const auto next_bin = [&](auto at) {
    return std::find_if(at, stretches.end(), [bin = at->bin](const Stretch& other) { return other.bin != bin; });
  };
  std::size_t bins = 0;
  for (auto at = stretches.begin(); at != stretches.end(); at = next_bin(at)) ++bins;
  const bool is_csi = form_ == Form::kCsi;
  const std::span<const Window> windows = windows_of(number);
  // Where the first record begins that reaches into the first window of a bin, or lies behind that.
  const auto first_offset = [&](std::uint32_t bin) {
    unsigned level = levels_;
    while (bin < first_bin(level)) --level;
    const std::uint32_t window = (bin - first_bin(level)) << 3 * (levels_ - level);
    const auto behind = std::ranges::upper_bound(windows, window, {}, &Window::window);
    return behind == windows.begin() ? chromosome.begin : std::prev(behind)->offset;
  };
  out.count(bins + 1);
  for (auto at = stretches.begin(); at != stretches.end();) {
    const auto end = next_bin(at);
    out.number(at->bin);
    if (is_csi) out.offset(first_offset(at->bin));
    out.count(static_cast<std::size_t>(end - at));
    for (; at != end; ++at) {
      out.offset(at->begin);
      out.offset(at->end);
    }
  }
  // A bin that no place has holds where the chromosome lies, and how many records it has.
  out.number(first_bin(levels_ + 1) + 1);
  if (is_csi) out.number(std::uint64_t{0});
  out.count(2);
  out.offset(chromosome.begin);
  out.offset(chromosome.end);
  out.number(chromosome.records);
  out.number(chromosome.unaligned);
}

// A window that no record reaches into has the offset of the one before it.
void PlaceIndex::write_windows(Writer& out, std::size_t number) const {
  const Chromosome& chromosome = chromosomes_[number];
  const std::span<const Window> windows = windows_of(number);
  out.count(static_cast<std::size_t>(chromosome.windows));
  std::uint64_t offset = out.in_file(chromosome.begin);
  auto next = windows.begin();
  for (std::int64_t window = 0; window < chromosome.windows; ++window) {
    if (next != windows.end() && next->window == window) offset = out.in_file((next++)->offset);
    out.number(offset);
  }
}

}  // namespace sortie

// Owns a batch that came.
#pragma once

#include <utility>

#include <sortie/arrow_c_data.hpp>

namespace sortie::table {

class TakenBatch {
 public:
  explicit TakenBatch(ArrowArray* batch) : batch_(std::exchange(*batch, ArrowArray{})) {}
  ~TakenBatch() {
    if (batch_.release != nullptr) batch_.release(&batch_);
  }
  TakenBatch(const TakenBatch&) = delete;
  TakenBatch& operator=(const TakenBatch&) = delete;

  const ArrowArray& get() const { return batch_; }

 private:
  ArrowArray batch_;
};

}  // namespace sortie::table

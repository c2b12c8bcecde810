#pragma once

#include <limits>

namespace slipstick::internal {

// How the error of a cone program's r is measured.
enum class ErrorMeasure {
  kNatural,  // NaturalResidual, relative to the largest velocity in q: every contact counts by itself
  kFclib,    // √(Σ |r_c − P(r_c − u_c − s_c)|²) / max(|q|, |r|, |u|): what users of FCLIB and Siconos compare
};

// When an iterative solver may stop.
struct StopRule {
  ErrorMeasure measure = ErrorMeasure::kNatural;
  double tolerance = 1e-10;
  double seconds = std::numeric_limits<double>::infinity();  // of wall time
  // What a ladder aims at first in small programs, where more digits cost next to nothing; it is content with
  // `tolerance` where they cannot be had. 1: nothing more.
  double tolerance_of_small = 1;
};

}  // namespace slipstick::internal

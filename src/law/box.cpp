#include "slipstick/law/box.h"

namespace slipstick::internal {
namespace {

class BoxRule : public TangentRule {
 public:
  explicit BoxRule(const FixedDirectionSettings& settings) : settings_(settings) {}

  TangentRows RowsOf(const ContactProblem& problem, int i, const Vec2& slip, double normal_impulse) const override {
    return settings_.RowsOf(problem, i, slip, normal_impulse);
  }

 private:
  FixedDirectionSettings settings_;
};

}  // namespace

std::unique_ptr<Law> MakeBox(const FixedDirectionSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<BoxRule>(settings), settings.bounds);
}

}  // namespace slipstick::internal

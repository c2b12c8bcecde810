#include "slipstick/law/box.h"

namespace slipstick::internal {
namespace {

class BoxRule : public TangentRule {
 public:
  explicit BoxRule(const FixedDirectionSettings& settings) : settings_(settings) {}

  TangentRows RowsOf(const ContactProblem& /*problem*/, int /*i*/, const SlipStart& /*start*/,
                     double limit) const override {
    return settings_.RowsOf(limit);
  }

 private:
  FixedDirectionSettings settings_;
};

}  // namespace

std::unique_ptr<Law> MakeBox(const FixedDirectionSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<BoxRule>(settings), {settings.velocity_threshold, settings.bounds});
}

}  // namespace slipstick::internal

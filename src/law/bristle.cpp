#include "slipstick/law/bristle.h"

namespace slipstick::internal {
namespace {

class BristleRule : public TangentRule {
 public:
  explicit BristleRule(const FixedDirectionSettings& settings) : settings_(settings) {}

  TangentRows RowsOf(const ContactProblem& problem, int i, const SlipStart& /*start*/, double limit) const override {
    const ContactSet& contacts = problem.contacts;
    const double h = problem.step;
    TangentRows rows = settings_.RowsOf(limit);
    if (!(rows.limit > 0)) return rows;
    rows.compliance.setConstant(1.0 / (h * h * contacts.surface(i).tangential_stiffness));
    rows.reference = h * rows.directions * contacts.Tangential(i, contacts.history[i].tangential_force);
    return rows;
  }

 private:
  FixedDirectionSettings settings_;
};

}  // namespace

std::unique_ptr<Law> MakeBristle(const FixedDirectionSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<BristleRule>(settings), {settings.velocity_threshold, settings.bounds});
}

}  // namespace slipstick::internal

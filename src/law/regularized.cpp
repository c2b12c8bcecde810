#include "slipstick/law/regularized.h"

#include <algorithm>
#include <cmath>

#include "slipstick/law/tangent_rows.h"

namespace slipstick::internal {
namespace {

// The basis whose first direction is along `direction`; the contact's own where that vanishes.
Mat2 BasisAlong(const Vec2& direction) {
  const double length = direction.norm();
  if (!(length > 0)) return Mat2::Identity();
  const Vec2 d = direction / length;
  Mat2 basis;
  basis << d[0], d[1], -d[1], d[0];
  return basis;
}

// Share of the impulse that could stop the contact, below which it carries nothing.
constexpr double kNoLoad = 1e-10;

class RegularizedRule : public TangentRule {
 public:
  explicit RegularizedRule(const RegularizedSettings& settings) : settings_(settings) {}

  TangentRows RowsOf(const ContactProblem& problem, int i, const SlipStart& start, double limit) const override {
    const ContactSet& contacts = problem.contacts;
    const double h = problem.step;
    TangentRows rows;
    rows.limit = limit;
    // 1/(h² kT), 0 for kT = ∞ (eq 29)
    const double bristle = 1.0 / (h * h * contacts.surface(i).tangential_stiffness);
    if (start.slides) {  // kinetic, eqs 16–20, 27
      // the compliance below has no limit as μλN → 0, so a load that is rounding alone must count as none
      if (!(rows.limit > kNoLoad * contacts.effective_mass[i] * problem.velocity_scale)) return {};
      rows.directions = BasisAlong(start.velocity);
      // 1/(h bμ) with bμ = μ λN / v_T1, in impulses v_T1 / (μ h λN)
      rows.compliance = {bristle, start.velocity.norm() / rows.limit};
      rows.reference = {-rows.limit, 0};
      rows.is_viscous_across = true;
    } else {  // static, eqs 9–15, 26
      if (!(rows.limit > 0)) return {};
      const Vec2 remembered = h * contacts.Tangential(i, contacts.history[i].tangential_force);
      rows.directions = BasisAlong(-remembered);
      rows.compliance = {bristle, bristle};
      rows.reference = {-remembered.norm(), 0};
      // The square has corners at √2 μλN. Where bodies touch at many points, forces across the load that cancel each
      // other turn the squares until these corners carry it.
      rows.is_round = !settings_.has_square_limits;
      if (rows.is_round) rows.across = rows.ShareLeft(remembered.norm());
    }
    return rows;
  }

 private:
  RegularizedSettings settings_;
};

}  // namespace

const SettingTable<RegularizedSettings>& RegularizedSettings::Table() {
  using S = RegularizedSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s",
       "vth: sliding at most this fast is sticking; negative: what slid in the last step slides"},
      {&S::has_square_limits,
       "sticking_limits",
       "",
       "of friction across its last direction: what μλN leaves there, or μλN again (the paper)",
       {{"round", false}, {"square", true}}},
      {&S::bounds, FrictionBoundSettings::Table()},
  };
  return table;
}

std::unique_ptr<Law> MakeRegularized(const RegularizedSettings& settings) {
  return MakeBoundedTangentLaw(std::make_unique<RegularizedRule>(settings),
                               {settings.velocity_threshold, settings.bounds});
}

}  // namespace slipstick::internal

#include <time.h>

#include <cmath>
#include <random>

#include "bench/granular.h"
#include "slipstick/scene/body_group.h"

namespace slipstick::internal {

GranularTask GrainsTask() {
  GranularTask task;
  task.name = "grains";
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(-0.003, 0.003);
  for (int i = 0; i < 1001; ++i) {
    task.start.push_back(Vec3(-0.36, -0.36, 0.05) + 0.09 * Vec3(i % 9, i / 9 % 9, i / 81) +
                         Vec3(jitter(random), jitter(random), jitter(random)));
  }
  task.release.assign(task.start.size(), 0);
  return task;
}

GranularTask GravelTask(int count, double rolling, double duration) {
  GranularTask task{.name = "gravel",
                    .radius = 0.0225,
                    .density = 2028,
                    .friction = 0.6,
                    .rolling = rolling,
                    .half_width = 1,
                    .velocity = Vec3(0, 0, -2),
                    .duration = duration,
                    .measured = 1};
  BodyGroupPlan plan;
  plan.prototype.shapes.push_back({.geometry = Sphere{task.radius}});
  plan.prototype.linear_velocity = task.velocity;
  plan.places = PourPlan{.count = count, .rate = 800, .region = {Vec3(0, 0, 1), Vec3(0.5, 0.5, 0), {}}};
  for (const SceneBody& stone : MakeGroup(plan, Vec3(0, 0, -9.81)).bodies) {
    task.start.push_back(stone.pose.position);
    task.release.push_back(stone.release);
  }
  return task;
}

double ThreadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void GranularMeter::AddTime(double time, double cpu_seconds) {
  figures_.seconds_per_second += cpu_seconds / task_.duration;
  if (!IsMeasured(time)) return;
  figures_.milliseconds_per_step += 1e3 * cpu_seconds;
  ++timed_;
}

void GranularMeter::AddStep(const CompactProgram& program, const std::vector<double>& gaps,
                            const CompactImpulses& impulses, const CompactVelocities& velocities) {
  ++steps_;
  double squares = 0, largest = 0;
  int touching = 0;
  for (int i = 0; i < program.size(); ++i) {
    if (gaps[i] <= 0 || impulses.force[i].norm() > 0) {
      ++touching;
      const double depth = std::max(-gaps[i], 0.0) / task_.radius;
      figures_.mean_penetration += depth;
      figures_.largest_penetration = std::max(figures_.largest_penetration, depth);
    }
    const double residual = ContactResidual(program, i, impulses, velocities);
    squares += residual * residual;
    largest = std::max(largest, residual);
  }
  touching_ += touching;
  figures_.contacts += touching;
  figures_.residual += largest;
  figures_.root_mean_square += std::sqrt(squares / std::max(touching, 1));
}

GranularFigures GranularMeter::Finish(const std::vector<Vec3>& positions) {
  figures_.milliseconds_per_step /= std::max(timed_, 1);
  figures_.mean_penetration /= std::max(touching_, 1.0);
  for (double* mean : {&figures_.contacts, &figures_.residual, &figures_.root_mean_square})
    *mean /= std::max(steps_, 1);
  for (const Vec3& p : positions) {
    const bool inside = p.z() > 0 && std::abs(p.x()) < task_.half_width && std::abs(p.y()) < task_.half_width;
    figures_.lost += !inside;
  }
  return figures_;
}

}  // namespace slipstick::internal

import type { FrameView } from "./player";

export type Vector = [number, number, number];

// Where the seven numbers of a body's pose begin in its block.
export function poseAt(view: FrameView, body: number): number {
  const bodies = view.block.poses.length / 7 / view.block.count;
  return (view.index * bodies + body) * 7;
}

export function positionOf(view: FrameView, body: number): Vector {
  const at = poseAt(view, body);
  const { poses } = view.block;
  return [poses[at + 4] ?? 0, poses[at + 5] ?? 0, poses[at + 6] ?? 0];
}

// Rotated by the pose's quaternion.
export function rotated(view: FrameView, body: number, v: Vector): Vector {
  const at = poseAt(view, body);
  const { poses } = view.block;
  const w = poses[at] ?? 1;
  const x = poses[at + 1] ?? 0;
  const y = poses[at + 2] ?? 0;
  const z = poses[at + 3] ?? 0;
  const s = 2 / (w * w + x * x + y * y + z * z);
  const t: Vector = [s * (y * v[2] - z * v[1]), s * (z * v[0] - x * v[2]), s * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

export interface Motion {
  velocity: Vector; // of the body's origin [m/s]
  angular: Vector; // [rad/s], world axes
}

// From the poses of two frames, which may lie in different blocks.
export function motionBetween(before: FrameView, after: FrameView, body: number): Motion {
  const duration = after.time - before.time;
  if (!(duration > 0)) return { velocity: [0, 0, 0], angular: [0, 0, 0] };
  const from = positionOf(before, body);
  const to = positionOf(after, body);
  const a = poseAt(before, body);
  const b = poseAt(after, body);
  const p = before.block.poses;
  const q = after.block.poses;
  const [aw, ax, ay, az] = [p[a] ?? 1, p[a + 1] ?? 0, p[a + 2] ?? 0, p[a + 3] ?? 0];
  const [bw, bx, by, bz] = [q[b] ?? 1, q[b + 1] ?? 0, q[b + 2] ?? 0, q[b + 3] ?? 0];
  // the rotation b a⁻¹ from one to the other, in world axes
  let w = bw * aw + bx * ax + by * ay + bz * az;
  let x = bx * aw - bw * ax - by * az + bz * ay;
  let y = by * aw - bw * ay - bz * ax + bx * az;
  let z = bz * aw - bw * az - bx * ay + by * ax;
  if (w < 0) [w, x, y, z] = [-w, -x, -y, -z];
  const sine = Math.hypot(x, y, z);
  const rate = sine > 0 ? (2 * Math.atan2(sine, w)) / sine / duration : 0;
  return {
    velocity: [(to[0] - from[0]) / duration, (to[1] - from[1]) / duration, (to[2] - from[2]) / duration],
    angular: [x * rate, y * rate, z * rate],
  };
}

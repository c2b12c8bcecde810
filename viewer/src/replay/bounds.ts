import * as THREE from "three";
import type { ReplayBlock } from "./decode";
import type { GeometryData, ReplayHeader } from "./source";

// How far a shape reaches from its own origin [m]; planes, which reach everywhere, count nothing.
function reachOf(data: GeometryData): number {
  const [a = 0, b = 0, c = 0] = data.sizes;
  switch (data.type) {
    case "sphere":
    case "disk":
      return a;
    case "box":
      return Math.hypot(a, b, c);
    case "capsule":
      return a + b;
    case "cylinder":
      return Math.hypot(a, b);
    case "hull": {
      let reach = 0;
      for (let at = 0; at + 2 < data.sizes.length; at += 3) {
        reach = Math.max(reach, Math.hypot(data.sizes[at] ?? 0, data.sizes[at + 1] ?? 0, data.sizes[at + 2] ?? 0));
      }
      return reach;
    }
    default:
      return 0;
  }
}

// Radius about each body's origin that holds its shapes.
export function bodyRadii(header: ReplayHeader): Float64Array {
  const reaches = header.geometries.map(reachOf);
  const radii = new Float64Array(header.body_names.length);
  for (const shape of header.shapes) {
    if (shape.body < 0) continue;
    const arm = Math.hypot(shape.pose[4] ?? 0, shape.pose[5] ?? 0, shape.pose[6] ?? 0);
    radii[shape.body] = Math.max(radii[shape.body] ?? 0, arm + (reaches[shape.geometry] ?? 0));
  }
  return radii;
}

function percentiles(values: number[], part: number): [number, number] {
  values.sort((a, b) => a - b);
  const last = values.length - 1;
  return [values[Math.floor(part * last)] ?? 0, values[Math.ceil((1 - part) * last)] ?? 0];
}

const framesLookedAt = 40;

// Where things are in these blocks. Of many bodies a few may fly off: they do not count.
export function boundsOf(header: ReplayHeader, blocks: readonly ReplayBlock[]): THREE.Box3 {
  const radii = bodyRadii(header);
  const bodies = radii.length;
  const low: number[][] = [[], [], []];
  const high: number[][] = [[], [], []];
  for (const block of blocks) {
    const stride = Math.max(1, Math.floor(block.count / framesLookedAt));
    const bodyStride = Math.max(1, Math.floor(bodies / 3000));
    for (let frame = 0; frame < block.count; frame += stride) {
      for (let body = 0; body < bodies; body += bodyStride) {
        if ((header.body_releases[body] ?? 0) > (block.times[frame] ?? 0)) continue;
        const at = (frame * bodies + body) * 7 + 4;
        for (let axis = 0; axis < 3; ++axis) {
          const place = block.poses[at + axis] ?? 0;
          low[axis]?.push(place - (radii[body] ?? 0));
          high[axis]?.push(place + (radii[body] ?? 0));
        }
      }
    }
  }
  const part = bodies > 100 ? 0.004 : 0;
  const bounds = new THREE.Box3();
  if ((low[0]?.length ?? 0) > 0) {
    const ends = [0, 1, 2].map((axis) => [percentiles(low[axis] ?? [], part)[0], percentiles(high[axis] ?? [], part)[1]]);
    bounds.min.set(ends[0]?.[0] ?? 0, ends[1]?.[0] ?? 0, ends[2]?.[0] ?? 0);
    bounds.max.set(ends[0]?.[1] ?? 0, ends[1]?.[1] ?? 0, ends[2]?.[1] ?? 0);
  }
  // what stands still counts where it is not far larger than what moves
  const size = bounds.isEmpty() ? Infinity : bounds.getSize(new THREE.Vector3()).length();
  for (const shape of header.shapes) {
    const data = header.geometries[shape.geometry];
    if (shape.body >= 0 || !data || data.type === "plane") continue;
    const reach = reachOf(data);
    if (reach > 2 * size) continue;
    const centre = new THREE.Vector3(shape.pose[4], shape.pose[5], shape.pose[6]);
    bounds.union(new THREE.Box3().setFromCenterAndSize(centre, new THREE.Vector3(1, 1, 1).multiplyScalar(1.3 * reach)));
  }
  if (bounds.isEmpty()) bounds.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  // bodies without shapes are points, and a point has no size to fit
  const room = bounds.getSize(new THREE.Vector3()).length();
  return bounds.expandByScalar(room > 0 ? 0.01 * room : 0.5);
}

// The median, over the frames with contacts, of a frame's largest force [N]; 0: no contacts.
export function typicalForce(blocks: readonly ReplayBlock[]): number {
  const largest: number[] = [];
  for (const { contacts, count } of blocks) {
    for (let frame = 0; frame < count; ++frame) {
      let most = 0;
      for (let number = contacts.starts[frame] ?? 0; number < (contacts.starts[frame + 1] ?? 0); ++number) {
        const at = 3 * number;
        most = Math.max(most, Math.hypot(contacts.force[at] ?? 0, contacts.force[at + 1] ?? 0, contacts.force[at + 2] ?? 0));
      }
      if (most > 0) largest.push(most);
    }
  }
  largest.sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)] ?? 0;
}

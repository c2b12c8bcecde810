import * as THREE from "three";
import type { ReplayBlock } from "./decode";
import type { GeometryData, ReplayHeader } from "./source";

// Half the box about a shape along the world's axes, where its own axes are the columns of a matrix.
function halfBox(data: GeometryData, axes: THREE.Matrix4, into: THREE.Vector3): THREE.Vector3 {
  const [a = 0, b = 0, c = 0] = data.sizes;
  const e = axes.elements;
  const along = (row: number, x: number, y: number, z: number) =>
    Math.abs((e[row] ?? 0) * x) + Math.abs((e[4 + row] ?? 0) * y) + Math.abs((e[8 + row] ?? 0) * z);
  // of a disk of radius a whose axis is z
  const round = (row: number) => a * Math.sqrt(Math.max(0, 1 - (e[8 + row] ?? 0) ** 2));
  switch (data.type) {
    case "sphere":
      return into.set(a, a, a);
    case "box":
      return into.set(along(0, a, b, c), along(1, a, b, c), along(2, a, b, c));
    case "capsule":
      return into.set(a + along(0, 0, 0, b), a + along(1, 0, 0, b), a + along(2, 0, 0, b));
    case "cylinder":
      return into.set(round(0) + along(0, 0, 0, b), round(1) + along(1, 0, 0, b), round(2) + along(2, 0, 0, b));
    case "disk":
      return into.set(round(0), round(1), round(2));
    case "hull": {
      let reach = 0;
      for (let at = 0; at + 2 < data.sizes.length; at += 3) {
        reach = Math.max(reach, Math.hypot(data.sizes[at] ?? 0, data.sizes[at + 1] ?? 0, data.sizes[at + 2] ?? 0));
      }
      return into.set(reach, reach, reach);
    }
    default:
      return into.set(0, 0, 0);
  }
}

function matrixOf(pose: ArrayLike<number>, at: number, into: THREE.Matrix4): THREE.Matrix4 {
  const turn = new THREE.Quaternion(pose[at + 1], pose[at + 2], pose[at + 3], pose[at]).normalize();
  return into.compose(new THREE.Vector3(pose[at + 4], pose[at + 5], pose[at + 6]), turn, new THREE.Vector3(1, 1, 1));
}

// The boxes of many shapes: smallest and largest coordinates, three lists each.
class Extent {
  private readonly low: number[][] = [[], [], []];
  private readonly high: number[][] = [[], [], []];
  private readonly centre = new THREE.Vector3();
  private readonly half = new THREE.Vector3();

  add(data: GeometryData, matrix: THREE.Matrix4): void {
    halfBox(data, matrix, this.half);
    this.centre.setFromMatrixPosition(matrix);
    for (let axis = 0; axis < 3; ++axis) {
      this.low[axis]?.push(this.centre.getComponent(axis) - this.half.getComponent(axis));
      this.high[axis]?.push(this.centre.getComponent(axis) + this.half.getComponent(axis));
    }
  }

  // Without this part of those that lie farthest out.
  box(part: number): THREE.Box3 {
    const bounds = new THREE.Box3();
    if (this.low[0]?.length === 0) return bounds;
    const at = (values: number[], share: number) => values.sort((a, b) => a - b)[Math.round(share * (values.length - 1))] ?? 0;
    bounds.min.fromArray(this.low.map((values) => at(values, part)));
    bounds.max.fromArray(this.high.map((values) => at(values, 1 - part)));
    return bounds;
  }
}

// Bodies without a shape are to be seen too: small balls, whose size the caller sets when it knows that of the scene.
export function markShapeless(header: ReplayHeader): GeometryData {
  const marker: GeometryData = { type: "sphere", sizes: [0], faces: [] };
  const shaped = new Set(header.shapes.map((shape) => shape.body));
  const geometry = header.geometries.push(marker) - 1;
  header.body_names.forEach((name, body) => {
    if (!shaped.has(body)) header.shapes.push({ body, name, geometry, pose: [1, 0, 0, 0, 0, 0, 0] });
  });
  return marker;
}

const framesLookedAt = 40;
const shapesLookedAt = 2000;

// Where things are in these blocks. Of many bodies a few may fly off: they do not count.
export function boundsOf(header: ReplayHeader, blocks: readonly ReplayBlock[]): THREE.Box3 {
  const moving = header.shapes.filter((shape) => shape.body >= 0 && header.geometries[shape.geometry]?.type !== "plane");
  const some = moving.filter((_, index) => index % Math.ceil(moving.length / shapesLookedAt) === 0);
  const locals = some.map((shape) => matrixOf(shape.pose, 0, new THREE.Matrix4()));
  const bodies = header.body_names.length;
  const extent = new Extent();
  const matrix = new THREE.Matrix4();
  for (const block of blocks) {
    const stride = Math.ceil(block.count / Math.max(2, Math.min(framesLookedAt, 40_000 / Math.max(1, some.length))));
    for (let frame = 0; frame < block.count; frame += stride) {
      some.forEach((shape, index) => {
        const data = header.geometries[shape.geometry];
        const local = locals[index];
        if (!data || !local || (header.body_releases[shape.body] ?? 0) > (block.times[frame] ?? 0)) return;
        extent.add(data, matrixOf(block.poses, (frame * bodies + shape.body) * 7, matrix).multiply(local));
      });
    }
  }
  const bounds = extent.box(moving.length > 100 ? 0.004 : 0);
  // what stands still counts where it is not far larger than what moves
  const size = bounds.isEmpty() ? Infinity : bounds.getSize(new THREE.Vector3()).length();
  for (const shape of header.shapes) {
    const data = header.geometries[shape.geometry];
    if (shape.body >= 0 || !data || data.type === "plane") continue;
    const still = new Extent();
    still.add(data, matrixOf(shape.pose, 0, matrix));
    const box = still.box(0);
    if (box.getSize(new THREE.Vector3()).length() <= 3 * size) bounds.union(box);
  }
  if (bounds.isEmpty()) bounds.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  // a point has no size to fit
  const room = bounds.getSize(new THREE.Vector3()).length();
  return bounds.expandByScalar(room > 0 ? 0.01 * room : 0.5);
}

// The median, over the frames with contacts, of the force that a quarter of a frame's contacts exceed [N]; 0: no
// contacts.
export function typicalForce(blocks: readonly ReplayBlock[]): number {
  const upper: number[] = [];
  for (const { contacts, count } of blocks) {
    for (let frame = 0; frame < count; ++frame) {
      const forces: number[] = [];
      for (let number = contacts.starts[frame] ?? 0; number < (contacts.starts[frame + 1] ?? 0); ++number) {
        const at = 3 * number;
        forces.push(Math.hypot(contacts.force[at] ?? 0, contacts.force[at + 1] ?? 0, contacts.force[at + 2] ?? 0));
      }
      if (forces.length > 0) upper.push(forces.sort((a, b) => a - b)[Math.floor(0.75 * forces.length)] ?? 0);
    }
  }
  upper.sort((a, b) => a - b);
  return upper[Math.floor(upper.length / 2)] ?? 0;
}

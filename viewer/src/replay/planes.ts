import * as THREE from "three";
import type { FrameView } from "./player";
import { poseAt } from "./pose";
import type { ReplayHeader } from "./source";
import type { StageColours } from "./colours";

// Planes are without end; what is drawn of one is a square about the scene with a grid and an edge, less what lies
// behind the other planes of the world: a floor between walls ends at the walls.

interface PlaneShape {
  body: number;
  matrix: THREE.Matrix4; // of the plane's frame in its body
}

interface Card {
  body: number;
  group: THREE.Group;
  face: THREE.MeshLambertMaterial;
  grid: THREE.LineBasicMaterial;
  edge: THREE.LineBasicMaterial;
  isFloor: boolean;
}

// A half-space in the plane's own coordinates: a x + b y ≥ c.
type HalfPlane = [number, number, number];
type Point = [number, number];

function clipped(polygon: Point[], [a, b, c]: HalfPlane): Point[] {
  const kept: Point[] = [];
  polygon.forEach((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const here = a * point[0] + b * point[1] - c;
    const there = a * next[0] + b * next[1] - c;
    if (here >= 0) kept.push(point);
    if (here >= 0 !== there >= 0) {
      const part = here / (here - there);
      kept.push([point[0] + part * (next[0] - point[0]), point[1] + part * (next[1] - point[1])]);
    }
  });
  return kept;
}

// The part of a line that is inside a convex polygon.
function insidePolygon(from: Point, to: Point, polygon: Point[]): [Point, Point] | undefined {
  let low = 0;
  let high = 1;
  for (let index = 0; index < polygon.length; ++index) {
    const [x0, y0] = polygon[index] ?? [0, 0];
    const [x1, y1] = polygon[(index + 1) % polygon.length] ?? [0, 0];
    // inside is to the left of each side
    const distance = ([x, y]: Point) => (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    const here = distance(from);
    const there = distance(to);
    if (here < 0 && there < 0) return undefined;
    if (here < 0) low = Math.max(low, here / (here - there));
    else if (there < 0) high = Math.min(high, here / (here - there));
  }
  if (low >= high) return undefined;
  const at = (part: number): Point => [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
  return [at(low), at(high)];
}

// 1, 2 or 5 times a power of ten.
export function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const part = length / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

export class Planes {
  readonly group = new THREE.Group();
  spacing = 0; // of the grid [m]
  private readonly shapes: PlaneShape[] = [];
  private cards: Card[] = [];

  constructor(header: ReplayHeader) {
    for (const shape of header.shapes) {
      if (header.geometries[shape.geometry]?.type !== "plane") continue;
      const [w = 1, x = 0, y = 0, z = 0, px = 0, py = 0, pz = 0] = shape.pose;
      const matrix = new THREE.Matrix4().compose(
        new THREE.Vector3(px, py, pz),
        new THREE.Quaternion(x, y, z, w),
        new THREE.Vector3(1, 1, 1),
      );
      this.shapes.push({ body: shape.body, matrix });
    }
  }

  get any(): boolean {
    return this.shapes.length > 0;
  }

  // Lays the cards out about the bounds of what moves.
  layOut(bounds: THREE.Box3, colours: StageColours): void {
    this.dispose();
    const size = bounds.getSize(new THREE.Vector3());
    const half = 0.75 * Math.max(size.x, size.y, size.z) + 0.25 * size.length();
    this.spacing = niceLength(half / 6);
    for (const shape of this.shapes) {
      const card = this.card(shape, bounds, half);
      if (card) {
        this.cards.push(card);
        this.group.add(card.group);
      }
    }
    this.setColours(colours);
  }

  place(view: FrameView): void {
    const { poses } = view.block;
    for (const card of this.cards) {
      if (card.body < 0) continue;
      const at = poseAt(view, card.body);
      card.group.position.set(poses[at + 4] ?? 0, poses[at + 5] ?? 0, poses[at + 6] ?? 0);
      card.group.quaternion.set(poses[at + 1] ?? 0, poses[at + 2] ?? 0, poses[at + 3] ?? 0, poses[at] ?? 1).normalize();
    }
  }

  setColours(colours: StageColours): void {
    for (const card of this.cards) {
      card.face.color.set(colours.ground);
      card.grid.color.set(colours.grid);
      card.edge.color.set(colours.edge);
    }
  }

  dispose(): void {
    for (const card of this.cards) {
      card.group.traverse((child) => {
        if (child instanceof THREE.Mesh || child instanceof THREE.LineSegments) child.geometry.dispose();
      });
      [card.face, card.grid, card.edge].forEach((material) => material.dispose());
      this.group.remove(card.group);
    }
    this.cards = [];
  }

  private card(shape: PlaneShape, bounds: THREE.Box3, half: number): Card | undefined {
    const inverse = shape.matrix.clone().invert();
    const normal = new THREE.Vector3().setFromMatrixColumn(shape.matrix, 2);
    const isFloor = normal.z > 0.5;
    const centre = bounds.getCenter(new THREE.Vector3());
    // a wall stands as high as what moves
    const top = Math.min(half, bounds.max.z - centre.z + 0.1 * half);
    const middle = shape.body < 0 ? centre.clone().applyMatrix4(inverse) : new THREE.Vector3();
    let polygon: Point[] = [
      [middle.x - half, middle.y - half],
      [middle.x + half, middle.y - half],
      [middle.x + half, middle.y + half],
      [middle.x - half, middle.y + half],
    ];
    const halves: HalfPlane[] = shape.body < 0 ? this.boundsOf(shape, inverse) : [];
    if (!isFloor && shape.body < 0) {
      // points below the top: z of the world is linear in the plane's coordinates
      const e = shape.matrix.elements;
      halves.push([-(e[2] ?? 0), -(e[6] ?? 0), (e[14] ?? 0) - centre.z - top]);
    }
    for (const one of halves) polygon = clipped(polygon, one);
    if (polygon.length < 3) return undefined;

    const outline = new THREE.Shape(polygon.map(([x, y]) => new THREE.Vector2(x, y)));
    const face = new THREE.MeshLambertMaterial({
      transparent: !isFloor,
      opacity: isFloor ? 1 : 0.28,
      depthWrite: isFloor,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 4,
    });
    const grid = new THREE.LineBasicMaterial({ transparent: true, opacity: isFloor ? 0.9 : 0.35 });
    const edge = new THREE.LineBasicMaterial({ transparent: true, opacity: isFloor ? 1 : 0.3 });
    const mesh = new THREE.Mesh(new THREE.ShapeGeometry(outline), face);
    mesh.receiveShadow = isFloor;
    const inner = new THREE.Group();
    inner.applyMatrix4(shape.matrix);
    inner.add(mesh, lines(gridOf(polygon, this.spacing), grid), lines(outlineOf(polygon), edge));
    const group = new THREE.Group();
    group.add(inner);
    return { body: shape.body, group, face, grid, edge, isFloor };
  }

  // In front of all other planes of the world, in the coordinates of one of them.
  private boundsOf(shape: PlaneShape, inverse: THREE.Matrix4): HalfPlane[] {
    const halves: HalfPlane[] = [];
    for (const other of this.shapes) {
      if (other === shape || other.body >= 0) continue;
      const relative = inverse.clone().multiply(other.matrix);
      const n = new THREE.Vector3().setFromMatrixColumn(relative, 2);
      const p = new THREE.Vector3().setFromMatrixPosition(relative);
      if (Math.hypot(n.x, n.y) < 1e-6) continue;
      halves.push([n.x, n.y, n.dot(p)]);
    }
    return halves;
  }
}

function lines(points: Point[], material: THREE.Material): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points.flatMap(([x, y]) => [x, y, 0]), 3));
  return new THREE.LineSegments(geometry, material);
}

function outlineOf(polygon: Point[]): Point[] {
  return polygon.flatMap((point, index) => [point, polygon[(index + 1) % polygon.length] ?? point]);
}

// At whole multiples of the spacing.
function gridOf(polygon: Point[], spacing: number): Point[] {
  const points: Point[] = [];
  const xs = polygon.map((point) => point[0]);
  const ys = polygon.map((point) => point[1]);
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let x = Math.ceil(left / spacing) * spacing; x <= right; x += spacing) {
    points.push(...(insidePolygon([x, bottom], [x, top], polygon) ?? []));
  }
  for (let y = Math.ceil(bottom / spacing) * spacing; y <= top; y += spacing) {
    points.push(...(insidePolygon([left, y], [right, y], polygon) ?? []));
  }
  return points;
}

import * as THREE from "three";
import type { StageColours } from "./colours";
import type { FrameView } from "./player";
import type { ReplayHeader } from "./source";
import type { Stage } from "./stage";

export const stateNames = ["open", "stick", "slip", "roll"] as const;

// A contact through time: which shapes, and where on each.
export interface ContactName {
  shapeA: number;
  shapeB: number;
  placeA: number;
  placeB: number;
}

// One contact of one frame, seen from the body that moves: force and normal point to it.
export interface Contact extends ContactName {
  state: number;
  position: THREE.Vector3;
  normal: THREE.Vector3;
  force: THREE.Vector3;
  moment: THREE.Vector3;
  slip: THREE.Vector3;
  gap: number;
  friction: number; // the coefficient that limits it; −1: not known
  rolling: number;
  spinning: number;
  residual: number; // m/s; −1: not known
}

export function contactAt(view: FrameView, header: ReplayHeader, number: number): Contact {
  const c = view.block.contacts;
  const [shapeA, shapeB] = [c.shapeA[number] ?? 0, c.shapeB[number] ?? 0];
  // on the world alone nobody wants to see a force
  const sign = (header.shapes[shapeA]?.body ?? -1) < 0 ? -1 : 1;
  const vector = (column: ArrayLike<number>, factor: number) =>
    new THREE.Vector3(column[3 * number], column[3 * number + 1], column[3 * number + 2]).multiplyScalar(factor);
  const state = c.state[number] ?? 0;
  return {
    shapeA,
    shapeB,
    placeA: c.placeA[number] ?? 0,
    placeB: c.placeB[number] ?? 0,
    state,
    position: vector(c.position, 1),
    normal: vector(c.normal, sign),
    force: vector(c.force, sign),
    moment: vector(c.moment, sign),
    slip: vector(c.slip, sign),
    gap: c.gap[number] ?? 0,
    friction: (state === 2 ? c.frictionKinetic[number] : c.frictionStatic[number]) ?? -1,
    rolling: c.rolling[number] ?? -1,
    spinning: c.spinning[number] ?? -1,
    residual: c.residual[number] ?? -1,
  };
}

export function contactRange(view: FrameView): [number, number] {
  const { starts } = view.block.contacts;
  return [starts[view.index] ?? 0, starts[view.index + 1] ?? 0];
}

export function findContact(view: FrameView, header: ReplayHeader, name: ContactName): Contact | undefined {
  const c = view.block.contacts;
  const [begin, end] = contactRange(view);
  for (let number = begin; number < end; ++number) {
    const areShapes = c.shapeA[number] === name.shapeA && c.shapeB[number] === name.shapeB;
    if (areShapes && c.placeA[number] === name.placeA && c.placeB[number] === name.placeB) {
      return contactAt(view, header, number);
    }
  }
  return undefined;
}

const pixels = { point: 4.5, shaft: 1.7, headRadius: 5, headLength: 12, arrow: 110, longest: 330, cone: 70 };
const many = 30; // contacts
const upwards = new THREE.Vector3(0, 1, 0);

function overlay(geometry: THREE.BufferGeometry, count: number): THREE.InstancedMesh {
  // seen through bodies: a contact is hidden between two of them
  const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
  const mesh = new THREE.InstancedMesh(geometry, material, count);
  mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
  mesh.frustumCulled = false;
  mesh.renderOrder = 10;
  mesh.count = 0;
  return mesh;
}

// Contact points with arrows of their forces, and the friction cone of the one that is chosen.
export class ContactMarks {
  readonly group = new THREE.Group();
  scale = 1; // of the arrows
  reference = 0; // N: as long as pixels.arrow
  shown: Contact[] = [];
  private readonly points: THREE.InstancedMesh;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly cone = new THREE.Group();
  private readonly coneFace = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity: 0.26,
    side: THREE.DoubleSide,
    depthTest: false,
    depthWrite: false,
  });
  private readonly coneLine = new THREE.LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });

  constructor(
    private readonly stage: Stage,
    private readonly header: ReplayHeader,
    private colours: StageColours,
  ) {
    const most = Math.max(1, Math.min(header.most_contacts, 4000));
    this.points = overlay(new THREE.IcosahedronGeometry(1, 1), most);
    this.shafts = overlay(new THREE.CylinderGeometry(1, 1, 1, 8, 1, true).translate(0, 0.5, 0), most);
    this.heads = overlay(new THREE.ConeGeometry(1, 1, 12).translate(0, 0.5, 0), most);
    this.makeCone();
    this.group.add(this.cone, this.points, this.shafts, this.heads);
  }

  setColours(colours: StageColours): void {
    this.colours = colours;
  }

  show(view: FrameView): void {
    const [begin, end] = contactRange(view);
    this.shown = [];
    for (let number = begin; number < end && this.shown.length < this.points.instanceMatrix.count; ++number) {
      this.shown.push(contactAt(view, this.header, number));
    }
  }

  hide(): void {
    this.shown = [];
  }

  // Sizes are those of the screen, so this is called whenever the camera moves too.
  draw(chosen: Contact | undefined): void {
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const direction = new THREE.Vector3();
    const colour = new THREE.Color();
    const thinner = Math.min(1, Math.sqrt((3 * many) / Math.max(1, this.shown.length)));
    this.shown.forEach((contact, index) => {
      const metre = this.stage.metresPerPixel(contact.position);
      const width = thinner * metre;
      const isChosen =
        chosen !== undefined &&
        chosen.shapeA === contact.shapeA &&
        chosen.shapeB === contact.shapeB &&
        chosen.placeA === contact.placeA &&
        chosen.placeB === contact.placeB;
      const ofState = this.colours.states[contact.state - 1] ?? "#888888";
      colour.set(isChosen ? this.colours.chosen : ofState);
      const radius = pixels.point * (isChosen ? 1.4 * metre : width);
      matrix.makeScale(radius, radius, radius).setPosition(contact.position);
      this.points.setMatrixAt(index, matrix);
      this.points.setColorAt(index, colour);
      colour.set(ofState);

      const length = this.lengthOf(contact) * metre;
      direction.copy(contact.force).normalize();
      turn.setFromUnitVectors(upwards, direction);
      const head = Math.min(pixels.headLength * width, length);
      const shaft = Math.max(0, length - head);
      matrix.compose(contact.position, turn, new THREE.Vector3(pixels.shaft * width, shaft, pixels.shaft * width));
      this.shafts.setMatrixAt(index, matrix);
      this.shafts.setColorAt(index, colour);
      const headWidth = (pixels.headRadius * head) / pixels.headLength;
      matrix.compose(contact.position.clone().addScaledVector(direction, shaft), turn, new THREE.Vector3(headWidth, head, headWidth));
      this.heads.setMatrixAt(index, matrix);
      this.heads.setColorAt(index, colour);
    });
    for (const mesh of [this.points, this.shafts, this.heads]) {
      mesh.count = this.shown.length;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.placeCone(chosen);
  }

  // The contact whose point is nearest to a place on the screen, within reach [pixels].
  pick(x: number, y: number, width: number, height: number, reach: number): Contact | undefined {
    let best: Contact | undefined;
    let least = reach;
    const point = new THREE.Vector3();
    for (const contact of this.shown) {
      point.copy(contact.position).project(this.stage.camera);
      if (point.z > 1) continue;
      const distance = Math.hypot(((point.x + 1) / 2) * width - x, ((1 - point.y) / 2) * height - y);
      if (distance < least) {
        least = distance;
        best = contact;
      }
    }
    return best;
  }

  dispose(): void {
    for (const mesh of [this.points, this.shafts, this.heads]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.coneFace.dispose();
    this.coneLine.dispose();
  }

  // Of an arrow [pixels].
  private lengthOf(contact: Contact): number {
    if (!(this.reference > 0)) return 0;
    // shorter in a small picture
    const small = Math.min(1, this.stage.canvas.clientHeight / 600, this.stage.canvas.clientWidth / 700);
    // and among many, which would hide what they press on
    const part = small * Math.min(1, Math.sqrt(many / Math.max(1, this.shown.length)));
    return part * Math.min(pixels.longest, (pixels.arrow * this.scale * contact.force.length()) / this.reference);
  }

  private makeCone(): void {
    // tip at the origin, open along y, radius and height 1
    const face = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 64, 1, true).rotateX(Math.PI).translate(0, 0.5, 0), this.coneFace);
    const rim: number[] = [];
    const sides = 64;
    for (let index = 0; index < sides; ++index) {
      for (const at of [index, index + 1]) {
        const angle = (2 * Math.PI * at) / sides;
        rim.push(Math.cos(angle), 1, Math.sin(angle));
      }
      if (index % 16 === 0) {
        const angle = (2 * Math.PI * index) / sides;
        rim.push(0, 0, 0, Math.cos(angle), 1, Math.sin(angle));
      }
    }
    const lines = new THREE.LineSegments(
      new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(rim, 3)),
      this.coneLine,
    );
    [face, lines].forEach((part) => {
      part.renderOrder = 9;
      part.frustumCulled = false;
    });
    this.cone.add(face, lines);
    this.cone.visible = false;
  }

  // As high as the normal force is long, so that the arrow ends inside where Coulomb's law holds.
  private placeCone(chosen: Contact | undefined): void {
    this.cone.visible = chosen !== undefined && chosen.friction > 0;
    if (!chosen || !this.cone.visible) return;
    const metre = this.stage.metresPerPixel(chosen.position);
    const normal = chosen.force.dot(chosen.normal);
    const size = chosen.force.length();
    const length = this.lengthOf(chosen) * metre;
    const height = Math.max(pixels.cone * metre, size > 0 ? (length * normal) / size : 0);
    this.cone.position.copy(chosen.position);
    this.cone.quaternion.setFromUnitVectors(upwards, chosen.normal);
    const radius = Math.min(chosen.friction, 50) * height;
    this.cone.scale.set(radius, height, radius);
    this.coneFace.color.set(this.colours.chosen);
    this.coneLine.color.set(this.colours.chosen);
  }
}

import { element } from "../report/element";
import { formatValue } from "../report/number";
import { Contact, stateNames } from "./contacts";
import { FrameView } from "./player";
import { motionBetween, poseAt, positionOf, rotated, Vector } from "./pose";
import type { ReplayHeader } from "./source";

const svgSpace = "http://www.w3.org/2000/svg";

function number(value: number): string {
  return isFinite(value) ? formatValue(Number(value.toPrecision(4)), 0) : "–";
}

function vectorText(vector: Vector, unit: string): string {
  return `${vector.map(number).join(", ")} ${unit}`;
}

function rows(entries: [string, string][]): HTMLElement {
  const list = element("dl", "inspector-rows");
  for (const [name, value] of entries) list.append(element("dt", "", name), element("dd", "", value));
  return list;
}

// ½ m v² + ½ ωᵀ I ω with the velocity of the centre of mass.
export function kineticEnergy(inertia: readonly number[], view: FrameView, body: number, velocity: Vector, angular: Vector): number {
  const [mass = 0, cx = 0, cy = 0, cz = 0, xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = inertia;
  const arm = rotated(view, body, [cx, cy, cz]);
  const [wx, wy, wz] = angular;
  const v: Vector = [
    velocity[0] + wy * arm[2] - wz * arm[1],
    velocity[1] + wz * arm[0] - wx * arm[2],
    velocity[2] + wx * arm[1] - wy * arm[0],
  ];
  // components of ω along the body's axes
  const axes: Vector[] = [rotated(view, body, [1, 0, 0]), rotated(view, body, [0, 1, 0]), rotated(view, body, [0, 0, 1])];
  const [a = 0, b = 0, c = 0] = axes.map((axis) => axis[0] * wx + axis[1] * wy + axis[2] * wz);
  const turning = xx * a * a + yy * b * b + zz * c * c + 2 * (xy * a * b + xz * a * c + yz * b * c);
  return (mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning) / 2;
}

export function bodyPanel(header: ReplayHeader, body: number, view: FrameView, before: FrameView, after: FrameView): HTMLElement[] {
  const motion = motionBetween(before, after, body);
  const at = poseAt(view, body);
  const quaternion = Array.from(view.block.poses.slice(at, at + 4), number).join(", ");
  const entries: [string, string][] = [
    ["position", vectorText(positionOf(view, body), "m")],
    ["quaternion w x y z", quaternion],
    ["speed", `${number(Math.hypot(...motion.velocity))} m/s`],
    ["velocity", vectorText(motion.velocity, "m/s")],
    ["angular velocity", vectorText(motion.angular, "rad/s")],
  ];
  const inertia = header.body_inertias[body];
  if (inertia) {
    entries.push(["mass", `${number(inertia[0] ?? 0)} kg`]);
    entries.push(["kinetic energy", `${number(kineticEnergy(inertia, view, body, motion.velocity, motion.angular))} J`]);
  }
  return [
    rows(entries),
    element("p", "inspector-note", "Velocities are differences of the poses of neighbouring frames, of the body's origin."),
  ];
}

export function nameOfShape(header: ReplayHeader, shape: number): string {
  const data = header.shapes[shape];
  if (!data) return "?";
  const body = data.body < 0 ? "world" : (header.body_names[data.body] ?? "?");
  return data.name === "" || data.name === header.geometries[data.geometry]?.type ? body : `${body} · ${data.name}`;
}

// The friction disk seen along the normal: its radius is all that friction can give, the arrow what it gives.
function disk(contact: Contact, colour: string): SVGSVGElement {
  const normal = contact.force.dot(contact.normal);
  const limit = contact.friction * normal;
  const tangential = contact.force.clone().addScaledVector(contact.normal, -normal);
  // axes in the plane of contact: along x of the world, or y where that is the normal
  const x = contact.normal.clone().set(1, 0, 0).addScaledVector(contact.normal, -contact.normal.x);
  if (x.lengthSq() < 0.1) x.set(0, 1, 0).addScaledVector(contact.normal, -contact.normal.y);
  x.normalize();
  const y = contact.normal.clone().cross(x);
  const part = limit > 0 ? 1 / limit : 0;
  const [dx, dy] = [tangential.dot(x) * part, -tangential.dot(y) * part];
  const far = Math.max(1, Math.hypot(dx, dy));
  const svg = document.createElementNS(svgSpace, "svg");
  svg.setAttribute("viewBox", "-60 -60 120 120");
  svg.setAttribute("class", "friction-disk");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Friction force within its limit, seen along the normal");
  const add = (tag: string, attributes: Record<string, string | number>) => {
    const node = document.createElementNS(svgSpace, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    svg.append(node);
  };
  const radius = 52 / far;
  add("circle", { r: radius, class: "disk-limit" });
  add("line", { x1: -radius, x2: radius, class: "disk-axis" });
  add("line", { y1: -radius, y2: radius, class: "disk-axis" });
  add("line", { x2: dx * radius, y2: dy * radius, stroke: colour, "stroke-width": 3, "stroke-linecap": "round" });
  add("circle", { cx: dx * radius, cy: dy * radius, r: 4.5, fill: colour });
  return svg;
}

export function contactPanel(contact: Contact, colour: string): HTMLElement[] {
  const normal = contact.force.dot(contact.normal);
  const tangential = contact.force.clone().addScaledVector(contact.normal, -normal).length();
  const entries: [string, string][] = [
    ["state", stateNames[contact.state] ?? "?"],
    ["normal force", `${number(normal)} N`],
    ["friction force", `${number(tangential)} N`],
  ];
  if (contact.friction >= 0) {
    entries.push([contact.state === 2 ? "μ, sliding" : "μ", number(contact.friction)]);
    if (contact.friction > 0 && normal > 0) {
      entries.push(["used of the cone", `${number((100 * tangential) / (contact.friction * normal))} %`]);
    }
  } else {
    entries.push(["μ", "not in this recording"]);
  }
  entries.push(["slip speed", `${number(contact.slip.length())} m/s`], ["gap", `${number(contact.gap)} m`]);
  const about = contact.moment.dot(contact.normal);
  const rolling = contact.moment.clone().addScaledVector(contact.normal, -about).length();
  if (contact.rolling > 0) entries.push(["rolling moment", `${number(rolling)} of ${number(contact.rolling * normal)} N m`]);
  if (contact.spinning > 0) entries.push(["spinning moment", `${number(Math.abs(about))} of ${number(contact.spinning * normal)} N m`]);
  if (contact.residual >= 0) entries.push(["from exact Coulomb", `${number(contact.residual)} m/s`]);
  const parts: (HTMLElement | SVGSVGElement)[] = [rows(entries)];
  if (contact.friction > 0 && normal > 0) {
    const figure = element("div", "disk-figure");
    figure.append(disk(contact, colour), element("p", "inspector-note", "Seen along the normal: the circle is μ times the normal force."));
    parts.push(figure);
  } else if (contact.friction === 0) {
    parts.push(element("p", "inspector-note", "Without friction: the cone is a line."));
  }
  return parts as HTMLElement[];
}

import * as THREE from "three";
import type { GeometryData, ReplayHeader } from "./source";
import { ManySpheres } from "./many_spheres";
import type { FrameView } from "./player";
import { poseAt } from "./pose";

// All shapes but planes, instances of a few meshes: one for all spheres, one for all boxes, one for each hull.

interface Form {
  key: string; // shapes of the same key share a mesh
  scale: [number, number, number];
  make: (count: number) => THREE.BufferGeometry;
  pattern: string; // its sign, a function of the point p of the mesh, tells the lighter from the darker half; "": one tone
  edges: boolean;
}

function hullGeometry(data: GeometryData): THREE.BufferGeometry {
  const points: number[] = [];
  const corner = (index: number) => {
    for (let axis = 0; axis < 3; ++axis) points.push(data.sizes[3 * index + axis] ?? 0);
  };
  for (let at = 0; at < data.faces.length; ) {
    const count = data.faces[at] ?? 0;
    const loop = data.faces.slice(at + 1, at + 1 + count);
    for (let i = 1; i + 1 < count; ++i) [loop[0], loop[i], loop[i + 1]].forEach((index) => corner(index ?? 0));
    at += count + 1;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}

export const manyBodies = 400;

// Fewer triangles where there are more: the whole picture may be drawn by a processor.
function sphereGeometry(count: number): THREE.BufferGeometry {
  return count > 12 ? new THREE.SphereGeometry(1, 20, 14) : new THREE.SphereGeometry(1, 32, 22);
}

function formOf(data: GeometryData, number: number): Form | undefined {
  const [a = 0, b = 0, c = 0] = data.sizes;
  const octants = "p.x * p.y * p.z";
  const quadrants = "p.x * p.y";
  switch (data.type) {
    case "sphere":
      return { key: "sphere", scale: [a, a, a], make: sphereGeometry, pattern: octants, edges: false };
    case "box":
      return { key: "box", scale: [a, b, c], make: () => new THREE.BoxGeometry(2, 2, 2), pattern: "", edges: true };
    case "cylinder":
      return {
        key: "cylinder",
        scale: [a, a, b],
        make: () => new THREE.CylinderGeometry(1, 1, 2, 48).rotateX(Math.PI / 2),
        pattern: quadrants,
        edges: true,
      };
    case "disk":
      // as thin as can be seen, so that both sides are lit
      return {
        key: "disk",
        scale: [a, a, 0.015 * a],
        make: () => new THREE.CylinderGeometry(1, 1, 2, 64).rotateX(Math.PI / 2),
        pattern: quadrants,
        edges: true,
      };
    case "capsule":
      return {
        key: `capsule ${(b / a).toFixed(4)}`,
        scale: [a, a, a],
        make: () => new THREE.CapsuleGeometry(1, (2 * b) / a, 10, 28).rotateX(Math.PI / 2),
        pattern: octants,
        edges: false,
      };
    case "hull":
      return { key: `hull ${number}`, scale: [1, 1, 1], make: () => hullGeometry(data), pattern: "", edges: true };
    default:
      return undefined;
  }
}

// Two tones, so that turning can be seen.
function bodyMaterial(pattern: string): THREE.Material {
  const material = new THREE.MeshLambertMaterial({
    color: 0xffffff,
    // so that edges stand before their faces
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 2,
  });
  if (pattern === "") return material;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vPoint;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPoint = position;");

    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vPoint;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        { vec3 p = vPoint; float side = ${pattern}; float soft = fwidth(side) + 1e-6;
          diffuseColor.rgb *= mix(0.62, 1.0, smoothstep(-soft, soft, side)); }`,
      );
  };
  material.customProgramCacheKey = () => pattern;
  return material;
}

// Lines at the instances of a mesh. The renderer takes what calls itself an instanced mesh for one, lines too.
class InstancedLines extends THREE.LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceColor = null;
  readonly morphTexture = null;
  constructor(
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    readonly instanceMatrix: THREE.InstancedBufferAttribute,
    readonly count: number,
  ) {
    super(geometry, material);
    this.frustumCulled = false;
    this.raycast = () => undefined;
  }
}

interface Bucket {
  mesh: THREE.InstancedMesh;
  bodies: Int32Array; // of each instance; −1: the world
  locals: Float32Array; // of each instance 3 × 4 numbers by columns: the shape in the body's frame
}

const mostEdged = 1500;
const mostRoundMeshes = 60;

export class BodyMeshes {
  readonly group = new THREE.Group();
  private readonly buckets: Bucket[] = [];
  private readonly spheres: ManySpheres[] = [];
  private readonly edgeMaterial = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });
  private readonly releases: readonly number[];

  constructor(header: ReplayHeader) {
    this.releases = header.body_releases;
    const forms = header.geometries.map(formOf);
    const members = new Map<string, number[]>();
    header.shapes.forEach((shape, index) => {
      const form = forms[shape.geometry];
      if (!form) return;
      const key = `${form.key}${shape.body < 0 ? " of the world" : ""}`;
      const known = members.get(key);
      if (known) known.push(index);
      else members.set(key, [index]);
    });
    for (const shapes of members.values()) this.addBucket(header, forms, shapes);
  }

  private addBucket(header: ReplayHeader, forms: (Form | undefined)[], shapes: number[]): void {
    const form = forms[header.shapes[shapes[0] ?? 0]?.geometry ?? 0];
    if (!form) return;
    if (form.key === "sphere" && shapes.length > mostRoundMeshes && this.areCentred(header, shapes)) {
      const bodies = Int32Array.from(shapes, (number) => header.shapes[number]?.body ?? -1);
      const radii = Float32Array.from(shapes, (number) => forms[header.shapes[number]?.geometry ?? 0]?.scale[0] ?? 0);
      const spheres = new ManySpheres(bodies, radii, (body, time) => this.isThere(body, time));
      this.spheres.push(spheres);
      this.group.add(spheres.points);
      return;
    }
    const geometry = form.make(shapes.length);
    const mesh = new THREE.InstancedMesh(geometry, bodyMaterial(form.pattern), shapes.length);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * shapes.length).fill(1), 3);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const bodies = new Int32Array(shapes.length);
    const locals = new Float32Array(12 * shapes.length);
    const local = new THREE.Matrix4();
    shapes.forEach((number, instance) => {
      const shape = header.shapes[number];
      const [w = 1, x = 0, y = 0, z = 0, px = 0, py = 0, pz = 0] = shape?.pose ?? [];
      const scale = forms[shape?.geometry ?? 0]?.scale ?? [1, 1, 1];
      local.compose(new THREE.Vector3(px, py, pz), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(...scale));
      bodies[instance] = shape?.body ?? -1;
      for (let column = 0; column < 4; ++column) {
        for (let row = 0; row < 3; ++row) locals[12 * instance + 3 * column + row] = local.elements[4 * column + row] ?? 0;
      }
    });
    this.buckets.push({ mesh, bodies, locals });
    this.group.add(mesh);
    if (form.edges && shapes.length <= mostEdged) {
      const edges = new THREE.EdgesGeometry(geometry, 20);
      this.group.add(new InstancedLines(edges, this.edgeMaterial, mesh.instanceMatrix, shapes.length));
    }
  }

  // On their bodies' origins, of bodies that move.
  private areCentred(header: ReplayHeader, shapes: number[]): boolean {
    return shapes.every((number) => {
      const shape = header.shapes[number];
      return shape !== undefined && shape.body >= 0 && shape.pose.slice(4).every((value) => value === 0);
    });
  }

  isThere(body: number, time: number): boolean {
    return body < 0 || (this.releases[body] ?? 0) <= time * (1 + 1e-9) + 1e-9;
  }

  place(view: FrameView): void {
    this.spheres.forEach((spheres) => spheres.place(view));
    const { poses } = view.block;
    for (const { mesh, bodies, locals } of this.buckets) {
      const matrices = mesh.instanceMatrix.array;
      for (let instance = 0; instance < bodies.length; ++instance) {
        const body = bodies[instance] ?? -1;
        const to = 16 * instance;
        let w = 1, x = 0, y = 0, z = 0, px = 0, py = 0, pz = 0;
        if (body >= 0) {
          const at = poseAt(view, body);
          w = poses[at] ?? 1;
          x = poses[at + 1] ?? 0;
          y = poses[at + 2] ?? 0;
          z = poses[at + 3] ?? 0;
          px = poses[at + 4] ?? 0;
          py = poses[at + 5] ?? 0;
          pz = poses[at + 6] ?? 0;
        }
        // what is not there yet shrinks to a point
        const s = this.isThere(body, view.time) ? 2 / (w * w + x * x + y * y + z * z) : 0;
        const size = s > 0 ? 1 : 0;
        const xx = size - s * (y * y + z * z), xy = s * (x * y - w * z), xz = s * (x * z + w * y);
        const yx = s * (x * y + w * z), yy = size - s * (x * x + z * z), yz = s * (y * z - w * x);
        const zx = s * (x * z - w * y), zy = s * (y * z + w * x), zz = size - s * (x * x + y * y);
        for (let column = 0; column < 4; ++column) {
          const from = 12 * instance + 3 * column;
          const a = locals[from] ?? 0, b = locals[from + 1] ?? 0, c = locals[from + 2] ?? 0;
          const last = column === 3 ? 1 : 0;
          matrices[to + 4 * column] = xx * a + xy * b + xz * c + last * px;
          matrices[to + 4 * column + 1] = yx * a + yy * b + yz * c + last * py;
          matrices[to + 4 * column + 2] = zx * a + zy * b + zz * c + last * pz;
          matrices[to + 4 * column + 3] = last;
        }
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  setColours(colourOf: (body: number) => THREE.Color): void {
    this.spheres.forEach((spheres) => spheres.setColours(colourOf));
    for (const { mesh, bodies } of this.buckets) {
      bodies.forEach((body, instance) => mesh.setColorAt(instance, colourOf(body)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  setEdgeColour(colour: THREE.ColorRepresentation): void {
    this.edgeMaterial.color.set(colour);
  }

  // The body whose shape the ray meets first; −1: the world's or none.
  pick(raycaster: THREE.Raycaster): number {
    const meshes = this.buckets.map((bucket) => bucket.mesh);
    const [hit] = raycaster.intersectObjects(meshes, false);
    const bucket = this.buckets.find((candidate) => candidate.mesh === hit?.object);
    let best = { body: bucket?.bodies[hit?.instanceId ?? -1] ?? -1, distance: hit?.distance ?? Infinity };
    for (const spheres of this.spheres) {
      const other = spheres.pick(raycaster.ray);
      if (other.distance < best.distance) best = other;
    }
    return best.body;
  }

  dispose(): void {
    this.spheres.forEach((spheres) => spheres.dispose());
    this.group.traverse((child) => {
      if (child instanceof THREE.Mesh || child instanceof THREE.LineSegments) child.geometry.dispose();
      if (child instanceof THREE.InstancedMesh) {
        (child.material as THREE.Material).dispose();
        child.dispose();
      }
    });
    this.edgeMaterial.dispose();
  }
}

import * as THREE from "three";
import { light } from "./light";
import type { FrameView } from "./player";
import { poseAt } from "./pose";

// Thousands of spheres as points, each a small picture of a sphere that is lit and turned pixel by pixel: one vertex a
// sphere and one call to draw them all. Where a processor draws, instances cost a call each, which takes seconds.

const vertexShader = /* glsl */ `
attribute float radius;
attribute vec4 turn;
uniform float pixels; // half the height of the picture
varying vec3 vCentre;
varying float vRadius;
varying vec3 vColour;
varying mat3 vToBody;
void main() {
  vec4 centre = modelViewMatrix * vec4(position, 1.0);
  vCentre = centre.xyz;
  vRadius = radius;
  vColour = color;
  vec4 q = turn;
  mat3 fromBody = mat3(
    1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y),
    2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x),
    2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
  vToBody = transpose(mat3(viewMatrix) * fromBody);
  gl_Position = projectionMatrix * centre;
  gl_PointSize = radius > 0.0 ? 2.0 * radius * projectionMatrix[1][1] * pixels / max(1e-9, -centre.z) : 0.0;
}`;

const fragmentShader = /* glsl */ `
uniform mat4 projection;
uniform mat3 toWorld;
uniform vec3 sun;
uniform vec2 strengths;
uniform vec3 ground;
varying vec3 vCentre;
varying float vRadius;
varying vec3 vColour;
varying mat3 vToBody;
void main() {
  vec2 place = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
  float rest = 1.0 - dot(place, place);
  if (rest < 0.0 || vRadius <= 0.0) discard;
  vec3 normal = vec3(place, sqrt(rest));
  vec4 clip = projection * vec4(vCentre + vRadius * normal, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  vec3 p = vToBody * normal;
  float side = p.x * p.y * p.z;
  float tone = mix(0.74, 1.0, smoothstep(-0.03, 0.03, side));
  vec3 n = toWorld * normal;
  vec3 sky = mix(ground, vec3(1.0), 0.5 + 0.5 * n.z);
  // the rim is darker, as if its neighbours took some of the light
  float shade = 0.55 + 0.45 * normal.z;
  gl_FragColor = vec4(vColour * tone * shade * (strengths.x * max(0.0, dot(n, sun)) + strengths.y * sky) / 3.14159, 1.0);
  #include <colorspace_fragment>
}`;

export class ManySpheres {
  readonly points: THREE.Points;
  private readonly centres: Float32Array;
  private readonly turns: Float32Array;
  private readonly sizes: Float32Array;
  private readonly tones: Float32Array;
  private readonly uniforms = {
    pixels: { value: 1 },
    projection: { value: new THREE.Matrix4() },
    toWorld: { value: new THREE.Matrix3() },
    sun: { value: new THREE.Vector3(...light.direction).normalize() },
    strengths: { value: new THREE.Vector2(light.sun, light.sky) },
    ground: { value: new THREE.Color(light.ground) },
  };

  constructor(
    readonly bodies: Int32Array,
    private readonly radii: Float32Array,
    private readonly isThere: (body: number, time: number) => boolean,
  ) {
    const count = bodies.length;
    this.centres = new Float32Array(3 * count);
    this.turns = new Float32Array(4 * count);
    this.sizes = new Float32Array(count);
    this.tones = new Float32Array(3 * count).fill(1);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.centres, 3));
    geometry.setAttribute("turn", new THREE.BufferAttribute(this.turns, 4));
    geometry.setAttribute("radius", new THREE.BufferAttribute(this.sizes, 1));
    geometry.setAttribute("color", new THREE.BufferAttribute(this.tones, 3));
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, vertexColors: true });
    this.points = new THREE.Points(geometry, material);
    this.points.frustumCulled = false;
    const size = new THREE.Vector2();
    this.points.onBeforeRender = (renderer, _scene, camera) => {
      this.uniforms.pixels.value = renderer.getDrawingBufferSize(size).y / 2;
      this.uniforms.projection.value.copy(camera.projectionMatrix);
      this.uniforms.toWorld.value.setFromMatrix4(camera.matrixWorld);
    };
  }

  place(view: FrameView): void {
    const { poses } = view.block;
    this.bodies.forEach((body, index) => {
      const at = poseAt(view, body);
      const length = Math.hypot(poses[at] ?? 1, poses[at + 1] ?? 0, poses[at + 2] ?? 0, poses[at + 3] ?? 0) || 1;
      for (let axis = 0; axis < 3; ++axis) {
        this.centres[3 * index + axis] = poses[at + 4 + axis] ?? 0;
        this.turns[4 * index + axis] = (poses[at + 1 + axis] ?? 0) / length;
      }
      this.turns[4 * index + 3] = (poses[at] ?? 1) / length;
      this.sizes[index] = this.isThere(body, view.time) ? (this.radii[index] ?? 0) : 0;
    });
    for (const name of ["position", "turn", "radius"]) this.changed(name);
  }

  setColours(colourOf: (body: number) => THREE.Color): void {
    this.bodies.forEach((body, index) => colourOf(body).toArray(this.tones, 3 * index));
    this.changed("color");
  }

  // The sphere that the ray meets first and how far it is.
  pick(ray: THREE.Ray): { body: number; distance: number } {
    let best = { body: -1, distance: Infinity };
    const centre = new THREE.Vector3();
    const hit = new THREE.Vector3();
    this.bodies.forEach((body, index) => {
      const radius = this.sizes[index] ?? 0;
      if (radius <= 0) return;
      centre.fromArray(this.centres, 3 * index);
      if (!ray.intersectSphere(new THREE.Sphere(centre, radius), hit)) return;
      const distance = hit.distanceTo(ray.origin);
      if (distance < best.distance) best = { body, distance };
    });
    return best;
  }

  dispose(): void {
    this.points.geometry.dispose();
    (this.points.material as THREE.Material).dispose();
  }

  private changed(name: string): void {
    const attribute = this.points.geometry.getAttribute(name);
    if (attribute instanceof THREE.BufferAttribute) attribute.needsUpdate = true;
  }
}

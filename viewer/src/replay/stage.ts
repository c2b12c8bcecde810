import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { StageColours } from "./colours";
import { light } from "./light";

// From where to look, as a direction from the scene to the eye; z is up.
export const presets = {
  isometric: [0.62, -1, 0.62],
  front: [0, -1, 0.12],
  side: [1, 0, 0.12],
  top: [0, -1e-3, 1],
} as const;
export type Preset = keyof typeof presets;

// Renderer, light, camera. Draws when something changed, never otherwise: many browsers draw this on the processor.
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly bounds = new THREE.Box3(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
  onView: () => void = () => undefined; // the camera moved, or the size changed
  private readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight(0xffffff, light.sun);
  private readonly sky = new THREE.HemisphereLight(0xffffff, light.ground, light.sky);
  private readonly follow = new THREE.Vector3();
  private asked = false;

  // Throws where the browser has no WebGL.
  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly isLarge: boolean, // so many bodies that it must be drawn with less care
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isLarge, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = !isLarge;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableZoom = false; // until the replay is clicked, so that the wheel scrolls the page
    this.controls.zoomSpeed = 1.4;
    this.controls.addEventListener("change", () => {
      this.onView();
      this.redraw();
    });
  }

  setColours(colours: StageColours): void {
    this.scene.background = new THREE.Color(colours.background);
    this.redraw();
  }

  setBounds(bounds: THREE.Box3): void {
    this.bounds.copy(bounds);
    const centre = bounds.getCenter(new THREE.Vector3());
    const radius = Math.max(1e-6, bounds.getSize(new THREE.Vector3()).length() / 2);
    this.sun.position.copy(centre).add(new THREE.Vector3(...light.direction).normalize().multiplyScalar(4 * radius));
    this.sun.target.position.copy(centre);
    const { camera } = this.sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-1.15 * radius, 1.15 * radius, -1.15 * radius, 1.15 * radius];
    [camera.near, camera.far] = [radius, 8 * radius];
    camera.updateProjectionMatrix();
    // what is drawn lies on the surface that throws the shadow, by up to a cell of the map
    this.sun.shadow.normalBias = (2.3 * radius) / 1024;
    this.controls.minDistance = 0.02 * radius;
    this.controls.maxDistance = 30 * radius;
    this.camera.near = 0.01 * radius;
    this.camera.far = 60 * radius;
    this.camera.updateProjectionMatrix();
  }

  // Looks along the preset so that the bounds fill the picture.
  look(preset: Preset): void {
    this.fit(new THREE.Vector3(...presets[preset]).normalize());
  }

  // The direction stays, the distance fits.
  fit(direction = this.camera.position.clone().sub(this.controls.target).normalize()): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const towards = direction.lengthSq() > 0 ? direction : new THREE.Vector3(0, -1, 0);
    const right = new THREE.Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new THREE.Vector3().crossVectors(towards, right);
    const slopeY = Math.tan((this.camera.fov * Math.PI) / 360);
    const slopeX = slopeY * this.camera.aspect;
    const { min, max } = this.bounds;
    const corners: THREE.Vector3[] = [];
    for (let index = 0; index < 8; ++index) {
      corners.push(
        new THREE.Vector3(index & 1 ? max.x : min.x, index & 2 ? max.y : min.y, index & 4 ? max.z : min.z).sub(centre),
      );
    }
    // Two rounds: the first finds the distance, then the middle of what is seen from there becomes the target.
    let distance = 0;
    for (let round = 0; round < 3; ++round) {
      distance = 0;
      for (const corner of corners) {
        const depth = corner.dot(towards);
        distance = Math.max(distance, depth + Math.abs(corner.dot(right)) / slopeX, depth + Math.abs(corner.dot(up)) / slopeY);
      }
      let [left, rightmost, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const corner of corners) {
        const depth = distance - corner.dot(towards);
        left = Math.min(left, corner.dot(right) / depth);
        rightmost = Math.max(rightmost, corner.dot(right) / depth);
        low = Math.min(low, corner.dot(up) / depth);
        high = Math.max(high, corner.dot(up) / depth);
      }
      const shift = right
        .clone()
        .multiplyScalar(((left + rightmost) / 2) * distance)
        .add(up.clone().multiplyScalar(((low + high) / 2) * distance));
      centre.add(shift);
      corners.forEach((corner) => corner.sub(shift));
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(towards, 1.08 * distance);
    this.controls.update();
    this.onView();
    this.redraw();
  }

  // Moves with a point: the camera keeps its place relative to it.
  startFollowing(point: THREE.Vector3): void {
    const shift = point.clone().sub(this.controls.target);
    this.camera.position.add(shift);
    this.controls.target.copy(point);
    this.follow.copy(point);
    this.controls.update();
  }

  followTo(point: THREE.Vector3): void {
    const shift = point.clone().sub(this.follow);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.follow.copy(point);
    this.controls.update();
  }

  // Metres that a pixel of the page shows at the distance of a point.
  metresPerPixel(point: THREE.Vector3): number {
    const distance = Math.max(this.camera.near, this.camera.position.distanceTo(point));
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, this.isLarge ? 1 : 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.onView();
    this.drawNow();
  }

  dispose(): void {
    this.controls.dispose();
    this.renderer.dispose();
    // browsers allow a page few of them
    this.renderer.forceContextLoss();
    this.asked = true; // nothing more is drawn
  }

  redraw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    this.asked = false;
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.draws = String(Number(this.canvas.dataset.draws ?? "0") + 1);
  }
}

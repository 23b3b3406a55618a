/** A model on a stage: camera, light, turning. Draws when something changed and at no other time. */
import {
  Box3,
  BufferGeometry,
  DirectionalLight,
  HemisphereLight,
  Material,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Spherical,
  Texture,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

/** Turn about the x axis, in radians, of models whose z axis points up. */
export const Z_UP = -Math.PI / 2;

export interface ModelFacts {
  triangles: number;
  /** Width, height, depth in the model's own units. */
  size: readonly [number, number, number];
}

export interface ModelScene {
  facts: ModelFacts;
  /** The whole model, seen from its front corner. */
  showAll(): void;
  zoom(factor: number): void;
  /** Around the model, in radians: to the side, and up. */
  turn(side: number, up: number): void;
  dispose(): void;
}

/** Puts a canvas into `host`. Null where the browser has no WebGL. `isStage`: takes the wheel, and every touch. */
export function createScene(host: HTMLElement, model: Object3D, isStage: boolean): ModelScene | null {
  const canvas = document.createElement('canvas');
  const renderer = createRenderer(canvas);
  if (renderer === null) return null;
  canvas.className = 'block h-full w-full cursor-grab active:cursor-grabbing';
  host.append(canvas);
  const scene = new Scene();
  const camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  const key = new DirectionalLight(0xffffff, 2.6);
  key.position.set(-2.4, 2.2, 1.4);
  camera.add(key);
  scene.add(camera, new HemisphereLight(0xffffff, 0x6f7680, 1.1), model);

  const box = new Box3().setFromObject(model);
  const size = box.getSize(new Vector3());
  const centre = box.getCenter(new Vector3());
  const radius = Math.max(size.length() / 2, 1e-6);
  const controls = new OrbitControls(camera, canvas);
  controls.enableZoom = isStage;
  controls.enablePan = isStage;
  controls.minDistance = radius * 0.2;
  controls.maxDistance = radius * 20;
  // In a card one finger up or down scrolls the chat, to the side it turns the model.
  canvas.style.touchAction = isStage ? 'none' : 'pan-y';

  let frame = 0;
  const draw = () => {
    frame = 0;
    renderer.render(scene, camera);
  };
  const redraw = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  controls.addEventListener('change', redraw);

  const showAll = () => {
    // The whole ball around the model, in the narrower direction.
    const half = Math.min(
      camera.fov,
      2 * Math.atan(Math.tan((camera.fov * Math.PI) / 360) * camera.aspect) * (180 / Math.PI),
    );
    const distance = (radius / Math.sin((half * Math.PI) / 360)) * 1.08;
    camera.position.copy(centre).add(new Vector3(0.9, 0.62, 1.15).normalize().multiplyScalar(distance));
    camera.near = distance / 1000;
    camera.far = distance * 50;
    camera.updateProjectionMatrix();
    controls.target.copy(centre);
    controls.update();
    redraw();
  };
  const move = (change: (at: Spherical) => void) => {
    const at = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    change(at);
    at.makeSafe();
    camera.position.copy(controls.target).add(new Vector3().setFromSpherical(at));
    controls.update();
    redraw();
  };

  const observer = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = host;
    if (clientWidth === 0 || clientHeight === 0) return;
    const isFirst = camera.userData.isSized !== true;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
    camera.userData.isSized = true;
    if (isFirst) showAll();
    else redraw();
  });
  observer.observe(host);

  return {
    facts: {
      triangles: countTriangles(model),
      size: isZUp(model) ? [size.x, size.z, size.y] : [size.x, size.y, size.z],
    },
    showAll,
    zoom: (factor) =>
      move((at) => {
        at.radius = clamp(at.radius / factor, controls);
      }),
    turn: (side, up) =>
      move((at) => {
        at.theta += side;
        at.phi -= up;
      }),
    dispose() {
      cancelAnimationFrame(frame);
      observer.disconnect();
      controls.dispose();
      renderer.dispose();
      // Browsers keep a dozen contexts at most; this one is free at once.
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}

/** Turned so that it stands: its own height is the second one of ours. */
const isZUp = (model: Object3D): boolean => model.rotation.x === Z_UP;

const clamp = (value: number, { minDistance, maxDistance }: OrbitControls) =>
  Math.min(maxDistance, Math.max(minDistance, value));

function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  // Asked first: three.js would write its failure to the console.
  const context = canvas.getContext('webgl2', { antialias: true, alpha: true });
  return context === null ? null : new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
}

function countTriangles(model: Object3D): number {
  let count = 0;
  model.traverse((node) => {
    if (!(node instanceof Mesh) || !(node.geometry instanceof BufferGeometry)) return;
    count += (node.geometry.index?.count ?? node.geometry.getAttribute('position')?.count ?? 0) / 3;
  });
  return Math.round(count);
}

/** Gives the memory of shapes, surfaces and pictures back. */
export function disposeModel(model: Object3D): void {
  model.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    node.geometry.dispose();
    for (const material of [node.material].flat()) {
      if (!(material instanceof Material)) continue;
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
      material.dispose();
    }
  });
}

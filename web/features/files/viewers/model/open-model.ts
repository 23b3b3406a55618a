/** Reads STL and glTF into a three.js object, from bytes alone: what would load something else is refused. */
import { type Group, type LoadingManager, Mesh, MeshStandardMaterial, type Object3D, TextureLoader } from 'three';
import { type GLTF, GLTFLoader, type GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { Unreadable } from '../use-file';
import { Z_UP } from './scene';

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;

/** An STL has a shape and no colour: a light clay that shows its faces. */
const clay = () => new MeshStandardMaterial({ color: 0xb9c0c6, roughness: 0.62, metalness: 0.08, flatShading: true });

export async function openStl(blob: Blob): Promise<Object3D> {
  const geometry = new STLLoader().parse(await blob.arrayBuffer());
  if ((geometry.getAttribute('position')?.count ?? 0) === 0) throw new Unreadable('This model is empty.');
  geometry.computeVertexNormals();
  const mesh = new Mesh(geometry, clay());
  // What is made to be printed has its height along z.
  mesh.rotation.x = Z_UP;
  return mesh;
}

/** Throws `Unreadable` where the model refers to other files or needs a decoder that we do not have. */
export async function openGltf(blob: Blob): Promise<Object3D> {
  const bytes = await blob.arrayBuffer();
  checkReferences(readJson(bytes));
  const loader = new GLTFLoader().register((parser) => withoutNetwork(parser));
  const gltf = await new Promise<GLTF>((resolve, reject) => loader.parse(bytes, '', resolve, reject)).catch(
    (error: unknown) => {
      const words = String(error);
      if (/DRACO|Meshopt|KTX2/i.test(words)) {
        throw new Unreadable(
          'This model is compressed in a way that cannot be read here. Save it without compression.',
        );
      }
      throw error;
    },
  );
  return gltf.scene as Group;
}

/**
 * Gives the parser loaders that reach nothing: buffers are decoded from the text, and pictures go through an image element,
 * which our content policy lets have `data:` and `blob:` only.
 */
function withoutNetwork(parser: GLTFParser) {
  const { manager } = parser.options as unknown as { manager: LoadingManager };
  Object.assign(parser, { textureLoader: new TextureLoader(manager), fileLoader: { load: loadDataUri } });
  return { name: 'navi-without-network' };
}

function loadDataUri(
  url: string,
  onLoad: (data: ArrayBuffer) => void,
  _onProgress: unknown,
  onError: (error: unknown) => void,
) {
  const base64 = /^data:[^,]*;base64,([\s\S]*)$/.exec(url)?.[1];
  try {
    if (base64 === undefined) throw new Unreadable('This model refers to other files.');
    onLoad(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer);
  } catch (error) {
    onError(error);
  }
}

interface GltfJson {
  buffers?: { uri?: unknown }[];
  images?: { uri?: unknown }[];
}

function readJson(bytes: ArrayBuffer): GltfJson {
  const view = new DataView(bytes);
  const isBinary = bytes.byteLength >= 20 && view.getUint32(0, true) === GLB_MAGIC;
  if (isBinary && view.getUint32(16, true) !== JSON_CHUNK) throw new Unreadable('This model is damaged.');
  const json = isBinary ? new Uint8Array(bytes, 20, view.getUint32(12, true)) : new Uint8Array(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(json)) as GltfJson;
  } catch {
    throw new Unreadable('This model is damaged and cannot be shown.');
  }
}

function checkReferences({ buffers = [], images = [] }: GltfJson): void {
  const outside = [...buffers, ...images].find(({ uri }) => typeof uri === 'string' && !uri.startsWith('data:'));
  if (outside === undefined) return;
  const name = String(outside.uri).slice(0, 80);
  throw new Unreadable(`This model refers to another file (“${name}”), which is not loaded. Save it as one .glb file.`);
}

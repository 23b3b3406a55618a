/**
 * What a file opens as, from its name and its bytes together: a PNG saved as `.txt` is an image, a `.ts` that is no
 * transport stream is source text (seed 004). Pure: the signature is read elsewhere.
 */
import type { FileKind } from '../schema';
import { extensionOf } from './names';

export interface ContentFacts {
  name: string;
  /** MIME type by signature; null when none is known. */
  signature: string | null;
  /** Valid text of a known encoding, without NUL. */
  isText: boolean;
  /** The first characters of a text; '' otherwise. */
  head: string;
}

export interface ContentType {
  kind: FileKind;
  mimeType: string;
}

/** Images that a browser draws and none of which can hold a script. HEIC is none: neither browsers nor sharp read it. */
const imageTypes = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'tiff', 'apng', 'x-icon'].map(
  (type) => `image/${type}`,
);

/** Types of text whose extension says more than "text". */
const textTypes: Readonly<Record<string, ContentType>> = {
  html: { kind: 'html', mimeType: 'text/html' },
  htm: { kind: 'html', mimeType: 'text/html' },
  xhtml: { kind: 'html', mimeType: 'application/xhtml+xml' },
  csv: { kind: 'csv', mimeType: 'text/csv' },
  tsv: { kind: 'csv', mimeType: 'text/tab-separated-values' },
  md: { kind: 'markdown', mimeType: 'text/markdown' },
  markdown: { kind: 'markdown', mimeType: 'text/markdown' },
  gltf: { kind: 'gltf', mimeType: 'model/gltf+json' },
  json: { kind: 'source', mimeType: 'application/json' },
  txt: { kind: 'text', mimeType: 'text/plain' },
  log: { kind: 'text', mimeType: 'text/plain' },
};

const sourceExtensions = new Set(
  `ada adoc asm astro bash bat c cc clj cmake conf cpp cs css cts cu cxx d dart diff dockerfile edn elm env erl ex exs f90 fish fs
  glsl go gql gradle graphql groovy h hcl hh hpp hs hxx ini java jl js json5 jsonc jsonl jsx kt kts less lisp lua m make mjs mdx ml mm
  mts nim nix pas patch php pl plist prisma proto ps1 py r rb rs rst sass scala scm scss sh sol sql styl svelte swift tcl tex tf thrift
  toml ts tsx v vb vim vue wgsl xml xsl yaml yml zig zsh`.split(/\s+/),
);

/** Names without an extension that are source all the same. */
const sourceNames = new Set(['dockerfile', 'makefile', 'rakefile', 'gemfile', 'jenkinsfile', 'procfile']);

export function classify({ name, signature, isText, head }: ContentFacts): ContentType {
  const extension = extensionOf(name);
  // A text's first bytes resemble many formats ("solid …", "ID3 …", "BM…"); only this one is made of text and unmistakable.
  if (isText) return head.startsWith('%PDF-') ? { kind: 'pdf', mimeType: 'application/pdf' } : textType(name, head);
  if (signature !== null) return binaryType(signature);
  if (extension === 'stl') return { kind: 'stl', mimeType: 'model/stl' };
  return { kind: 'other', mimeType: 'application/octet-stream' };
}

function binaryType(signature: string): ContentType {
  if (imageTypes.includes(signature)) return { kind: 'image', mimeType: signature };
  if (signature === 'application/pdf') return { kind: 'pdf', mimeType: signature };
  if (signature === 'model/gltf-binary') return { kind: 'gltf', mimeType: signature };
  // Binary STL may begin with "solid" too, which is what its signature is known by.
  if (signature === 'model/stl') return { kind: 'stl', mimeType: signature };
  if (signature === 'application/ogg') return { kind: 'audio', mimeType: 'audio/ogg' };
  if (signature === 'audio/x-m4a') return { kind: 'audio', mimeType: 'audio/mp4' };
  if (signature.startsWith('video/')) return { kind: 'video', mimeType: signature };
  if (signature.startsWith('audio/')) return { kind: 'audio', mimeType: signature };
  return { kind: 'other', mimeType: signature };
}

function textType(name: string, head: string): ContentType {
  const extension = extensionOf(name);
  const start = head.trimStart();
  if (extension === 'svg') {
    return isSvg(start) ? { kind: 'svg', mimeType: 'image/svg+xml' } : { kind: 'source', mimeType: 'text/plain' };
  }
  if (extension === 'stl') {
    return start.startsWith('solid')
      ? { kind: 'stl', mimeType: 'model/stl' }
      : { kind: 'text', mimeType: 'text/plain' };
  }
  if (extension === 'gltf' && !start.startsWith('{')) return { kind: 'text', mimeType: 'text/plain' };
  const known = textTypes[extension];
  if (known !== undefined) return known;
  const isSource = sourceExtensions.has(extension) || sourceNames.has(name.toLowerCase());
  return { kind: isSource ? 'source' : 'text', mimeType: 'text/plain' };
}

/** Whether the root element is `svg`: a declaration, comments and a document type may come before it. */
function isSvg(start: string): boolean {
  const root = start.replace(/^(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>|\s+)+/i, '');
  return /^<(?:\w+:)?svg[\s>/]/i.test(root);
}

/** The extension that an image gets from its bytes. */
export function imageExtension(mimeType: string): string {
  const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/x-icon': 'ico' };
  return extensions[mimeType] ?? mimeType.replace(/^image\//, '');
}

/** Kinds of files in words and icons, and how much of each a viewer takes. */
import {
  Box,
  Code,
  File,
  FileCode,
  FileImage,
  FileMusic,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from 'lucide-react';
import type { FileKind } from '../../../server/domains/files/schema';

const MB = 1024 * 1024;

interface KindFacts {
  name: string;
  icon: LucideIcon;
  /** Bytes above which it is only offered for download. Media play from the server and have no limit. */
  maxBytes: number;
}

/** Limits by what a laptop shows within a few seconds; what is parsed on the page has the lower ones. */
export const kinds: Record<FileKind, KindFacts> = {
  image: { name: 'Image', icon: FileImage, maxBytes: 100 * MB },
  svg: { name: 'Drawing', icon: FileImage, maxBytes: 10 * MB },
  html: { name: 'Page', icon: FileCode, maxBytes: 10 * MB },
  pdf: { name: 'PDF', icon: FileText, maxBytes: 100 * MB },
  video: { name: 'Video', icon: FileVideo, maxBytes: Number.POSITIVE_INFINITY },
  audio: { name: 'Audio', icon: FileMusic, maxBytes: Number.POSITIVE_INFINITY },
  stl: { name: '3D model', icon: Box, maxBytes: 100 * MB },
  gltf: { name: '3D model', icon: Box, maxBytes: 100 * MB },
  csv: { name: 'Table', icon: FileSpreadsheet, maxBytes: 50 * MB },
  markdown: { name: 'Document', icon: FileText, maxBytes: 2 * MB },
  text: { name: 'Text', icon: FileText, maxBytes: 10 * MB },
  source: { name: 'Source', icon: Code, maxBytes: 10 * MB },
  other: { name: 'File', icon: File, maxBytes: 0 },
};

/** Raster images go to the model as images; the server refuses others under that name. */
const raster = /\.(png|jpe?g|gif|webp|hei[cf]|avif|bmp|tiff?)$/i;
const rasterType = /^image\/(png|jpeg|gif|webp|hei[cf]|avif|bmp|tiff)$/;

export const isRasterImage = (file: { name: string; type: string }): boolean =>
  rasterType.test(file.type) || (file.type === '' && raster.test(file.name));

const extensions: [pattern: RegExp, kind: FileKind][] = [
  [raster, 'image'],
  [/\.svg$/i, 'svg'],
  [/\.html?$/i, 'html'],
  [/\.pdf$/i, 'pdf'],
  [/\.(mp4|webm|mov|m4v|ogv|mkv)$/i, 'video'],
  [/\.(mp3|wav|ogg|oga|m4a|flac|aac|opus)$/i, 'audio'],
  [/\.stl$/i, 'stl'],
  [/\.(gltf|glb)$/i, 'gltf'],
  [/\.(csv|tsv)$/i, 'csv'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.(txt|log)$/i, 'text'],
];

/** A guess from the name alone, for an icon until the server has looked inside. */
export const guessKind = (name: string): FileKind => extensions.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';

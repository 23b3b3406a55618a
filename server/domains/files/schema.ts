/** Shapes of session files as every way in and the web client see them. Paths never occur: what people and the agent see is the shown name. */
import * as z from 'zod';
import { idSchema } from '../../lib/input-schemas';

/** What a file opens as: its viewer. `other` is offered for download only. */
export const fileKindSchema = z.enum([
  'image',
  'svg',
  'html',
  'pdf',
  'video',
  'audio',
  'stl',
  'gltf',
  'csv',
  'markdown',
  'text',
  'source',
  'other',
]);
export type FileKind = z.infer<typeof fileKindSchema>;

/** Where a file of a session came from. */
export const fileOriginSchema = z.enum(['upload', 'image', 'agent']);
export type FileOrigin = z.infer<typeof fileOriginSchema>;

export const fileEntrySchema = z.object({
  id: z.string(),
  /** Shown name, unique in its session. The address of its bytes is `/api/sessions/:sessionId/files/:name`. */
  name: z.string(),
  kind: fileKindSchema,
  mimeType: z.string(),
  sizeBytes: z.number(),
  origin: fileOriginSchema,
  /** Registered as an artifact (`content_publish`, or the person's own click). */
  isPublished: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

/** A file as a message names it: on user messages what was sent, on tool messages `metadata.artifact`. */
export const fileRefSchema = fileEntrySchema.pick({
  id: true,
  name: true,
  kind: true,
  mimeType: true,
  sizeBytes: true,
});
export type FileRef = z.infer<typeof fileRefSchema>;

/** `metadata.artifact` of a tool message whose call shared or published a file. */
export const artifactSchema = fileRefSchema.extend({
  /** `published` opens in a viewer card, `shared` is a link to download. */
  mode: z.enum(['published', 'shared']),
  title: z.string().nullable(),
});
export type Artifact = z.infer<typeof artifactSchema>;

/** What is told before anything is sent. */
export const fileLimitsSchema = z.object({ maxSizeBytes: z.number(), refusedExtensions: z.array(z.string()) });
export type FileLimits = z.infer<typeof fileLimitsSchema>;

export const filesListInput = z.object({ sessionId: idSchema() });
/** `files.list`: newest first. */
export const filesListOutput = z.object({ items: z.array(fileEntrySchema), limits: fileLimitsSchema });
export const fileInput = z.object({ sessionId: idSchema(), fileId: idSchema() });

/** One part of an upload that was refused, beside those that were stored. */
export const uploadRefusalSchema = z.object({ name: z.string(), code: z.string(), message: z.string() });
/** Answer of `POST /api/sessions/:id/files` (201 when something was stored, 4xx with the same body when nothing was). */
export const uploadAnswerSchema = z.object({ files: z.array(fileEntrySchema), refused: z.array(uploadRefusalSchema) });
export type UploadAnswer = z.infer<typeof uploadAnswerSchema>;

/** The tools that hand files to the person: `share_file` copies one into the chat, `content_publish` shows one that is there. */
import { type FileHandle, realpath } from 'node:fs/promises';
import { basename, isAbsolute, sep } from 'node:path';
import * as z from 'zod';
import { isAppError } from '../../../lib/errors';
import type { Artifact } from '../../files/schema';
import type { FileService } from '../../files/service';
import type { SessionFolder } from '../../files/session-folder';
import type { StoredFile } from '../../files/store';
import { openOrdinary } from '../../files/workspace/folder';
import type { Workspace } from '../../files/workspace/workspace';
import { sessionFilePath } from '../engine/attachment-notice';
import type { FilePlaces } from './file-places';
import { formatSize } from './file-tools';
import { defineTool, type Tool, type ToolContext, ToolError } from './types';

export interface ShareToolsDependencies {
  files: Pick<FileService, 'add' | 'publishFile'>;
  sessionFolder: SessionFolder;
  places: FilePlaces;
  workspace: Workspace;
  /** Folders beside the workspace that files may be shared from; absolute. */
  roots: readonly string[];
  /** Largest file that is shared, in bytes. */
  maxBytes: number;
}

const title = z.string().max(200).optional().describe('What the card is headed with (default: the name).');

export function createShareTools(dependencies: ShareToolsDependencies): Tool[] {
  return [createShareTool(dependencies), createPublishTool(dependencies)];
}

function artifactOf(file: StoredFile, mode: Artifact['mode'], heading: string | undefined): Artifact {
  const { id, name, kind, mimeType, sizeBytes } = file;
  return { id, name, kind, mimeType, sizeBytes, mode, title: heading ?? null };
}

function createShareTool({ files, sessionFolder, places, workspace, roots, maxBytes }: ShareToolsDependencies): Tool {
  /** The file itself, links resolved; ToolError when it lies outside of what the owner's agent may hand out. */
  async function openSource(source: string, userId: string): Promise<{ handle: FileHandle; sizeBytes: number }> {
    const home = await workspace.forOwner(userId).ensure();
    if (!isAbsolute(source)) return workspace.forOwner(userId).openFile(source);
    const target = await realpath(source).catch(() => null);
    if (target === null) throw new ToolError(`There is no file ${JSON.stringify(source)}.`);
    const allowed = await Promise.all([home, ...roots].map((root) => realpath(root).catch(() => null)));
    if (!allowed.some((root) => root !== null && target.startsWith(root + sep))) {
      throw new ToolError(
        `${JSON.stringify(source)} lies outside of what may be shared: the workspace at ${home} and session_files/.`,
      );
    }
    const opened = await openOrdinary(target);
    if (opened === null) throw new ToolError(`${JSON.stringify(source)} is not a file.`);
    return opened;
  }

  /** The file of a chat that the source names already, however it is written; null when it lies elsewhere. */
  async function findStored(source: string, context: ToolContext): Promise<StoredFile | null> {
    if (isAbsolute(source)) return sessionFolder.findAt(context.sessionId, source);
    const place = await places.locate(source, context);
    return place.kind === 'session' ? sessionFolder.get(place.sessionId, place.name ?? '') : null;
  }

  async function share(source: string, name: string | undefined, { sessionId, userId, signal }: ToolContext) {
    const { handle, sizeBytes } = await openSource(source, userId);
    try {
      if (sizeBytes > maxBytes) {
        throw new ToolError(`It has ${formatSize(sizeBytes)}; at most ${formatSize(maxBytes)} can be shared.`);
      }
      const bytes = handle.createReadStream({ autoClose: false });
      return await files.add(sessionId, { name: name ?? basename(source), source: bytes, maxBytes, signal });
    } finally {
      await handle.close();
    }
  }

  return defineTool({
    name: 'share_file',
    description:
      'Gives a file to the person: copies it into this chat and shows a link to download it. To show a file in place, use content_publish.',
    class: 'write',
    input: z.object({
      source: z.string().min(1).max(4000).describe('Absolute path of an existing file, or its path in the workspace.'),
      name: z.string().min(1).max(255).optional().describe('Its name in the chat (default: as it is called).'),
      title,
    }),
    timeoutMs: 120_000,
    resultLimitChars: 2000,
    isCompressionCritical: true,
    async run({ source, name, title: heading }, context) {
      const found = await findStored(source, context);
      const file =
        found === null
          ? await share(source, name, context)
          : await sessionFolder.take(found, context.sessionId, { name, maxBytes, signal: context.signal });
      const shown = sessionFilePath(file.sessionId, file.name);
      return {
        text: `Shared ${shown} (${formatSize(file.sizeBytes)}). The person sees a link to download it.`,
        metadata: { artifact: artifactOf(file, 'shared', heading) },
      };
    },
  });
}

function createPublishTool({ files, sessionFolder, places }: ShareToolsDependencies): Tool {
  return defineTool({
    name: 'content_publish',
    description:
      'Shows a file of this chat in a viewer card: image, SVG, HTML, PDF, video, audio, STL, glTF, CSV, Markdown, text or source. Write it to session_files/NAME first. Copies nothing.',
    // It shows the person what already is the person's.
    class: 'read',
    input: z.object({
      path: z.string().min(1).max(4000).describe('session_files/NAME, or the name alone.'),
      title,
    }),
    timeoutMs: 15_000,
    resultLimitChars: 2000,
    isCompressionCritical: true,
    async run({ path, title: heading }, context) {
      const place = await places.locate(path, context);
      const inChat = place.kind === 'session' ? place : { sessionId: context.sessionId, name: place.path };
      if (inChat.sessionId !== context.sessionId) {
        throw new ToolError('It belongs to the chat of another agent. Take it into this one with share_file first.');
      }
      const found = await sessionFolder.get(inChat.sessionId, inChat.name ?? '').catch((error: unknown) => {
        if (!isAppError(error, 'not-found')) throw error;
        throw new ToolError(
          `This chat has no file ${JSON.stringify(inChat.name ?? path)}. Write it to session_files/ first, or use share_file for a file of the workspace.`,
        );
      });
      const file = await files.publishFile(found);
      return {
        text: `Published ${sessionFilePath(file.sessionId, file.name)} as ${file.kind}. The person sees it in a card.`,
        metadata: { artifact: artifactOf(file, 'published', heading) },
      };
    },
  });
}

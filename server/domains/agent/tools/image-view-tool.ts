/** The tool `image_view`: shows the model an image that is not in its context. */
import * as z from 'zod';
import { type FileService, noImage, toAttachment } from '../../files/service';
import type { SessionFolder } from '../../files/session-folder';
import type { StoredFile } from '../../files/store';
import type { Workspace } from '../../files/workspace/workspace';
import { sessionFilePath } from '../engine/attachment-notice';
import type { FilePlaces } from './file-places';
import { defineTool, type Tool, type ToolContext } from './types';

/** An image of the workspace becomes a file of the chat, as large as an upload of ordinary size. */
const MAX_BYTES = 50 * 1024 * 1024;

export function createImageViewTool({
  files,
  sessionFolder,
  places,
  workspace,
}: {
  files: Pick<FileService, 'add'>;
  sessionFolder: SessionFolder;
  places: FilePlaces;
  workspace: Workspace;
}): Tool {
  /** An image of the workspace joins the chat, once; what is no image leaves nothing there. */
  async function addFromWorkspace(path: string, { sessionId, userId, signal }: ToolContext): Promise<StoredFile> {
    const { handle } = await workspace.forOwner(userId).openFile(path);
    try {
      const source = handle.createReadStream({ autoClose: false });
      const name = path.split('/').at(-1) ?? path;
      return await files.add(sessionId, { name, source, maxBytes: MAX_BYTES, signal, isImage: true });
    } finally {
      await handle.close();
    }
  }

  return defineTool({
    name: 'image_view',
    description:
      'Shows you an image: one of this chat that was not loaded (session_files/NAME), or one of the workspace. It follows the result.',
    class: 'read',
    input: z.object({ path: z.string().min(1).max(4000).describe('The image.') }),
    timeoutMs: 30_000,
    resultLimitChars: 2000,
    isCompressionCritical: false,
    async run({ path }, context) {
      const { sessionId } = context;
      const place = await places.locate(path, context);
      const found =
        place.kind === 'session'
          ? await sessionFolder.get(place.sessionId, place.name ?? '')
          : await addFromWorkspace(place.path, context);
      if (found.kind !== 'image') throw noImage(found);
      // A message names files of its own chat: what a subagent was given joins its own.
      const file = await sessionFolder.take(found, sessionId, {
        maxBytes: found.sizeBytes,
        signal: context.signal,
        isImage: true,
      });
      const pixels = file.width === null ? '' : `, ${file.width} × ${file.height} pixels`;
      return {
        text: `${sessionFilePath(sessionId, file.name)}${pixels}`,
        images: [toAttachment(file)],
        metadata: { path },
      };
    },
  });
}

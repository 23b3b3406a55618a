/** The tool `image_view`: shows the model an image that is not in its context. */
import { createReadStream } from 'node:fs';
import * as z from 'zod';
import { type FileService, toAttachment } from '../../files/service';
import type { SessionFolder } from '../../files/session-folder';
import type { Workspace } from '../../files/workspace/workspace';
import { sessionFilePath } from '../engine/attachment-notice';
import type { FilePlaces } from './file-places';
import { defineTool, type Tool, ToolError } from './types';

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
  return defineTool({
    name: 'image_view',
    description:
      'Shows you an image: one of this chat that was not loaded (session_files/NAME), or one of the workspace. It follows the result.',
    class: 'read',
    input: z.object({ path: z.string().min(1).max(4000).describe('The image.') }),
    timeoutMs: 30_000,
    resultLimitChars: 2000,
    isCompressionCritical: false,
    async run({ path }, { sessionId, userId, signal, ...rest }) {
      const place = await places.locate(path, { sessionId, ...rest });
      const file =
        place.kind === 'session'
          ? await sessionFolder.get(place.sessionId, place.name ?? '')
          : await files.add(sessionId, {
              name: place.path.split('/').at(-1) ?? place.path,
              source: createReadStream(await workspace.forOwner(userId).resolveExisting(place.path)),
              maxBytes: MAX_BYTES,
              signal,
            });
      if (file.sessionId !== sessionId) throw new ToolError('Only images of this chat can be shown; share it first.');
      if (file.kind !== 'image') throw new ToolError(`${JSON.stringify(file.name)} is no image but ${file.kind}.`);
      const pixels = file.width === null ? '' : `, ${file.width} × ${file.height} pixels`;
      return {
        text: `${sessionFilePath(sessionId, file.name)}${pixels}`,
        images: [toAttachment(file)],
        metadata: { path },
      };
    },
  });
}

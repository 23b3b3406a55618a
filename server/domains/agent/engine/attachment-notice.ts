/**
 * What a model is told of the files and images of a message (seed 004). Built fresh for every call from what the message
 * records, and stored nowhere: the person never sees it.
 */
import type { Message } from '../../messages/schema';

export interface NoticeContext {
  sessionId: string;
  /** Files that are still there. */
  existing: ReadonlySet<string>;
  /** False for a model that is known to see no images. */
  canSeeImages: boolean;
}

/** How the tools name a session file. */
export const sessionFilePath = (sessionId: string, name: string): string => `session_files/${sessionId}/${name}`;

/** Null for a message without attachments. */
export function attachmentNotice(message: Message, context: NoticeContext): string | null {
  const notices = [fileNotice(message, context), imageNotice(message, context)].filter((notice) => notice !== null);
  return notices.length === 0 ? null : notices.join('\n\n');
}

function fileNotice({ files }: Message, { sessionId, existing }: NoticeContext): string | null {
  if (files === null || files.length === 0) return null;
  const lines = files.map(({ id, name }) =>
    existing.has(id) ? `- ${name} → ${sessionFilePath(sessionId, name)}` : `- ${name} (removed since)`,
  );
  return `[Uploaded files on disk:\n${lines.join('\n')}]`;
}

/**
 * What follows the result of `image_view` when the image does not: the words for a person's message would send the model
 * back to the tool that has just been unable to help.
 */
const NOT_LOADED =
  'was not loaded: your context has no room for it, and asking again will not change that. Go on with what you know, or say what you would need to see.';

function imageNotice(message: Message, { sessionId, existing, canSeeImages }: NoticeContext): string | null {
  const images = message.images ?? [];
  if (images.length === 0) return null;
  const count = `${images.length} ${images.length === 1 ? 'image' : 'images'}`;
  const pathsOf = (some: typeof images) =>
    some
      .map(({ id, name }) => (existing.has(id) ? sessionFilePath(sessionId, name) : `${name} (removed since)`))
      .join(', ');
  if (!canSeeImages) {
    return `[${count} attached, which you cannot see: this model takes text only.\nOn disk: ${pathsOf(images)}]`;
  }
  const sent = new Set((message.metadata.imagesSent ?? []).filter((id) => existing.has(id)));
  const problems = new Map(
    (message.metadata.imagesWithheld ?? []).flatMap(({ id, reason, detail }) =>
      reason === 'unreadable' ? [[id, detail ?? 'its bytes cannot be read'] as const] : [],
    ),
  );
  const unreadable = images.filter(({ id }) => problems.has(id));
  const waiting = images.filter(({ id }) => !sent.has(id) && !problems.has(id));
  const lines: string[] = [];
  if (waiting.length === 0 && unreadable.length === 0) {
    lines.push(`[${count} attached inline — already in your context, no extra loading needed.`);
    lines.push(`On disk: ${pathsOf(images)}]`);
    return lines.join('\n');
  }
  if (message.role === 'tool') {
    const [here, gone] = [waiting.filter(({ id }) => existing.has(id)), waiting.filter(({ id }) => !existing.has(id))];
    if (here.length > 0) lines.push(`${pathsOf(here)} ${NOT_LOADED}`);
    if (gone.length > 0) lines.push(`cannot be shown: ${pathsOf(gone)}`);
    for (const image of unreadable) lines.push(`cannot be shown: ${pathsOf([image])} (${problems.get(image.id)})`);
    return `[${lines.join('\n')}]`;
  }
  lines.push(`[${count} attached inline — ${sent.size} are in your context, the rest were not loaded;`);
  if (waiting.length > 0) lines.push(`open them with image_view: ${pathsOf(waiting)}`);
  for (const image of unreadable) lines.push(`cannot be shown: ${pathsOf([image])} (${problems.get(image.id)})`);
  return `${lines.join('\n')}]`;
}

/** What the composer asks of whoever uploads files, and the other way round. Two features; routes compose them. */
import type { ComponentType } from 'react';
import type { FileRef } from '../../server/domains/files/schema';

export interface AttachmentTrayProps {
  /** Null before the chat exists. */
  sessionId: string | null;
  /** Where the draft's files are: the chat, or the pending one that was created for them. */
  uploadedTo: string | null;
  /** Chosen by the person and not yet taken. */
  picked: readonly File[];
  /** They were taken: they are not to be given again. */
  onTaken(): void;
  /** Uploaded, and part of the draft. */
  files: readonly FileRef[];
  /** Its place is before the first that is behind it: files stand as they were chosen, whichever was uploaded first. */
  onAdded(file: FileRef, isBehind: (other: FileRef) => boolean): void;
  onRemoved(fileId: string): void;
  /** The chat that files go to, created where there is none yet. */
  ensureSession(): Promise<string>;
  /** The chat that was created for this draft is gone, and what was uploaded to it. */
  onLost(): void;
  onState(state: TrayState): void;
}

export interface TrayState {
  /** Bytes still go out. */
  isUploading: boolean;
  /** Some were not taken and still stand there. */
  hasFailed: boolean;
}

/** Shows what is attached and carries out the uploads. Loaded with the first file. */
export type AttachmentTray = ComponentType<AttachmentTrayProps>;

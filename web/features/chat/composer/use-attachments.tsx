import { type ClipboardEvent, type ReactNode, type RefObject, Suspense, useCallback, useState } from 'react';
import type { AttachmentTray, AttachmentTrayProps, TrayState } from '../../../lib/attachment-tray';
import { showFailure } from '../../../lib/toast';
import { AttachButton } from './attach-button';
import { type Draft, withFiles } from './draft';
import { DropLook } from './drop-look';
import { filesIn } from './files-in';
import { useFileDrop } from './use-file-drop';

/** Chats whose tray has uploads that are not done: they go on while another chat is looked at. */
const busy = new Set<string | null>();

const idle: TrayState = { isUploading: false, hasFailed: false };

interface AttachmentsOptions {
  sessionId: string | null;
  Tray: AttachmentTray | undefined;
  draft: Draft;
  latest: RefObject<Draft>;
  setDraft(draft: Draft, isUrgent?: boolean): void;
  ensureSession(): Promise<string>;
  /** Something was attached or removed. */
  onChange(): void;
}

export interface Attachments extends TrayState {
  /** Above the text. */
  tray: ReactNode;
  button: ReactNode;
  onPaste(event: ClipboardEvent): void;
}

/** Files of a draft: chosen with the button, dropped on the chat or pasted; shown and uploaded by the tray. */
export function useAttachments(options: AttachmentsOptions): Attachments {
  const { sessionId, Tray, draft, latest, setDraft, ensureSession, onChange } = options;
  const [picked, setPicked] = useState<readonly File[]>([]);
  const [state, setState] = useState(idle);
  const [isBusy] = useState(() => busy.has(sessionId));

  const take = useCallback(
    ({ files, folders }: { files: readonly File[]; folders: number }) => {
      if (folders > 0) showFailure('Folders cannot be attached. Choose the files in them instead.');
      if (files.length === 0) return;
      setPicked((before) => [...before, ...files]);
      onChange();
    },
    [onChange],
  );
  const onFiles = useCallback((files: File[]) => take({ files, folders: 0 }), [take]);
  const isOver = useFileDrop(
    Tray !== undefined,
    useCallback((data) => take(filesIn(data)), [take]),
  );
  const onState = useCallback(
    (next: TrayState) => {
      if (next.isUploading || next.hasFailed) busy.add(sessionId);
      else busy.delete(sessionId);
      setState(next);
    },
    [sessionId],
  );
  const onTaken = useCallback(() => setPicked([]), []);
  const onAdded = useCallback<AttachmentTrayProps['onAdded']>(
    (file, isBehind) => {
      // The same picture twice is one file.
      const files = latest.current.files.filter(({ id }) => id !== file.id);
      const at = files.findIndex(isBehind);
      setDraft(withFiles(latest.current, files.toSpliced(at < 0 ? files.length : at, 0, file)), true);
    },
    [latest, setDraft],
  );
  const onRemoved = useCallback(
    (fileId: string) => {
      setDraft(
        withFiles(
          latest.current,
          latest.current.files.filter(({ id }) => id !== fileId),
        ),
        true,
      );
      onChange();
    },
    [latest, setDraft, onChange],
  );
  const onLost = useCallback(
    () => setDraft({ ...withFiles(latest.current, []), sessionId: null }, true),
    [latest, setDraft],
  );

  if (Tray === undefined) return { ...idle, tray: null, button: null, onPaste: () => undefined };
  const isNeeded = isBusy || picked.length > 0 || draft.files.length > 0 || state.isUploading || state.hasFailed;
  return {
    ...state,
    tray: (
      <>
        {isOver && <DropLook />}
        {isNeeded && (
          // As high as its chips: the text does not move when they come.
          <Suspense fallback={<div className="h-17" />}>
            <Tray
              sessionId={sessionId}
              uploadedTo={sessionId ?? draft.sessionId}
              picked={picked}
              onTaken={onTaken}
              files={draft.files}
              onAdded={onAdded}
              onRemoved={onRemoved}
              ensureSession={ensureSession}
              onLost={onLost}
              onState={onState}
            />
          </Suspense>
        )}
      </>
    ),
    button: <AttachButton onFiles={onFiles} />,
    onPaste(event) {
      // Tables and formatted text bring a picture of themselves along: then the text is meant. File managers put the name or
      // the path of a file beside it, as plain text only: then the file is.
      const { types } = event.clipboardData;
      if (types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf'))) return;
      const { files, folders } = filesIn(event.clipboardData);
      if (files.length === 0 && folders === 0) return;
      event.preventDefault();
      take({ files, folders });
    },
  };
}

import { useEffect } from 'react';
import type { AttachmentTrayProps } from '../../../lib/attachment-tray';
import { DoneChip, UploadChip } from './chips';
import { forgetPreviews, placeOf, useUploadQueue } from './use-upload-queue';

/** What goes with the next message: what is uploaded, what is on its way, what failed and why. */
export default function AttachmentTray(props: AttachmentTrayProps) {
  const { sessionId, uploadedTo, picked, onTaken, files, onAdded, onRemoved, ensureSession, onLost, onState } = props;
  const { queue, uploads } = useUploadQueue({ sessionId, ensureSession, onLost, onAdded });
  useEffect(() => {
    if (picked.length === 0) return;
    queue.add(picked);
    onTaken();
  }, [picked, queue, onTaken]);
  const hasFailed = uploads.some(({ state }) => state.kind === 'failed');
  const open = uploads.filter(({ state }) => state.kind !== 'failed').length;
  const isUploading = open > 0 || picked.length > 0;
  useEffect(() => forgetPreviews(files), [files]);
  useEffect(() => onState({ isUploading, hasFailed }), [onState, isUploading, hasFailed]);
  if (files.length === 0 && uploads.length === 0) return picked.length > 0 ? <div className="h-17" /> : null;
  const rows = [
    ...files.map((file) => ({ place: placeOf(file.id), file, upload: undefined })),
    ...uploads.map((upload) => ({ place: upload.key, file: undefined, upload })),
  ].sort((a, b) => a.place - b.place);
  return (
    <div className="px-3 pt-3">
      {/* One row to swipe through on phones, where height is dear. */}
      <ul
        aria-label="Attached files"
        className="flex gap-2 overflow-x-auto sm:max-h-[30dvh] sm:flex-wrap sm:overflow-y-auto"
      >
        {rows.map(({ file, upload }) =>
          upload === undefined ? (
            <DoneChip key={file.id} file={file} sessionId={uploadedTo} onRemove={() => onRemoved(file.id)} />
          ) : (
            <UploadChip
              key={upload.key}
              upload={upload}
              onRetry={() => queue.retry(upload.key)}
              onRemove={() => queue.remove(upload.key)}
            />
          ),
        )}
      </ul>
      <p role="status" className="sr-only">
        {open > 0 ? `${open} on the way, ${files.length} uploaded` : `${files.length} attached`}
      </p>
    </div>
  );
}

import { Paperclip } from 'lucide-react';
import { memo, useRef } from 'react';
import { IconButton } from '../../../components/button';

/** Opens the browser's own dialog; several files at once. */
export const AttachButton = memo(function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" onClick={() => field.current?.click()}>
        <Paperclip size={17} strokeWidth={1.75} />
      </IconButton>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
});

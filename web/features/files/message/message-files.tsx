import { useMemo } from 'react';
import type { FileRef } from '../../../../server/domains/files/schema';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { FileName } from '../../../components/file-name';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { kinds } from '../kinds';
import { filesOf } from '../read-files';
import { useStage } from '../stage/stage-provider';
import { sessionFile, type ViewedFile } from '../viewed-file';
import { ImageList } from './image-list';
import { withheldWords } from './withheld-words';

interface MessageFilesProps {
  sessionId: string;
  message: PagedMessage;
}

/** What a person sent with a message: images as thumbnails that open a lightbox, other files by name. */
export default function MessageFiles({ sessionId, message }: MessageFilesProps) {
  const open = useStage();
  const { images, files } = useMemo(() => {
    const sent = filesOf(message);
    const viewed = (file: FileRef) => sessionFile(sessionId, file);
    return { images: sent.images.map(viewed), files: sent.files.map(viewed) };
  }, [sessionId, message]);
  return (
    <div className="flex flex-col items-end gap-1.5">
      <ImageList images={images} className="justify-end" />
      {withheldWords(message).map((words) => (
        <p key={words} className="max-w-96 text-right text-faint text-small [overflow-wrap:anywhere]">
          {words}
        </p>
      ))}
      {files.length > 0 && (
        <ul aria-label="Files" className="flex max-w-full flex-wrap justify-end gap-1.5">
          {files.map((file, index) => (
            <li key={file.id} className="min-w-0 max-w-full">
              <FileChip file={file} onOpen={() => open(files, index)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FileChip({ file, onOpen }: { file: ViewedFile; onOpen(): void }) {
  const { icon: Icon, name } = kinds[file.kind];
  return (
    <button
      type="button"
      aria-label={`Open ${visibleName(file.name)}`}
      onClick={onOpen}
      className="flex h-11 w-60 max-w-full items-center gap-2.5 rounded-card border border-line bg-raised px-3 text-left hover:border-line-strong hover:bg-hover"
    >
      <Icon size={18} strokeWidth={1.5} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0">
        <FileName name={file.name} className="text-meta" />
        <span className="tabular block truncate text-faint text-small leading-tight">
          {name} · {formatBytes(file.sizeBytes)}
        </span>
      </span>
    </button>
  );
}

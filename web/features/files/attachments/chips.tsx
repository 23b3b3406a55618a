import { RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { FileKind, FileRef } from '../../../../server/domains/files/schema';
import { FileName } from '../../../components/file-name';
import { cx } from '../../../lib/class-names';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { guessKind, isRasterImage, kinds } from '../kinds';
import { thumbnailUrl } from '../viewed-file';
import type { Upload } from './upload-queue';
import { previewOf } from './use-upload-queue';

interface DoneChipProps {
  file: FileRef;
  /** Where it is; null only until that is known. */
  sessionId: string | null;
  onRemove(): void;
}

/** A file that is uploaded and waits for the message. */
export function DoneChip({ file, sessionId, onRemove }: DoneChipProps) {
  const stored = sessionId === null ? undefined : thumbnailUrl(sessionId, file);
  const preview = file.kind === 'image' ? (previewOf(file.id) ?? stored) : undefined;
  return (
    <Chip
      name={file.name}
      kind={file.kind}
      preview={preview}
      words={formatBytes(file.sizeBytes)}
      removeLabel={`Remove ${visibleName(file.name)}`}
      onRemove={onRemove}
    />
  );
}

interface UploadChipProps {
  upload: Upload;
  onRetry(): void;
  onRemove(): void;
}

export function UploadChip({ upload, onRetry, onRemove }: UploadChipProps) {
  const { file, state } = upload;
  const preview = useLocalPreview(file);
  const share = state.kind === 'sending' ? Math.min(1, state.sentBytes / Math.max(1, file.size)) : 0;
  const isFailed = state.kind === 'failed';
  return (
    <Chip
      name={file.name}
      kind={guessKind(file.name)}
      preview={preview}
      words={
        isFailed
          ? state.words
          : state.kind === 'waiting'
            ? 'Waiting'
            : `${formatBytes(share * file.size)} of ${formatBytes(file.size)}`
      }
      share={isFailed ? undefined : share}
      isFailed={isFailed}
      removeLabel={`${isFailed ? 'Remove' : 'Cancel'} ${visibleName(file.name)}`}
      onRemove={onRemove}
    >
      {isFailed && state.canRetry && (
        <button
          type="button"
          aria-label={`Try ${visibleName(file.name)} again`}
          title="Try again"
          onClick={onRetry}
          className="flex size-7 shrink-0 items-center justify-center rounded-control text-failed hover:bg-hover"
        >
          <RotateCcw size={14} aria-hidden />
        </button>
      )}
    </Chip>
  );
}

interface ChipProps {
  name: string;
  kind: FileKind;
  preview: string | undefined;
  words: string;
  /** 0 to 1 while it is on its way. */
  share?: number | undefined;
  isFailed?: boolean;
  removeLabel: string;
  onRemove(): void;
  children?: ReactNode;
}

function Chip(props: ChipProps) {
  const { name, kind, preview, words, share, isFailed = false, removeLabel, onRemove, children } = props;
  const [hasNoPicture, setHasNoPicture] = useState(false);
  const Icon = kinds[kind].icon;
  return (
    <li
      className={cx(
        'fade-in relative flex min-h-14 max-w-full shrink-0 items-center gap-2.5 overflow-hidden rounded-card border py-1 pr-1 pl-1.5',
        isFailed
          ? 'w-72 border-[color-mix(in_oklab,var(--failed)_35%,var(--line))] bg-failed-soft'
          : 'w-52 border-line bg-sunken sm:w-56',
      )}
    >
      {preview === undefined || hasNoPicture ? (
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-raised">
          <Icon size={18} strokeWidth={1.5} aria-hidden className={isFailed ? 'text-failed' : 'text-faint'} />
        </span>
      ) : (
        <img
          src={preview}
          alt=""
          onError={() => setHasNoPicture(true)}
          className={cx('size-10 shrink-0 rounded-control object-cover', share !== undefined && 'opacity-60')}
        />
      )}
      <span className="min-w-0 flex-1">
        <FileName name={name} className="text-meta" />
        <span
          title={isFailed ? words : undefined}
          className={cx(
            'tabular text-small leading-tight',
            isFailed ? 'line-clamp-2 text-failed' : 'block truncate text-faint',
          )}
        >
          {words}
        </span>
      </span>
      {children}
      <button
        type="button"
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
        className="flex size-7 shrink-0 items-center justify-center rounded-control text-faint hover:bg-hover hover:text-text"
      >
        <X size={14} aria-hidden />
      </button>
      {share !== undefined && (
        <span
          role="progressbar"
          aria-label={`Uploading ${visibleName(name)}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
          className="absolute inset-x-0 bottom-0 h-[3px] bg-hover"
        >
          <span
            className="block h-full bg-accent transition-[width] duration-150"
            style={{ width: `${Math.max(2, share * 100)}%` }}
          />
        </span>
      )}
    </li>
  );
}

function useLocalPreview(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!isRasterImage(file)) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

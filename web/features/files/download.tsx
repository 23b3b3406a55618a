import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../lib/class-names';
import { visibleName } from '../../lib/file-names';
import { showFailure } from '../../lib/toast';
import type { ViewedFile } from './viewed-file';

interface DownloadProps {
  file: ViewedFile;
  /** Without words only the icon is shown. */
  children?: ReactNode;
  className?: string;
}

const withWords =
  'inline-flex h-8 items-center gap-1.5 rounded-control border border-line bg-raised px-3 font-medium text-meta text-text hover:bg-hover';
const iconOnly =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text';

/** Saves the file under its own name: a plain link where it has an address, so that the browser shows the progress. */
export function DownloadLink({ file, children, className }: DownloadProps) {
  const label = `Download ${visibleName(file.name)}`;
  const look = cx(children === undefined ? iconOnly : withWords, className);
  const content = (
    <>
      <Download size={children === undefined ? 16 : 14} strokeWidth={1.75} aria-hidden />
      {children}
    </>
  );
  if (file.url !== null) {
    return (
      <a
        href={`${file.url}&download`}
        download={visibleName(file.name)}
        aria-label={label}
        title={label}
        className={look}
      >
        {content}
      </a>
    );
  }
  return (
    <button type="button" aria-label={label} title={label} className={look} onClick={() => void save(file)}>
      {content}
    </button>
  );
}

/** Saves a file under its own name, as the link does. */
export async function save(file: ViewedFile): Promise<void> {
  try {
    const url = file.url === null ? URL.createObjectURL(await file.load()) : `${file.url}&download`;
    const link = document.createElement('a');
    link.href = url;
    link.download = visibleName(file.name);
    link.click();
    // The download has taken its own reference by the next task.
    if (file.url === null) setTimeout(() => URL.revokeObjectURL(url), 1_000);
  } catch (error) {
    showFailure(error instanceof Error ? error.message : 'The file could not be downloaded.');
  }
}

import type { ReactNode } from 'react';
import { Spinner } from '../../../components/spinner';
import { DownloadLink } from '../download';
import { kinds } from '../kinds';
import type { ViewedFile } from '../viewed-file';

/** In place of a view: why there is none. The download stays. */
export function Words({ file, children }: { file: ViewedFile; children: ReactNode }) {
  const Icon = kinds[file.kind].icon;
  return (
    <div className="flex h-full min-h-36 w-full flex-col items-center justify-center gap-3 px-6 py-5 text-center">
      <Icon size={26} strokeWidth={1.25} aria-hidden className="text-faint" />
      <p className="max-w-[26rem] text-balance text-meta text-muted">{children}</p>
      <DownloadLink file={file}>Download</DownloadLink>
    </div>
  );
}

export function Loading({ children = 'Opening' }: { children?: ReactNode }) {
  return (
    <div role="status" className="flex h-full min-h-24 w-full items-center justify-center gap-2 text-faint text-meta">
      <Spinner />
      {children}
    </div>
  );
}

import { useState } from 'react';
import { useFileUrl } from './use-file';
import type { ViewerProps } from './viewer';
import { Loading, Words } from './words';

/** Video and audio: the browser's own players, which ask for the ranges they need. */
export default function MediaViewer({ file }: ViewerProps) {
  const source = useFileUrl(file);
  const [hasFailed, setHasFailed] = useState(false);
  if (source.state === 'loading') return <Loading />;
  if (source.state === 'failed') return <Words file={file}>{source.words}</Words>;
  if (hasFailed) return <Words file={file}>This browser cannot play this file. Another player may.</Words>;
  const common = {
    src: source.value,
    controls: true,
    preload: 'metadata',
    'aria-label': file.name,
    onError: () => setHasFailed(true),
  } as const;
  if (file.kind === 'audio') {
    return (
      <div className="flex h-full w-full items-center justify-center px-4 py-3">
        <audio {...common} className="h-11 w-full max-w-xl" />
      </div>
    );
  }
  return (
    <div className="flex h-full w-full items-center justify-center bg-[black]">
      <video {...common} playsInline className="max-h-full max-w-full" />
    </div>
  );
}

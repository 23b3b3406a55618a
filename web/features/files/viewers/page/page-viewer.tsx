import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../components/button';
import { makeUrl, revokeUrl, useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';
import { RunningFrame, StillFrame } from './frames';
import { drawingAsPage, readPage } from './read-page';

/**
 * HTML and SVG that somebody else wrote. Still until a click: an SVG as an image, in which nothing runs or loads; HTML without
 * scripts. After the click the scripts run, in a frame that reaches nothing: see `frames.tsx`.
 */
export default function PageViewer({ file }: ViewerProps) {
  const [isRunning, setIsRunning] = useState(false);
  const page = useFile(file, readPage);
  if (page.state === 'loading') return <Loading />;
  if (page.state === 'failed') return <Words file={file}>{page.words}</Words>;
  const { text, still, hasScripts } = page.value;
  return (
    <div className="flex h-full w-full flex-col">
      {hasScripts && (
        <div className="no-print flex items-center gap-3 border-line border-b bg-sunken px-3 py-1.5">
          <p className="min-w-0 flex-1 text-muted text-small">
            {isRunning
              ? 'Its scripts run, cut off from Navi and from the network.'
              : 'Shown without its scripts. Run, they reach neither Navi nor the network.'}
          </p>
          <Button onClick={() => setIsRunning(!isRunning)}>
            {isRunning ? <Square size={12} aria-hidden /> : <Play size={13} aria-hidden />}
            {isRunning ? 'Stop' : 'Run scripts'}
          </Button>
        </div>
      )}
      <div className="min-h-0 flex-1 bg-[white]">
        {isRunning ? (
          <RunningFrame title={file.name} text={file.kind === 'svg' ? drawingAsPage(text) : text} />
        ) : file.kind === 'svg' ? (
          <Drawing file={file} />
        ) : (
          <StillFrame title={file.name} text={still} />
        )}
      </div>
    </div>
  );
}

function Drawing({ file }: { file: ViewerProps['file'] }) {
  const [hasFailed, setHasFailed] = useState(false);
  const url = useFile(file, readDrawing, revokeUrl);
  if (url.state === 'loading') return <Loading />;
  if (url.state === 'failed' || hasFailed) {
    return <Words file={file}>This drawing cannot be shown. It may be damaged.</Words>;
  }
  return (
    <img
      src={url.value}
      alt={file.name}
      onError={() => setHasFailed(true)}
      className="h-full w-full object-contain p-2"
    />
  );
}

/** Whatever type the server gave it: as an image it is harmless, and it is one here. */
const readDrawing = (blob: Blob) => makeUrl(new Blob([blob], { type: 'image/svg+xml' }));

import { useEffect, useRef, useState } from 'react';
import type { ViewedFile } from '../viewed-file';
import { useFileUrl } from './use-file';
import { useZoom } from './use-zoom';
import type { ViewerProps } from './viewer';
import { Loading, Words } from './words';
import { ZoomBar, zoomKey } from './zoom-bar';

/** A raster image. What the browser cannot show itself (HEIC, TIFF) is asked for as the server's own rendition. */
export default function ImageViewer({ file, isStage }: ViewerProps) {
  const own = useFileUrl(file);
  const [failures, setFailures] = useState(0);
  if (own.state === 'loading') return <Loading />;
  if (own.state === 'failed') return <Words file={file}>{own.words}</Words>;
  const source = [own.value, file.thumbnailUrl].filter((url) => url !== null)[failures];
  if (source === undefined) return <Words file={file}>This image cannot be shown here. It may be damaged.</Words>;
  const onError = () => setFailures(failures + 1);
  if (isStage) return <Zoomable key={source} file={file} source={source} onError={onError} />;
  return <img src={source} alt={file.name} onError={onError} className="block h-full w-full object-contain" />;
}

interface ZoomableProps {
  file: ViewedFile;
  source: string;
  onError(): void;
}

function Zoomable({ file, source, onError }: ZoomableProps) {
  const area = useRef<HTMLDivElement>(null);
  const { zoom, zoomIn, zoomOut, reset } = useZoom(area);
  const keys = useRef({ in: zoomIn, out: zoomOut, fit: reset });
  keys.current = { in: zoomIn, out: zoomOut, fit: reset };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (zoomKey(event.key, keys.current)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div className="relative h-full w-full overflow-hidden">
      <div ref={area} className="h-full w-full touch-none select-none p-3 sm:p-6">
        <img
          src={source}
          alt={file.name}
          draggable={false}
          onError={onError}
          style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
          className="h-full w-full object-contain"
        />
      </div>
      <ZoomBar onIn={zoomIn} onOut={zoomOut} onFit={reset}>
        {Math.round(zoom.scale * 100)} %
      </ZoomBar>
    </div>
  );
}

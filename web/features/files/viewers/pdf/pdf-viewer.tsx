import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { plural } from '../../../../lib/format';
import { useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';
import { ZoomBar, zoomKey } from '../zoom-bar';
import { closePdf, openPdf } from './open-pdf';
import { PdfPage } from './pdf-page';
import { useReadingPlace } from './use-reading-place';
import './pdf.css';

/** 1 is the width of the view. */
const ZOOM_STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
/** Wider than this a page is not drawn by itself, in pixels: lines become too long to read. */
const MAX_FIT_WIDTH = 920;

/** A PDF, drawn page by page as it is scrolled. */
export default function PdfViewer({ file, isStage }: ViewerProps) {
  const pdf = useFile(file, openPdf, closePdf);
  if (pdf.state === 'loading') return <Loading />;
  if (pdf.state === 'failed') return <Words file={file}>{pdf.words}</Words>;
  return <Pages document={pdf.value.document} name={file.name} isStage={isStage} />;
}

function Pages({ document, name, isStage }: { document: PDFDocumentProxy; name: string; isStage: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [width, setWidth] = useState(0);
  /** Height over width of the first page: what the others are taken for until they are read. */
  const [ratio, setRatio] = useState<number | null>(null);
  const page = useReadingPlace(scroller, [zoom, width]);

  useEffect(() => {
    let isGone = false;
    const first = document.getPage(1).then((one) => one.getViewport({ scale: 1 }));
    first
      .then((viewport) => !isGone && setRatio(viewport.height / viewport.width))
      .catch(() => !isGone && setRatio(Math.SQRT2));
    return () => {
      isGone = true;
    };
  }, [document]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    if (isStage) element.focus({ preventScroll: true });
    return () => observer.disconnect();
  }, [isStage]);

  const steps = {
    in: () => setZoom((now) => ZOOM_STEPS.find((step) => step > now) ?? now),
    out: () => setZoom((now) => ZOOM_STEPS.findLast((step) => step < now) ?? now),
    fit: () => setZoom(1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && zoomKey(event.key, steps)) event.preventDefault();
  };
  const margin = width < 640 ? 16 : 40;
  const pageWidth = Math.max(120, Math.round(Math.min(MAX_FIT_WIDTH, width - margin) * zoom));
  return (
    <div className="relative h-full w-full bg-sunken">
      <section
        ref={scroller}
        aria-label={`${name}, ${plural(document.numPages, 'page')}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onKeyDown={onKeyDown}
        // The room of the scroll bar is kept: a page that fits only without one would get it and lose it for ever.
        className="h-full w-full overflow-auto py-3 outline-offset-[-2px] [scrollbar-gutter:stable]"
      >
        {width > 0 &&
          ratio !== null &&
          Array.from({ length: document.numPages }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
            <PdfPage key={index} document={document} number={index + 1} width={pageWidth} estimatedRatio={ratio} />
          ))}
      </section>
      <ZoomBar onIn={steps.in} onOut={steps.out} onFit={steps.fit}>
        {page} / {document.numPages}
        {zoom !== 1 && <span className="text-faint"> · {Math.round(zoom * 100)} %</span>}
      </ZoomBar>
    </div>
  );
}

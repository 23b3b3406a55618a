import { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { memo, useEffect, useRef, useState } from 'react';

interface PdfPageProps {
  document: PDFDocumentProxy;
  /** Counted from 1. */
  number: number;
  /** On screen, in CSS pixels. */
  width: number;
  /** Height over width, until the page itself is read. */
  estimatedRatio: number;
}

/** So far around the view pages are drawn; those further away give their memory back. */
const MARGIN = '100% 0%';
/** Most pixels of one canvas: more than this phones refuse. */
const MAX_PIXELS = 16_000_000;

/** One page: its picture, and its text over it for selecting and reading aloud. */
export const PdfPage = memo(function PdfPage({ document, number, width, estimatedRatio }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)?.isIntersecting === true), {
      root: element.parentElement,
      rootMargin: MARGIN,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear) return;
    let isGone = false;
    document
      .getPage(number)
      .then((one) => !isGone && setPage(one))
      .catch(() => !isGone && setHasFailed(true));
    return () => {
      isGone = true;
    };
  }, [document, number, isNear]);

  const natural = page?.getViewport({ scale: 1 });
  const ratio = natural === undefined ? estimatedRatio : natural.height / natural.width;
  useEffect(() => {
    const target = canvas.current;
    const layer = text.current;
    if (!isNear || page === null || target === null || layer === null) return;
    const scale = width / page.getViewport({ scale: 1 }).width;
    const viewport = page.getViewport({ scale });
    const density = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)));
    target.width = Math.floor(viewport.width * density);
    target.height = Math.floor(viewport.height * density);
    const drawing = page.render({
      canvas: target,
      viewport,
      transform: density === 1 ? undefined : [density, 0, 0, density, 0, 0],
    });
    layer.replaceChildren();
    const words = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
    // Both are cancelled when the size changes meanwhile, which is no failure.
    const isCancelled = (error: unknown) => error instanceof Error && /Cancelled|Abort/.test(error.name);
    drawing.promise.catch((error: unknown) => !isCancelled(error) && setHasFailed(true));
    words.render().catch(() => layer.replaceChildren());
    return () => {
      drawing.cancel();
      words.cancel();
      layer.replaceChildren();
      // Frees the memory at once.
      target.width = 0;
      target.height = 0;
    };
  }, [page, width, isNear]);

  return (
    <div
      ref={frame}
      data-page={number}
      style={
        {
          width,
          height: Math.round(width * ratio),
          '--total-scale-factor': natural ? width / natural.width : 1,
        } as object
      }
      className="relative mx-auto mb-3 bg-[white] shadow-[0_0_0_1px_var(--line)]"
    >
      <canvas ref={canvas} aria-hidden className="absolute inset-0 h-full w-full" />
      <div ref={text} className="pdf-text" />
      {hasFailed && (
        <p className="absolute inset-0 flex items-center justify-center text-meta text-[#555]">
          Page {number} could not be drawn.
        </p>
      )}
    </div>
  );
});

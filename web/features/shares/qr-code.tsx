import { useMemo } from 'react';
import { encode } from 'uqr';

/** A text as a square for cameras: dark on white in every theme, as not every camera reads it the other way round. */
export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'L', border: 0 });
    const squares = code.data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size: code.size, path: squares.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label="The link as a QR code"
      viewBox={`-3 -3 ${size + 6} ${size + 6}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 self-center rounded-card border border-line bg-[#fff] text-[#000] sm:self-start"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

import { Minus, Plus, Scan } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../components/button';

interface ZoomBarProps {
  /** What stands between the buttons: `120 %`. */
  children?: ReactNode;
  onIn(): void;
  onOut(): void;
  onFit(): void;
}

/** Zoom of images, PDFs and models, floating at the bottom. */
export function ZoomBar({ children, onIn, onOut, onFit }: ZoomBarProps) {
  return (
    <div className="no-print -translate-x-1/2 absolute bottom-3 left-1/2 z-10 flex items-center gap-0.5 rounded-full border border-line bg-raised/95 px-1 py-0.5 shadow-pop">
      <IconButton size="small" label="Zoom out" onClick={onOut}>
        <Minus size={15} />
      </IconButton>
      {children !== undefined && (
        <span className="tabular min-w-12 whitespace-nowrap text-center text-muted text-small">{children}</span>
      )}
      <IconButton size="small" label="Zoom in" onClick={onIn}>
        <Plus size={15} />
      </IconButton>
      <IconButton size="small" label="Fit to view" onClick={onFit}>
        <Scan size={14} />
      </IconButton>
    </div>
  );
}

/** `+`, `-` and `0` as every viewer with a zoom takes them; answers whether the key was one of them. */
export function zoomKey(key: string, zoom: { in(): void; out(): void; fit(): void }): boolean {
  if (key === '+' || key === '=') zoom.in();
  else if (key === '-') zoom.out();
  else if (key === '0') zoom.fit();
  else return false;
  return true;
}

import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import type { ViewedFile } from '../viewed-file';

const Stage = lazy(() => import('./stage'));

type OpenStage = (files: readonly ViewedFile[], start?: number) => void;
const StageContext = createContext<OpenStage>(() => undefined);

/** Opens files over the whole window, from anywhere inside the provider. */
export const useStage = (): OpenStage => useContext(StageContext);

/**
 * Holds the open stage for a whole chat: the row from which it was opened may leave the screen while an answer streams.
 */
export function StageProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ files: readonly ViewedFile[]; start: number } | null>(null);
  const open = useCallback<OpenStage>((files, start = 0) => setShown({ files, start }), []);
  return (
    <StageContext value={open}>
      {children}
      {shown !== null && (
        <Suspense fallback={null}>
          <Stage files={shown.files} start={shown.start} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </StageContext>
  );
}

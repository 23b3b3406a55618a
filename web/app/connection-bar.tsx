import { useEffect, useState } from 'react';
import { useConnectionStatus } from '../lib/connection-status';

/** A short hiccup is not worth a word, in milliseconds. */
const PATIENCE_MS = 800;

/** The thin bar that says, in words, that nothing is lost while the server is away. */
export function ConnectionBar() {
  const status = useConnectionStatus();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (status !== 'lost') {
      setIsShown(false);
      return;
    }
    const timer = setTimeout(() => setIsShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <div role="status" aria-label="Connection">
      {isShown && (
        <p className="fade-in bg-warning-soft px-4 py-1 text-center text-meta text-warning">
          Connection lost. Reconnecting; nothing is lost.
        </p>
      )}
    </div>
  );
}

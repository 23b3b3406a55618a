import { useEffect, useState } from 'react';
import { copyText } from '../../../lib/save-file';

const FEEDBACK_MS = 1600;

/** Copies a text and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Could not copy' | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    setOutcome((await copyText(text)) ? 'Copied' : 'Could not copy');
  }

  return (
    <button type="button" className="md-tool" aria-label={label} onClick={copy}>
      <span aria-live="polite">{outcome ?? 'Copy'}</span>
    </button>
  );
}

import { TriangleAlert } from 'lucide-react';
import { WithCode } from '../../../components/with-code';
import { wordsForModelError } from '../../../lib/error-words';

interface ErrorCardProps {
  error: { code: string; message: string; details?: string | undefined };
}

/** Why there is no answer, in one sentence; what else is known (the server's own words, or why it was not reached) is folded away. What to do stands in the row below. */
export function ErrorCard({ error }: ErrorCardProps) {
  return (
    <div className="my-2 rounded-card border border-[color-mix(in_oklab,var(--failed)_28%,var(--line))] bg-failed-soft px-3.5 py-3">
      <p className="flex items-start gap-2.5 text-sm">
        <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-failed" />
        <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
          <WithCode text={wordsForModelError(error)} />
        </span>
      </p>
      {error.details !== undefined && error.details !== '' && (
        <details className="mt-2 pl-[26px] text-meta text-muted">
          <summary className="w-fit rounded-control text-faint hover:text-text">Details</summary>
          <pre className="mt-1.5 max-h-60 overflow-auto whitespace-pre-wrap font-mono text-small [overflow-wrap:anywhere]">
            {error.details}
          </pre>
        </details>
      )}
    </div>
  );
}

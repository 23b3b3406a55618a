import type { SendState } from './use-send';

interface SendNoticeProps {
  state: SendState;
  onCancel(): void;
}

/** Why the text still stands in the composer. */
export function SendNotice({ state, onCancel }: SendNoticeProps) {
  return (
    <div id="composer-notice" role="status" className="px-4 text-meta empty:hidden">
      {state.kind === 'refused' && <p className="pb-1.5 text-failed">{state.words}</p>}
      {state.kind === 'waiting' && (
        <p className="pb-1.5 text-warning">
          The server cannot be reached. Your message will be sent when it is back.{' '}
          <button type="button" onClick={onCancel} className="rounded-control text-muted underline hover:text-text">
            Do not send
          </button>
        </p>
      )}
    </div>
  );
}

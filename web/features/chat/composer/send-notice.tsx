import type { SendState } from './use-send';
import type { UploadWish } from './use-send-when-uploaded';

interface SendNoticeProps {
  state: SendState;
  uploads: UploadWish;
  onCancel(): void;
}

/** Why the text still stands in the composer. */
export function SendNotice({ state, uploads, onCancel }: SendNoticeProps) {
  return (
    <div id="composer-notice" role="status" className="px-4 text-meta empty:hidden">
      {state.kind === 'refused' && <p className="pb-1.5 text-failed">{state.words}</p>}
      {uploads === 'failed' && (
        <p className="pb-1.5 text-failed">Not sent yet: try the failed upload again or remove it first.</p>
      )}
      {uploads === 'waiting' && (
        <p className="pb-1.5 text-muted">
          Will be sent when everything is uploaded. <CancelButton onCancel={onCancel} />
        </p>
      )}
      {state.kind === 'waiting' && (
        <p className="pb-1.5 text-warning">
          The server cannot be reached. Your message will be sent when it is back. <CancelButton onCancel={onCancel} />
        </p>
      )}
    </div>
  );
}

function CancelButton({ onCancel }: { onCancel(): void }) {
  return (
    <button type="button" onClick={onCancel} className="rounded-control text-muted underline hover:text-text">
      Do not send
    </button>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button';
import { Spinner } from '../../components/spinner';
import { wordsForError } from '../../lib/error-words';
import { useTRPC } from '../../lib/trpc';
import { DialogFrame } from './dialog-frame';
import { Findings } from './findings';
import { ShareLink } from './share-link';
import { useIssueShare } from './use-issue-share';
import { WhatIsSeen } from './what-is-seen';

interface ShareDialogProps {
  sessionId: string;
  name: string;
  onClose(): void;
}

/** From "what would be seen" to the link. Nothing is public before the button is pressed. */
export default function ShareDialog({ sessionId, name, onClose }: ShareDialogProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.shares.list.queryOptions());
  // Each time anew: the chat may have gone on.
  const check = useQuery({ ...trpc.shares.check.queryOptions({ sessionId }), staleTime: 0, gcTime: 0 });
  const { issue, token: issued, isIssuing, failure } = useIssueShare(sessionId);
  const token = issued ?? list.data?.items.find((item) => item.sessionId === sessionId)?.token;
  const [isChecked, setIsChecked] = useState(false);
  const hasFindings = (check.data?.findings.length ?? 0) > 0;
  // Who saw secrets has to say that they were seen.
  const mayIssue = check.data !== undefined && (!hasFindings || isChecked);
  return (
    <DialogFrame
      title={token === undefined ? 'Share this chat' : 'This chat is shared'}
      subject={name}
      onClose={onClose}
    >
      {token === undefined ? <WhatIsSeen /> : <ShareLink token={token} />}
      <div className="mt-4" aria-live="polite">
        {check.data !== undefined ? (
          <Findings sessionId={sessionId} check={check.data} onLeave={onClose} />
        ) : check.error === null ? (
          <p className="flex items-center gap-2 text-meta text-muted">
            <Spinner />
            Looking for passwords and keys in the chat
          </p>
        ) : (
          <p className="text-failed text-meta">{wordsForError(check.error)}</p>
        )}
      </div>
      {token === undefined && (
        <div className="mt-4 border-line border-t pt-4">
          {hasFindings && (
            <label className="mb-3 flex items-start gap-2.5 text-meta">
              <input
                type="checkbox"
                checked={isChecked}
                onChange={(event) => setIsChecked(event.currentTarget.checked)}
                className="mt-0.5 size-4 accent-(--accent)"
              />
              I looked at these places. They may be seen.
            </label>
          )}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p className="min-w-0 flex-1 basis-60 text-meta text-muted">
              A link cannot be taken back.{' '}
              <strong className="font-medium text-text">Delete the chat to end the share.</strong>
            </p>
            <Button look="primary" disabled={!mayIssue || isIssuing} onClick={() => void issue()}>
              Create link
            </Button>
          </div>
          {failure !== null && <p className="mt-2 text-failed text-meta">{failure}</p>}
        </div>
      )}
    </DialogFrame>
  );
}

import { Check, Copy, GitFork, Pencil, Play, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { Button, IconButton } from '../../../components/button';
import { Moment } from '../../../components/moment';
import { cx } from '../../../lib/class-names';
import { formatCount, formatDuration, plural } from '../../../lib/format';
import { useCopy } from '../../../lib/use-copy';
import { useChatActions } from '../chat-context';
import type { TurnEnding } from '../stream/items';
import { endingWords } from './ending-words';
import { MessageFrame } from './message-frame';
import { VariantSwitcher } from './variant-switcher';

interface TurnFootProps {
  /** The turn's last answer. */
  message: PagedMessage;
  variants: PagedMessage['variants'];
  ending: TurnEnding;
  userSequence: number | null;
  isLast: boolean;
  isInContext: boolean;
  /** Everything that was answered in the turn, for the clipboard. */
  readText(): string;
  onEdit(sequenceNumber: number): void;
  onPickModel(): void;
}

/** The end of a turn: how it ended, what it cost, what can be done with it. */
export const TurnFoot = memo(function TurnFoot(props: TurnFootProps) {
  const { message, variants, ending, userSequence, isLast, isInContext, readText, onEdit, onPickModel } = props;
  const actions = useChatActions();
  const [isCopied, copy] = useCopy();
  const { error } = message.metadata;
  const icon = { size: 15, strokeWidth: 1.75 };
  return (
    <MessageFrame isInContext={isInContext} className="pb-3">
      {(ending !== null || (error !== undefined && isLast)) && (
        <div className="flex flex-wrap items-center gap-2 pt-1 pb-1.5 text-meta text-muted">
          {ending !== null && <span className={ending === 'stopped' ? '' : 'text-warning'}>{endingWords[ending]}</span>}
          {isLast && ending !== 'content-filter' && (
            <>
              <Button onClick={() => void actions.resume()}>
                {error === undefined ? <Play size={13} aria-hidden /> : <RotateCcw size={13} aria-hidden />}
                {error === undefined ? 'Resume' : 'Retry'}
              </Button>
              {error !== undefined && <Button onClick={onPickModel}>Switch model</Button>}
              {error !== undefined && userSequence !== null && (
                <Button onClick={() => onEdit(userSequence)}>
                  <Pencil size={13} aria-hidden />
                  Edit
                </Button>
              )}
            </>
          )}
        </div>
      )}
      <div
        className={cx('-ml-1.5 flex min-h-7 flex-wrap items-center gap-x-0.5 text-faint', !isLast && 'reveal')}
        data-pinned={variants !== null && variants.branchIds.length > 1}
      >
        <IconButton
          size="small"
          look="faint"
          label={isCopied ? 'Copied' : 'Copy answer'}
          onClick={() => copy(readText())}
        >
          {isCopied ? <Check {...icon} /> : <Copy {...icon} />}
        </IconButton>
        <IconButton
          size="small"
          look="faint"
          label="Answer again"
          onClick={() => void actions.regenerate(message.sequenceNumber)}
        >
          <RotateCcw {...icon} />
        </IconButton>
        <IconButton
          size="small"
          look="faint"
          label="Fork from here"
          onClick={() => actions.fork(message.sequenceNumber)}
        >
          <GitFork {...icon} />
        </IconButton>
        <VariantSwitcher variants={variants} />
        <Meta message={message} />
      </div>
    </MessageFrame>
  );
});

/** `12.4 s · 5 tools · 1,204 tokens · 14:32`, quiet. */
function Meta({ message }: { message: PagedMessage }) {
  const end = message.metadata.turnEnd;
  const tokens = end === undefined ? null : end.tokensOut;
  const parts = [
    end && formatDuration(end.elapsedSeconds * 1000),
    end && end.toolCalls > 0 && plural(end.toolCalls, 'tool'),
    tokens !== null && `${formatCount(tokens)} tokens`,
  ].filter((part): part is string => typeof part === 'string');
  return (
    <span className="tabular px-1.5 text-small" title={end?.model}>
      {parts.map((part) => `${part} · `)}
      <Moment at={message.createdAt} />
    </span>
  );
}

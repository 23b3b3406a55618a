import { lazy, Suspense, useMemo } from 'react';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import type { ChatSlots } from '../../features/chat/chat-context';
import { useCompressionActions } from '../../features/compression/use-compression-actions';
import { PlanBar } from '../../features/todos/plan-bar';
import { PlanningWords } from '../../features/todos/planning-line';
import type { DockState } from '../dock/use-dock';
import { AttachmentTray } from './attachment-tray';

const PlanCard = lazy(() => import('../../features/todos/card/plan-card'));
const PlanCardActions = lazy(() => import('../../features/todos/card/plan-card-actions'));
const SubagentCard = lazy(() => import('../../features/todos/subagents/subagent-card'));
const CompressionCard = lazy(() => import('../../features/compression/card/compression-card'));
const ContextDetails = lazy(() => import('../../features/compression/context/context-details'));
const MessageFiles = lazy(() => import('../../features/files/message/message-files'));
const ToolImages = lazy(() => import('../../features/files/message/tool-images'));
const QueuedFiles = lazy(() => import('../../features/files/message/queued-files'));
const ArtifactCard = lazy(() => import('../../features/files/card/message-artifact'));
const RecalledCard = lazy(() => import('../../features/memory/recalled-card'));

/** The plan before its card is here, without the marks of who does what. */
const PlanText = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap rounded-card border border-line bg-raised px-4 py-3 text-meta">
    {text.replaceAll(/ \*\([^)\n]*\)\*$/gm, '')}
  </p>
);

/** What the features around a chat put into it. */
export function useSlots(sessionId: string, dock: DockState): ChatSlots {
  const { isNarrow, open } = dock;
  const { compact, undo } = useCompressionActions(sessionId);
  return useMemo(
    () => ({
      aboveComposer: isNarrow ? <PlanBar onOpen={() => open('plan')} /> : null,
      statusWords: (words: string) => <PlanningWords otherwise={words} />,
      planCard: (message: PagedMessage) => (
        <Suspense fallback={<PlanText text={message.content} />}>
          <PlanCard
            message={message}
            actions={<PlanCardActions onOpenPlan={() => open('plan')} planningHref={`/s/${sessionId}/planning`} />}
          />
        </Suspense>
      ),
      subagentCard: (toolCallId: string) => (
        <Suspense>
          <SubagentCard sessionId={sessionId} toolCallId={toolCallId} />
        </Suspense>
      ),
      compressionCard: (view) => (
        // As high as the card's one line: the chat does not move when it is there.
        <Suspense fallback={<div className="h-10.5 rounded-card border border-line bg-sunken" />}>
          <CompressionCard
            {...view}
            sessionId={sessionId}
            onUndo={() => undo(view.compressionId)}
            onRetry={() => compact()}
          />
        </Suspense>
      ),
      recalledCard: (message) => (
        <Suspense fallback={<div className="min-h-7" />}>
          <RecalledCard message={message} />
        </Suspense>
      ),
      attachmentTray: AttachmentTray,
      messageFiles: (message) => (
        // About as high as what comes.
        <Suspense fallback={<div className={message.images?.length ? 'h-28' : 'h-11'} />}>
          <MessageFiles sessionId={sessionId} message={message} />
        </Suspense>
      ),
      toolImages: (result) =>
        result.images?.length ? (
          <Suspense fallback={<div className="h-44" />}>
            <ToolImages sessionId={sessionId} result={result} />
          </Suspense>
        ) : null,
      queuedFiles: (fileIds) => (
        <Suspense fallback={<div className="h-4.5" />}>
          <QueuedFiles sessionId={sessionId} fileIds={fileIds} />
        </Suspense>
      ),
      artifactCard: (message) => (
        <Suspense fallback={<div className="h-13 rounded-card border border-line" />}>
          <ArtifactCard sessionId={sessionId} message={message} />
        </Suspense>
      ),
      contextDetails: (
        <Suspense fallback={<div className="min-h-48" />}>
          <ContextDetails sessionId={sessionId} />
        </Suspense>
      ),
    }),
    [sessionId, isNarrow, open, compact, undo],
  );
}

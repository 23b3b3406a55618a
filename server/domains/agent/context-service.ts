/** What people ask of the context: compress it, take that back, look at it as the model sees it. */
import type { UnitOfWork } from '../../database/transaction';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { ResolvedModel } from '../../providers/types';
import { truncateView } from '../compression/engine/truncate-view';
import type { Compression, RunCompressionInput, RunCompressionResult } from '../compression/schema';
import type { CompressionService } from '../compression/service';
import { BUSY, NOTHING_TO_COMPRESS } from '../compression/words';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { Profile } from '../profiles/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import type { Attachments } from './attachments';
import type { Compactor } from './compactor';
import type { ContextView, ContextViewMessage } from './context-view';
import { buildPrompt, promptText } from './engine/build-prompt';
import type { Runner } from './runner';
import type { AgentStore } from './store';

export interface ContextServiceDependencies {
  store: AgentStore;
  sessions: SessionService;
  messages: MessageService;
  compressions: CompressionService;
  compactor: Compactor;
  attachments: Pick<Attachments, 'forPrompt'>;
  runner: Pick<Runner, 'start' | 'sweepSoon'>;
  unitOfWork: UnitOfWork;
  clock: Clock;
  profileOf(session: Pick<StoredSession, 'profileId' | 'parentId'>): Profile;
  modelFor(session: { model: string | null; profileId: string }): Promise<ResolvedModel>;
  peekNotices(sessionId: string): Promise<string[]>;
}

/** Milliseconds between two looks at a compression that somebody waits for. */
const WAIT_MS = 100;

export function createContextService(dependencies: ContextServiceDependencies) {
  const { store, sessions, messages, compressions, compactor, runner, unitOfWork, clock, profileOf } = dependencies;
  const { attachments, modelFor, peekNotices } = dependencies;

  async function untilEnded(sessionId: string, compressionId: string): Promise<Compression> {
    for (;;) {
      const compression = await compressions.findById(sessionId, compressionId);
      if (compression === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      if (compression.status !== 'running') return compression;
      await clock.sleep(WAIT_MS);
    }
  }

  function toView(message: Message, budgetTokens: number, tokens: number): ContextViewMessage {
    const isCut = !message.isSummary && truncateView(message.content, budgetTokens) !== message.content;
    return {
      sequenceNumber: message.sequenceNumber,
      role: message.role,
      source: message.isSummary ? 'summary' : (message.metadata.source ?? null),
      name: message.name,
      text: isCut ? truncateView(message.content, budgetTokens) : message.content,
      toolCalls: message.toolCalls,
      tokens,
      storedChars: message.content.length,
      isTruncated: isCut,
      createdAt: message.createdAt,
    };
  }

  return {
    /**
     * Compresses now, whatever the threshold says. One at a time: who asks while one is under way gets that one. Refuses in
     * words when there is nothing to do, or while an answer is being written.
     */
    async compress(person: Person, input: RunCompressionInput): Promise<RunCompressionResult> {
      const { sessionId } = input;
      const session = await sessions.authorise(person, sessionId);
      const model = await modelFor(session);
      const prospect = await compactor.look(session, model, 'forced');
      const focus = input.focus === undefined || input.focus === '' ? null : input.focus;
      const outcome = await unitOfWork.run(async (tx) => {
        const locked = await sessions.lock(tx, person, sessionId);
        const live = await store.findLive(sessionId, tx.client);
        if (live !== null) {
          const running = await compressions.findLive(sessionId, tx);
          if (running === null) return { kind: 'busy' as const };
          return { kind: 'joined' as const, id: running.compressionId, isStranded: live.isLeaseExpired };
        }
        if (prospect.decision.kind === 'skip') return { kind: 'nothing' as const };
        const run = await compactor.claim(tx, locked, { model, prospect, trigger: 'forced', focus });
        return { kind: 'claimed' as const, id: run.compression?.id ?? '', run };
      });
      if (outcome.kind === 'busy') return { kind: 'refused', reason: 'busy', message: BUSY };
      if (outcome.kind === 'nothing') {
        return { kind: 'refused', reason: 'nothing-to-compress', message: NOTHING_TO_COMPRESS };
      }
      if (outcome.kind === 'claimed') runner.start(outcome.run);
      else if (outcome.isStranded) runner.sweepSoon();
      const compression = input.wait
        ? await untilEnded(sessionId, outcome.id)
        : await compressions.findById(sessionId, outcome.id);
      if (compression === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      return { kind: 'compression', compressionId: outcome.id, isJoined: outcome.kind === 'joined', compression };
    },

    /** Takes the latest compression back while the old context still fits. */
    async undoCompression(person: Person, input: { sessionId: string; compressionId: string }): Promise<Compression> {
      const session = await sessions.authorise(person, input.sessionId);
      const subject = await compactor.subjectOf(session, await modelFor(session));
      return unitOfWork.run(async (tx) => {
        await sessions.lock(tx, person, input.sessionId);
        if ((await store.findLive(input.sessionId, tx.client)) !== null) throw new AppError('busy', BUSY);
        return compressions.undo(tx, subject, input.compressionId);
      });
    },

    /** What the model would be sent now, message by message, with the price of each. */
    async view(person: Person, sessionId: string): Promise<ContextView> {
      const session = await sessions.authorise(person, sessionId);
      const profile = profileOf(session);
      const model = await modelFor(session);
      const subject = await compactor.subjectOf(session, model);
      const context = await messages.readContext(sessionId);
      const reading = await compressions.read(subject, context);
      const notices = await peekNotices(sessionId);
      const { estimator, messageBudgetTokens, state } = reading;
      const view = (text: string) => truncateView(text, messageBudgetTokens);
      const attached = await attachments.forPrompt(sessionId, model, context, { withBytes: false });
      const prompt = buildPrompt({
        systemPrompt: profile.prompt,
        context,
        attachments: attached,
        tailNotices: notices,
        view,
      });
      const perTool = compactor.offeredTools(profile).map((tool) => ({
        name: tool.name,
        chars: JSON.stringify(tool).length,
      }));
      return {
        meter: await compressions.meter.measure(subject, context),
        profileId: profile.id,
        systemPrompt: { text: profile.prompt, tokens: estimator.text(profile.prompt) },
        notices: notices.map((text) => ({ text, tokens: estimator.text(text) })),
        tools: perTool,
        messages: context.map((message) => {
          const shown = toView(message, messageBudgetTokens, estimator.message(message));
          const notice = attached.get(message.sequenceNumber)?.notice;
          return notice === undefined ? shown : { ...shown, text: [shown.text, notice].filter(Boolean).join('\n\n') };
        }),
        messageBudgetTokens,
        promptChars: promptText(prompt).length,
        calibration: {
          source: estimator.source,
          tokensPerChar: estimator.tokensPerChar,
          overheadTokens: estimator.overheadTokens,
        },
        breaker: state.breaker === null ? null : state.breaker.reason,
        isLastPromptTruncated: state.isTruncated,
      };
    },
  };
}

export type ContextService = ReturnType<typeof createContextService>;

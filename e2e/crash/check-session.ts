/** What must hold of a session after a crash, judged through the same ways in that people use. */
import assert from 'node:assert/strict';
import type { SessionSubscriber } from '../../server/testing/wire-client';
import { type Api, readWholeLog } from '../../server/testing/wire-client';
import { parseStory, type Story, stepText } from './story';

/** A message as a client reads it. */
export type Message = Awaited<ReturnType<Api['messages']['page']['query']>>['messages'][number];

/** A message that a client sent, and whether the server said that it has it. */
export interface Sent {
  clientMessageId: string;
  text: string;
  isAcknowledged: boolean;
}

export async function readHistory(api: Api, sessionId: string): Promise<Message[]> {
  const messages: Message[] = [];
  let beforeSeq: number | null = null;
  do {
    const page: Awaited<ReturnType<Api['messages']['page']['query']>> = await api.messages.page.query({
      sessionId,
      limit: 200,
      ...(beforeSeq === null ? {} : { beforeSeq }),
    });
    messages.unshift(...page.messages);
    beforeSeq = page.nextBeforeSeq;
  } while (beforeSeq !== null);
  return messages;
}

/** Every acknowledged message once, none that nobody sent, numbers without a gap. */
export function checkMessages(history: readonly Message[], sent: readonly Sent[]): void {
  assert.deepEqual(
    history.map((message) => message.sequenceNumber),
    history.map((_, index) => index + 1),
    'sequence numbers are consecutive from 1',
  );
  const users = history.filter((message) => message.role === 'user');
  const known = new Map(sent.map((message) => [message.clientMessageId, message]));
  for (const user of users) {
    const source = known.get(String(user.metadata.clientMessageId));
    assert.ok(source !== undefined, `message ${user.sequenceNumber} was sent by nobody`);
    assert.equal(user.content, source.text);
  }
  for (const { clientMessageId, isAcknowledged } of sent) {
    const copies = users.filter((user) => user.metadata.clientMessageId === clientMessageId).length;
    assert.ok(copies <= 1, `message ${clientMessageId} is stored ${copies} times`);
    assert.ok(!isAcknowledged || copies === 1, `the acknowledged message ${clientMessageId} is lost`);
  }
}

/** Every call has exactly one result, in the same turn, and no result is without its call. */
export function checkToolPairs(history: readonly Message[]): void {
  const open = new Set<string>();
  for (const message of history) {
    if (message.role === 'user')
      assert.deepEqual([...open], [], `calls without a result before ${message.sequenceNumber}`);
    for (const call of message.toolCalls ?? []) open.add(call.id);
    if (message.role !== 'tool') continue;
    assert.ok(open.delete(message.toolCallId ?? ''), `result ${message.sequenceNumber} answers no open call`);
  }
  assert.deepEqual([...open], [], 'calls without a result at the end');
}

export interface StoryFate {
  story: Story;
  /** The answer was cut off. */
  isCut: boolean;
  /** What is stored of each step, 0 for the first. */
  texts: string[];
}

/** Every story is stored word for word up to where it was cut, and whole when it was not. */
export function checkStories(history: readonly Message[]): StoryFate[] {
  return history.flatMap((question, at): StoryFate[] => {
    const story = question.role === 'user' ? parseStory(question.content) : null;
    if (story === null) return [];
    const rest = history.slice(at + 1);
    const nextUser = rest.findIndex((message) => message.role === 'user');
    const turn = nextUser === -1 ? rest : rest.slice(0, nextUser);
    const texts = turn
      .filter((message) => message.role === 'assistant' && message.metadata.error === undefined)
      .map((message) => message.content);
    const isCut = turn.some(
      (message) => message.metadata.interrupted === true || message.metadata.source === 'interrupted',
    );
    texts.forEach((stored, step) => {
      const whole = stepText(story, step);
      const mayBeCut = isCut && step === texts.length - 1;
      assert.ok(
        mayBeCut ? whole.startsWith(stored) : stored === whole,
        `step ${step} of ${story.tag} is stored as …${stored.slice(-60)}`,
      );
    });
    if (!isCut) assert.equal(texts.length, story.steps, `${story.tag} has all its steps`);
    return [{ story, isCut, texts }];
  });
}

/** Every run that began ended once, and events are numbered without a gap. Answers the ends by status. */
export async function checkLog(origin: string, sessionId: string): Promise<Record<string, number>> {
  const log = await readWholeLog(origin, sessionId);
  assert.deepEqual(
    log.map(({ id }) => id),
    log.map((_, index) => index + 1),
    'event ids are consecutive from 1',
  );
  const ends = new Map<string, number>();
  const byStatus: Record<string, number> = {};
  for (const { event } of log) {
    if (event.kind === 'run-start') ends.set(event.runId, 0);
    if (event.kind !== 'run-end') continue;
    assert.ok(ends.has(event.runId), `run ${event.runId} ended without a beginning`);
    ends.set(event.runId, (ends.get(event.runId) ?? 0) + 1);
    byStatus[event.status] = (byStatus[event.status] ?? 0) + 1;
  }
  for (const [runId, count] of ends) assert.equal(count, 1, `run ${runId} ended ${count} times`);
  return byStatus;
}

/** What a subscriber was shown is what is stored: messages as they were, live text as the beginning of its message. */
export function checkSeen(subscriber: SessionSubscriber, history: readonly Message[]): void {
  let live = '';
  let lastSequence = 0;
  for (const { event } of subscriber.events) {
    if (event.kind === 'step-start') live = '';
    else if (event.kind === 'text-delta') live += event.text;
    else if (event.kind === 'message-added') {
      const { sequenceNumber, content } = event.message;
      assert.equal(
        history[sequenceNumber - 1]?.content,
        content,
        `message ${sequenceNumber} is stored as it was shown`,
      );
      lastSequence = sequenceNumber;
      if (event.message.role === 'assistant') live = '';
    }
  }
  if (live === '') return;
  const kept = history.slice(lastSequence).find((message) => message.role === 'assistant')?.content ?? '';
  assert.ok(kept.startsWith(live), `shown …${live.slice(-40)}, kept …${kept.slice(-40)}`);
}

/** The session is free and answers. */
export function checkAnswered(history: readonly Message[], clientMessageId: string, answer: string): void {
  const at = history.findIndex((message) => message.metadata.clientMessageId === clientMessageId);
  const told = history.slice(Math.max(0, at - 2), at + 3).map(({ role, content, metadata }) => ({
    role,
    content: content.slice(-60),
    error: metadata.error,
  }));
  assert.equal(history[at + 1]?.content, answer, `no answer after the crash: ${JSON.stringify(told)}`);
}

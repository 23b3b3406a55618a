import { expect, it } from 'vitest';
import type { Signal } from '../../events/bus';
import { createEventRig, delta, draft } from '../../events/testing/event-rig';
import type { StoredEvent } from '../../events/topics';
import { describeEachEngine } from '../../testing/database';
import { createMessageStore } from './store';
import type { MessageDraft } from './stored-message';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const say = (content: string, more: Partial<MessageDraft> = {}): MessageDraft => ({ role: 'user', content, ...more });
const result: StoredEvent = { kind: 'tool-result', runId: 'run', step: 1, toolCallId: 'call', status: 'ok' };

describeEachEngine('appending in one statement', (getDatabase) => {
  function open() {
    const rig = createEventRig(getDatabase());
    return { ...rig, messages: createMessageStore(getDatabase().prisma) };
  }
  const sessionRow = (id: string) => getDatabase().prisma.session.findUniqueOrThrow({ where: { id } });

  it('writes the messages, what lists show, and events that read as they were published', async () => {
    const { messages, store, newSession } = open();
    const sessionId = await newSession();
    const drafts = [
      say('Hi\u0000 there \ud83d', { metadata: { clientMessageId: 'c' } }),
      say('', { role: 'tool', toolCallId: 'call', name: 'look', isDisplay: false, metadata: { runId: 'run' } }),
    ];
    const appended = await messages.appendAndTell({ sessionId, drafts, events: [result], epoch: null });
    expect(appended?.messages.map((message) => message.sequenceNumber)).toEqual([1, 2]);
    expect(await messages.readContext(sessionId)).toEqual(appended?.messages);
    expect(await store.readAfter(sessionId, 0, 10)).toEqual(appended?.told);
    expect(appended?.told.map(({ id, event }) => [id, event.kind])).toEqual([
      [1, 'message-added'],
      [2, 'message-added'],
      [3, 'tool-result'],
    ]);
    // What a run said of its step is found by its id: here its tool message and the result.
    expect((await store.readRun(sessionId, 'run')).map((row) => row.id)).toEqual([2, 3]);
    expect(await sessionRow(sessionId)).toMatchObject({
      nextSequence: 3,
      displayMessageCount: 1,
      preview: 'Hi there \ufffd',
    });
  });

  it('keeps the first words of the person, whatever is said after them', async () => {
    const { messages, newSession } = open();
    const sessionId = await newSession();
    const append = (...drafts: MessageDraft[]) =>
      messages.appendAndTell({ sessionId, drafts, events: [], epoch: null });
    await append(say('A plan was made.', { role: 'assistant' }));
    expect(await sessionRow(sessionId)).toMatchObject({ opening: '', preview: 'A plan was made.' });
    await append(say('Write the\nreport'), say('First I read.', { role: 'assistant' }));
    await append(say('And the summary'));
    expect(await sessionRow(sessionId)).toMatchObject({ opening: 'Write the report', preview: 'And the summary' });
  });

  it('leaves nothing behind when its fence is stale or its session is gone, not even a number', async () => {
    const { messages, claim, newSession, idsOf } = open();
    const sessionId = await newSession();
    const old = await claim(sessionId);
    const epoch = await claim(sessionId);
    const before = await sessionRow(sessionId);
    expect(await messages.appendAndTell({ sessionId, drafts: [say('late')], events: [result], epoch: old })).toBeNull();
    expect([await sessionRow(sessionId), await idsOf(sessionId)]).toEqual([before, []]);
    const append = { drafts: [say('in time')], events: [], epoch };
    expect(await messages.appendAndTell({ sessionId, ...append })).toMatchObject({ messages: [{ sequenceNumber: 1 }] });
    expect(await messages.appendAndTell({ sessionId: 'nobody', ...append })).toBeNull();
  });

  it('gives consecutive numbers and ids, in step, among every other way to write', async () => {
    const { messages, log, unitOfWork, newSession, store } = open();
    const sessionId = await newSession();
    const append = (round: number) =>
      messages.appendAndTell({ sessionId, drafts: [say(`m${round}`), say('and')], events: [result], epoch: null });
    await Promise.all(
      upTo(60).map((round) =>
        round % 3 === 0
          ? append(round)
          : round % 3 === 1
            ? log.appendMany([draft(sessionId, 'streamed')])
            : unitOfWork.run(async (tx) => {
                const appended = await messages.append(tx, sessionId, [say(`m${round}`)]);
                const [message] = appended?.messages ?? [];
                if (message === undefined) throw new Error('not appended');
                await log.append(tx, sessionId, [delta('before'), { kind: 'message-added', message }]);
              }),
      ),
    );
    const rows = await store.readAfter(sessionId, 0, 1_000);
    expect(rows.map((row) => row.id)).toEqual(upTo(20 * 3 + 20 + 20 * 2));
    // The log tells of the messages in the order of their numbers.
    const told = rows.flatMap(({ event }) => (event.kind === 'message-added' ? [event.message.sequenceNumber] : []));
    expect(told).toEqual(upTo(20 * 2 + 20));
    expect(await sessionRow(sessionId)).toMatchObject({ nextSequence: 61, displayMessageCount: 60 });
  });

  it('lets exactly one of a settlement and a late append win, whichever is first', async () => {
    const { messages, claim, newSession, idsOf } = open();
    for (const round of upTo(20)) {
      const sessionId = await newSession();
      const epoch = await claim(sessionId);
      const late = () => messages.appendAndTell({ sessionId, drafts: [say('late')], events: [], epoch });
      const [appended] =
        round % 2 === 0
          ? await Promise.all([late(), claim(sessionId)])
          : (await Promise.all([claim(sessionId), late()])).reverse();
      expect((await sessionRow(sessionId)).nextSequence).toBe(appended === null ? 1 : 2);
      expect(await idsOf(sessionId)).toEqual(appended === null ? [] : [1]);
    }
  });

  it('is published with the rows, and to the lists of the owner', async () => {
    const { log, bus, newSession } = open();
    const sessionId = await newSession();
    const signals: Signal[] = [];
    for (const key of [`session:${sessionId}`, 'user:owner']) bus.on(key, (signal) => signals.push(signal));
    const rows = [{ id: 4, event: result }];
    log.publish(sessionId, rows, null);
    log.publish(sessionId, rows, 'owner');
    const told = { topic: 'session', sessionId, lastId: 4, rows };
    expect(signals).toEqual([told, told, { topic: 'user', userId: 'owner', sessionId, change: 'updated' }]);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anonymous } from '../lib/person';
import type { TestApp, Watcher } from '../testing/app';
import { describeEachEngine } from '../testing/database';
import { createGate, finish, say, sayAround } from '../testing/scripted-model';
import { createPerson, useApps } from '../testing/use-apps';

/** Text that a subscriber has seen: what the snapshot held, then the deltas. */
const seenText = ({ events }: Watcher) =>
  events
    .map(({ event }) =>
      event.kind === 'snapshot' ? (event.run?.text ?? '') : event.kind === 'text-delta' ? event.text : '',
    )
    .join('');

const hasEnded = (event: { kind: string }) => event.kind === 'run-end';

describeEachEngine('event feed', (getDatabase) => {
  const open = useApps(getDatabase);

  async function answered(app: TestApp): Promise<string> {
    const sessionId = await app.newSession();
    app.model.replies.push(say('one ', 'two ', 'three'));
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    return sessionId;
  }

  it('gives every subscriber that joins in the middle of a stream the whole text, from the first token, once', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const words = Array.from({ length: 60 }, (_, index) => `w${index} `);
    const watchers: Watcher[] = [];
    app.model.replies.push(async function* () {
      for (const text of words) {
        yield { type: 'text-delta', text };
        // Joins at many points, some of them several at once (a component that mounts twice).
        if (watchers.length < 20) watchers.push(app.watch(sessionId), app.watch(sessionId));
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
      // On a slow machine the last of them may still be on their way in.
      await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'snapshot')));
      yield finish();
    });
    await app.send(sessionId, 'Hi');
    await expect.poll(() => watchers.length).toBe(20);
    for (const watcher of watchers) {
      await watcher.until(hasEnded);
      expect(seenText(watcher)).toBe(words.join(''));
      const ids = watcher.events.map(({ id }) => id);
      expect(ids.slice(1)).toEqual(ids.slice(1).map((_, index) => (ids[0] ?? 0) + index + 1));
    }
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  });

  it('resumes right after the last id, wherever it was: no gap, no duplicate, no second snapshot', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const whole = app.watch(sessionId);
    await whole.until((event) => event.kind === 'snapshot');
    app.model.replies.push(say('one ', 'two ', 'three'));
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    await whole.until(hasEnded);
    const all = whole.events.slice(1);
    for (let at = 0; at < all.length; at++) {
      const resumed = app.watch(sessionId, String(all[at]?.id));
      if (at < all.length - 1)
        await expect.poll(() => resumed.events.length).toBeGreaterThanOrEqual(all.length - 1 - at);
      await resumed.stop();
      expect(resumed.events.slice(0, all.length - 1 - at)).toEqual(all.slice(at + 1));
    }
    await whole.stop();
  });

  it('starts over with a snapshot when the last id is garbage, from the future, or pruned', async () => {
    const app = await open();
    const sessionId = await answered(app);
    for (const lastEventId of ['', 'abc', '-1', '1.5', '999999999', '99999999999999999999', "1' OR '1'='1"]) {
      const watcher = app.watch(sessionId, lastEventId);
      expect(await watcher.until(() => true)).toMatchObject({ kind: 'snapshot', lastSequence: 2, run: null });
      await watcher.stop();
    }
    await getDatabase().pool.query('DELETE FROM session_events WHERE session_id = $1 AND id <= 3', [sessionId]);
    const pruned = app.watch(sessionId, '2');
    expect(await pruned.until(() => true)).toMatchObject({ kind: 'snapshot' });
    const kept = app.watch(sessionId, '3');
    expect((await kept.until(() => true)).kind).not.toBe('snapshot');
    await Promise.all([pruned.stop(), kept.stop()]);
  });

  it('gives three subscribers the same events in the same order', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const watchers = [1, 2, 3].map(() => app.watch(sessionId));
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'snapshot')));
    app.model.replies.push(say('a', 'b', 'c'));
    await app.send(sessionId, 'Hi');
    await Promise.all(watchers.map((watcher) => watcher.until(hasEnded)));
    const untilEnd = ({ events }: Watcher) => events.slice(0, events.findIndex(({ event }) => hasEnded(event)) + 1);
    const [first, ...others] = watchers.map(untilEnd);
    for (const other of others) expect(other).toEqual(first);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  });

  it('keeps two sessions that stream at once apart, and a stream alive that nobody watches before its first token', async () => {
    const app = await open();
    const [left, right] = [await app.newSession(), await app.newSession()];
    const gates = [createGate(), createGate()] as const;
    app.model.replies.push(sayAround('left ', gates[0], 'done'));
    await app.send(left, 'L');
    await gates[0].reached;
    app.model.replies.push(async function* ({ signal }) {
      await gates[1].pass(signal);
      for (const text of ['right ', 'done']) yield { type: 'text-delta', text };
      yield finish();
    });
    await app.send(right, 'R');
    await gates[1].reached;
    // Away before the first token, and back: nothing of the other session, everything of this one.
    const glance = app.watch(right);
    await glance.until((event) => event.kind === 'snapshot');
    await glance.stop();
    const watchers = [app.watch(left), app.watch(right)] as const;
    // A snapshot between the stored answer and the end of its run would rightly hold no text.
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'snapshot')));
    gates[1].open();
    gates[0].open();
    await Promise.all(watchers.map((watcher) => watcher.until(hasEnded)));
    expect(watchers.map(seenText)).toEqual(['left done', 'right done']);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  });

  it('lets a reader that is far too slow read on from the log, complete and in order', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const controller = new AbortController();
    const feed = app.services.feed.session(anonymous, { sessionId, lastEventId: null, signal: controller.signal });
    const reader = feed[Symbol.asyncIterator]();
    const first = await reader.next();
    expect(first.value?.event.kind).toBe('snapshot');
    // More signals than its buffer takes, while it does not read.
    const total = 1_100;
    await getDatabase().pool.query(
      `INSERT INTO session_events (session_id, id, kind, run_id, data)
       SELECT $1, n, 'text-delta', 'run', jsonb_build_object('runId', 'run', 'step', 1, 'text', n::text) FROM generate_series(1, $2::int) n`,
      [sessionId, total],
    );
    await getDatabase().pool.query('UPDATE session_event_heads SET last_id = $2 WHERE session_id = $1', [
      sessionId,
      total,
    ]);
    for (let round = 0; round < 3; round++) await app.api.sessions.setPinned({ sessionId, pinned: round % 2 === 0 });
    const ids: number[] = [];
    while (ids.length < total + 3) {
      const { value } = await reader.next();
      if (value !== undefined) ids.push(value.id);
    }
    expect(ids).toEqual(Array.from({ length: total + 3 }, (_, index) => index + 1));
    controller.abort();
    await reader.return?.();
  });

  it('ends after the session was removed, and refuses who comes later', async () => {
    const app = await open();
    const sessionId = await answered(app);
    const watcher = app.watch(sessionId);
    await watcher.until((event) => event.kind === 'snapshot');
    const { id: lastId = 0 } = watcher.events[0] ?? {};
    await app.api.sessions.remove({ sessionId });
    await watcher.ended;
    expect(watcher.events.at(-1)?.event.kind).toBe('session-removed');
    await expect(app.watch(sessionId).ended).rejects.toMatchObject({ code: 'not-found' });
    // Taken back: who missed both reads on as if nothing had been.
    await app.api.sessions.restore({ sessionId });
    const back = app.watch(sessionId, String(lastId));
    await app.api.sessions.rename({ sessionId, name: 'Back' });
    await back.until((event) => event.kind === 'session-updated' && event.changes.name === 'Back');
    expect(back.events.map(({ event }) => event.kind)).not.toContain('session-removed');
    await back.stop();
  });

  it('answers not-found for the session of another person, with or without a last id', async () => {
    const app = await open();
    const sessionId = await answered(app);
    const stranger = await createPerson(getDatabase());
    for (const lastEventId of [null, '1']) {
      const feed = app.services.feed.session(stranger, {
        sessionId,
        lastEventId,
        signal: new AbortController().signal,
      });
      await expect(feed[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('agrees with itself under writers at random moments: snapshot and what follows are the whole text', async () => {
    const app = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 5, maxLength: 15 }),
        fc.array(fc.nat({ max: 14 }), { minLength: 1, maxLength: 4 }),
        async (pieces, joins) => {
          const sessionId = await app.newSession();
          const watchers: Watcher[] = [];
          app.model.replies.push(async function* () {
            for (const [index, text] of pieces.entries()) {
              yield { type: 'text-delta', text };
              if (joins.includes(index)) watchers.push(app.watch(sessionId));
              await new Promise((resolve) => setImmediate(resolve));
            }
            watchers.push(app.watch(sessionId));
            yield finish();
          });
          await app.send(sessionId, 'Hi');
          await app.untilIdle(sessionId);
          const { messages } = await app.api.messages.page({ sessionId });
          for (const watcher of watchers) {
            const start = await watcher.until((event) => event.kind === 'snapshot');
            const ended = start.kind === 'snapshot' && start.run === null;
            if (!ended) await watcher.until(hasEnded);
            // Joined after the answer was stored: its text is a message then, and nothing of it is live.
            if (start.kind === 'snapshot' && start.lastSequence === 2) expect(seenText(watcher)).toBe('');
            else expect(seenText(watcher)).toBe(messages[1]?.content);
            await watcher.stop();
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('tells lists of what is new, changed and gone, to the person concerned alone', async () => {
    const app = await open();
    const stranger = await createPerson(getDatabase());
    const controller = new AbortController();
    const listen = (person: typeof stranger) => {
      const got: unknown[] = [];
      const ended = (async () => {
        for await (const event of app.services.feed.user(person, controller.signal)) got.push(event);
      })();
      return { got, ended };
    };
    const [mine, theirs] = [listen(anonymous), listen(stranger)];
    await expect.poll(() => mine.got.length).toBe(1);
    const sessionId = await answered(app);
    await app.api.sessions.rename({ sessionId, name: 'Renamed' });
    await expect
      .poll(() => mine.got.at(-1))
      .toMatchObject({ kind: 'session-updated', session: { id: sessionId, name: 'Renamed' } });
    await app.api.sessions.remove({ sessionId });
    await expect.poll(() => mine.got).toContainEqual({ kind: 'session-removed', sessionId });
    await app.api.sessions.restore({ sessionId });
    await expect.poll(() => mine.got.at(-1)).toMatchObject({ kind: 'session-created', session: { id: sessionId } });
    controller.abort();
    await Promise.all([mine.ended, theirs.ended]);
    expect(mine.got[0]).toEqual({ kind: 'ready' });
    expect(theirs.got).toEqual([{ kind: 'ready' }]);
  });
});

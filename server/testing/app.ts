/** The real app over a test database, with a scripted model, called the way the web client calls it. */
import { randomUUID } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { type App, createApp } from '../app';
import type { Database } from '../db';
import type { Tool } from '../domains/agent/tools/types';
import type { Profile } from '../domains/profiles/schema';
import { type Env, readEnv } from '../env';
import type { SessionEvent } from '../events/topics';
import { systemClock } from '../lib/clock';
import { anonymous, type Person } from '../lib/person';
import { createCallerFactory } from '../trpc/init';
import { appRouter } from '../trpc/router';
import { createScriptedModel, type ScriptedModel } from './scripted-model';

const createCaller = createCallerFactory(appRouter);

/**
 * Watchers of a session, of any app, that have not seen its beginning yet. Whoever speaks through the test kit waits for
 * them: on a slow machine the snapshot would hold what a test expects to come as an event.
 */
const arriving = new Map<string, Set<Promise<unknown>>>();

function noteArrival(sessionId: string, arrived: Promise<unknown>): void {
  const others = arriving.get(sessionId) ?? new Set();
  arriving.set(sessionId, others.add(arrived));
  const forget = () => others.delete(arrived);
  arrived.then(forget, forget);
}

export interface TestApp extends App {
  model: ScriptedModel;
  /** tRPC as the anonymous person, or as another one. */
  api: ReturnType<typeof createCaller>;
  as(person: Person): ReturnType<typeof createCaller>;
  /** Errors that were logged as unexpected; a test that expects none checks that it is empty. */
  unexpected: unknown[];
  /** A session with nothing in it. */
  newSession(): Promise<string>;
  /** Says something, once all that watch the session have seen its beginning. */
  send(
    sessionId: string,
    text: string,
    clientMessageId?: string,
  ): ReturnType<ReturnType<typeof createCaller>['messages']['send']>;
  /** Resolves when nothing runs and nothing waits in the session. */
  untilIdle(sessionId: string): Promise<void>;
  /** A subscriber that keeps what it got. */
  watch(sessionId: string, lastEventId?: string): Watcher;
}

export interface Watcher {
  events: { id: number; event: SessionEvent }[];
  /** Resolves with the first event, already got or still to come, that fits. */
  until(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>;
  /** Ends the subscription; resolves when it has ended. */
  stop(): Promise<void>;
  ended: Promise<void>;
}

export interface TestAppOptions {
  model?: ScriptedModel;
  tools?: Tool[];
  /** Default: the built-in ones. */
  profiles?: readonly Profile[];
  leaseMs?: number;
  env?: Record<string, string>;
  /** Default: silent. */
  logger?: Logger;
}

export async function createTestApp(database: Database, options: TestAppOptions = {}): Promise<TestApp> {
  const parsed = readEnv(options.env ?? {});
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  const env: Env = parsed.env;
  const model = options.model ?? createScriptedModel();
  const unexpected: unknown[] = [];
  const app = await createApp({
    env,
    // The database outlives the app: several apps may share it, one after the other or as two workers.
    database: { ...database, appliedMigrations: [], close: async () => {} },
    models: model.models,
    callModel: model.callModel,
    tools: options.tools ?? [],
    clock: systemClock,
    logger: options.logger ?? pino({ level: 'silent' }),
    hasJobs: false,
    ...(options.profiles === undefined ? {} : { profiles: options.profiles }),
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    onUnexpected: (error) => unexpected.push(error),
  });
  const as = (person: Person) =>
    createCaller({
      person,
      services: app.services,
      origin: 'http://navi.test',
      reportUnexpected: app.reportUnexpected,
    });
  const api = as(anonymous);

  function watch(sessionId: string, lastEventId?: string): Watcher {
    const controller = new AbortController();
    const events: Watcher['events'] = [];
    const waiting = new Set<() => void>();
    const feed = app.services.feed.session(anonymous, {
      sessionId,
      lastEventId: lastEventId ?? null,
      signal: controller.signal,
    });
    const ended = (async () => {
      for await (const row of feed) {
        events.push(row);
        for (const look of [...waiting]) look();
      }
    })();
    ended.catch(() => undefined);
    const until: Watcher['until'] = (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find(({ event }) => fits(event));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found.event);
        };
        waiting.add(look);
        look();
        ended.then(() => reject(new Error('the subscription ended before the event came')), reject);
      });
    if (lastEventId === undefined)
      noteArrival(
        sessionId,
        until(() => true),
      );
    return {
      events,
      ended,
      until,
      async stop() {
        controller.abort();
        await ended;
      },
    };
  }

  return {
    ...app,
    model,
    api,
    as,
    unexpected,
    watch,
    newSession: async () => (await api.sessions.create({})).id,
    async send(sessionId, text, clientMessageId = randomUUID()) {
      await Promise.allSettled(arriving.get(sessionId) ?? []);
      return api.messages.send({ sessionId, clientMessageId, text });
    },
    async untilIdle(sessionId) {
      const watcher = watch(sessionId);
      let isBusy = true;
      await watcher.until((event) => {
        if (event.kind === 'snapshot')
          isBusy = event.run !== null || event.queue.length > 0 || event.compression != null;
        else if (event.kind === 'run-end') isBusy = event.runState === 'running' || event.runState === 'queued';
        // A compression between two turns has no run-end; its state is told on its own.
        else if (event.kind === 'session-updated' && event.changes.runState === 'idle') isBusy = false;
        return !isBusy;
      });
      await watcher.stop();
    },
  };
}

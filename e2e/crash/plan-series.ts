/**
 * Crashes in the middle of plans: a scripted agent plans and works, the server is killed with SIGKILL when a step of the plan
 * has reached a given state, and started again on the same folder. The plan must be there, step by step; the agent must be
 * told once per version that it stopped in mid-step; and the work must come to its end.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { statusIcons } from '../../server/domains/todos/engine/reminder';
import type { StepStatus, TodoSnapshot } from '../../server/domains/todos/schema';
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process';
import { createApi, subscribeSession, untilIdle } from '../../server/testing/wire-client';
import {
  createGate,
  type RecordedRequest,
  type Reply,
  type Step,
  startOpenAiServer,
  text,
  toolCall,
  wait,
} from '../fixtures/model-servers';

/** The states in which a plan can be met: the first step pending, begun, and each way in which a step can be closed. */
export const planStates: readonly StepStatus[] = ['pending', 'in_progress', 'done', 'failed', 'skipped'];

export interface PlanCrashReport {
  /** The version of the plan after the restart, and the newest one that a subscriber had seen before. */
  revision: number;
  seenRevision: number;
  /** Recovery notes that the agent was given after the restart. */
  notes: number;
  /** The plan had a step in progress when the server came back. */
  wasInMidStep: boolean;
}

export interface PlanSeries {
  /**
   * Kills when a step has reached the state, `delayMs` later while the work goes on, or, with null, while the agent rests in
   * exactly that state. Checks everything; rejects with what was wrong.
   */
  crash(state: StepStatus, delayMs: number | null): Promise<PlanCrashReport>;
  close(): Promise<void>;
}

const LEASE_MS = 6_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Milliseconds of one piece of work between begin and end of a step: where most kills fall. */
const WORK_MS = 120;

const STEPS = ['Read the input', 'Ask the machine', 'Write the extra part'] as const;
/** How each of them ends. */
const ENDS: Record<number, Record<string, unknown>> = {
  1: { status: 'done', validation: 'read it twice' },
  2: { status: 'failed', note: 'it does not answer' },
  3: { status: 'skipped', note: 'nobody needs it' },
};

/** The agent goes by the plan that it is reminded of. `rest`: where it waits once its plan shows that state. */
function* work(request: RecordedRequest, rest: { state: StepStatus; gate: Step } | null): Generator<Step> {
  const shown = JSON.stringify(request.messages.at(-1) ?? '');
  if (rest !== null && new RegExp(`\\d+\\. ${statusIcons[rest.state]}`).test(shown)) yield rest.gate;
  const stepWith = (icon: string) => Number(new RegExp(`(\\d+)\\. ${icon}`).exec(shown)?.[1] ?? 0);
  const id = () => `call-${randomUUID().slice(0, 8)}`;
  if (!shown.includes('[Plan, ')) yield toolCall('todo', { action: 'set', tasks: [...STEPS] }, id());
  else if (stepWith('◎') > 0) {
    yield text('Working on it. ');
    yield wait(WORK_MS);
    yield toolCall('todo', { action: 'update', index: stepWith('◎'), ...ENDS[stepWith('◎')] }, id());
  } else if (stepWith('○') > 0) {
    yield toolCall('todo', { action: 'update', index: stepWith('○'), status: 'in_progress' }, id());
  } else yield text('The plan is done.');
}

/** One server on a folder, whose database may be prepared. */
export async function startPlanSeries(dataDir: string, options: { entry?: string } = {}): Promise<PlanSeries> {
  const requests: RecordedRequest[] = [];
  let rest: { state: StepStatus; gate: Step } | null = null;
  const model = await startOpenAiServer((request): Reply => {
    // Naming offers no tools.
    if (!JSON.stringify(request.body).includes('"tools"')) return 'A plan';
    requests.push(request);
    return work(request, rest);
  });
  const start = () =>
    startServerProcess({
      ...options,
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        NAVI_MODEL: 'openai/gpt-test',
        NAVI_DATA_DIR: dataDir,
        NAVI_RUN_LEASE_MS: String(LEASE_MS),
      },
    });
  let server: ServerProcess = await start();

  /** Begins the work and kills the server once a step is in the state. Answers the newest plan that was seen. */
  async function killAt(sessionId: string, state: StepStatus, delayMs: number | null): Promise<TodoSnapshot> {
    const gate = createGate();
    rest = delayMs === null ? { state, gate: gate.step } : null;
    const subscriber = await subscribeSession(server.origin, sessionId);
    const input = { sessionId, clientMessageId: randomUUID(), text: 'Work through it' };
    await createApi(server.origin).messages.send.mutate(input);
    await subscriber.until(
      (event) => event.kind === 'todo-updated' && event.snapshot.tasks.some((step) => step.status === state),
    );
    if (delayMs !== null) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await server.kill();
    rest = null;
    gate.open();
    const seen = subscriber.events.flatMap(({ event }) => (event.kind === 'todo-updated' ? [event.snapshot] : []));
    subscriber.close();
    const newest = seen.at(-1);
    assert.ok(newest !== undefined);
    assert.deepEqual(
      seen.map((snapshot) => snapshot.revision),
      seen.map((_, index) => index + 1),
    );
    return newest;
  }

  return {
    async crash(state, delayMs) {
      const { id: sessionId } = await createApi(server.origin).sessions.create.mutate({ name: 'Plan' });
      const seen = await killAt(sessionId, state, delayMs);
      server = await start();
      const api = createApi(server.origin);
      const found = await api.todos.get.query({ sessionId });
      // What was told is there; what was saved in the last moment may be newer than what was told.
      assert.ok(found.revision >= seen.revision, 'no version of the plan was lost');
      if (found.revision === seen.revision) assert.deepEqual(found, seen);
      assert.deepEqual(
        found.tasks.map((step) => [step.id, step.text]),
        STEPS.map((step, index) => [`step-${index + 1}`, step]),
      );
      await untilIdle(server.origin, sessionId, IDLE_TIMEOUT_MS);
      const after = requests.length;
      const { runState } = await api.sessions.get.query({ sessionId });
      // It may have come to its end in the moment before the kill.
      if (runState === 'interrupted') await api.runs.resume.mutate({ sessionId });
      await untilIdle(server.origin, sessionId, IDLE_TIMEOUT_MS);
      // A second turn with the same plan version must not be told again.
      await api.messages.send.mutate({ sessionId, clientMessageId: randomUUID(), text: 'Is it done?' });
      await untilIdle(server.origin, sessionId, IDLE_TIMEOUT_MS);
      const told = requests
        .slice(after)
        .map((request) => JSON.stringify(request.messages.at(-1)).includes('Recovery: '));
      const wasInMidStep = found.tasks.some((step) => step.status === 'in_progress');
      const notes = told.filter(Boolean).length;
      assert.equal(notes, wasInMidStep ? 1 : 0, 'one note for a plan in mid-step, none for any other');
      if (wasInMidStep) assert.equal(told[0], true, 'the note comes with the first step after the restart');
      const end = await api.todos.get.query({ sessionId });
      assert.deepEqual(
        end.tasks.map((step) => [step.id, step.status, step.validation ?? step.note]),
        [
          ['step-1', 'done', 'read it twice'],
          ['step-2', 'failed', 'it does not answer'],
          ['step-3', 'skipped', 'nobody needs it'],
        ],
      );
      assert.equal((await api.sessions.get.query({ sessionId })).runState, 'idle');
      return { revision: found.revision, seenRevision: seen.revision, notes, wasInMidStep };
    },
    async close() {
      await server.stop();
      await model.close();
    },
  };
}

/** Where the crash of a round falls: every state in turn, once resting in it and once while the work goes on. */
export function planMoment(round: number): { state: StepStatus; delayMs: number | null } {
  const state = planStates[round % planStates.length] ?? 'pending';
  return { state, delayMs: round % 2 === 0 ? null : Math.random() * WORK_MS };
}

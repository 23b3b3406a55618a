/** What one subagent is at: its plan and the step it takes, followed while it works. Knows nothing of React. */
import type { SessionEvent } from '../../../../server/events/topics';
import { appCodeOf } from '../../../lib/error-words';
import type { Client } from '../../../lib/trpc';
import { createPlanStore, type PlanStore } from '../plan/plan-store';

const RETRY_MS = 1_000;

/** The newest step of a subagent's run, and the tool that it uses in it. */
export interface Activity {
  step: number;
  toolName: string | null;
  /** It waits for a person's answer, which is given in its own session. */
  isAsking: boolean;
}

export interface SubagentStore {
  plan: PlanStore;
  getActivity(): Activity | null;
  subscribe(listener: () => void): () => void;
  /** Reads the plan and, of one that is at work, follows everything. The returned function ends that. */
  start(isAtWork: boolean): () => void;
}

export function createSubagentStore({ client, sessionId }: { client: Client; sessionId: string }): SubagentStore {
  const plan = createPlanStore({ client, sessionId });
  const listeners = new Set<() => void>();
  let activity: Activity | null = null;

  function onEvent(event: SessionEvent) {
    plan.onEvent(event);
    const next = foldActivity(activity, event);
    if (next === activity) return;
    activity = next;
    for (const listener of listeners) listener();
  }

  /** Goes on from the last event when the server ended the stream; ends with a session that is gone. */
  function follow(): () => void {
    let isOver = false;
    let lastEventId: string | null = null;
    let end = () => {};
    const open = () => {
      if (isOver) return;
      const again = () => void setTimeout(open, RETRY_MS);
      const subscription = client.events.session.subscribe(
        { sessionId, lastEventId },
        {
          onData: (data) => {
            lastEventId = data.id;
            if (!isOver) onEvent(data.data as SessionEvent);
          },
          onError: (error) => appCodeOf(error) !== 'not-found' && again(),
          onComplete: again,
        },
      );
      end = () => subscription.unsubscribe();
    };
    open();
    return () => {
      isOver = true;
      end();
    };
  }

  return {
    plan,
    getActivity: () => activity,
    subscribe(listener) {
      listeners.add(listener);
      const stop = plan.subscribe(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    start(isAtWork) {
      const stops = [plan.start(), ...(isAtWork ? [follow()] : [])];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

export function foldActivity(before: Activity | null, event: SessionEvent): Activity | null {
  switch (event.kind) {
    case 'snapshot': {
      if (event.run === null) return null;
      const { step, toolCalls } = event.run;
      return { step, toolName: toolCalls.at(-1)?.toolName ?? null, isAsking: event.approvals.length > 0 };
    }
    case 'step-start':
      return { step: event.step, toolName: null, isAsking: false };
    case 'tool-call':
      return { step: event.step, toolName: event.toolName, isAsking: false };
    case 'approval-asked':
      return { step: event.step, toolName: event.approval.toolName, isAsking: true };
    case 'approval-answered':
      return before === null ? null : { ...before, isAsking: false };
    case 'run-end':
      return null;
    default:
      return before;
  }
}

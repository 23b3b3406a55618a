/** The live part of a chat: the step that is being written and its open calls. Pure. */
import type { Snapshot, StoredEvent } from '../../../../server/events/topics';
import type { ChatState, LiveStep, LiveTool } from './state';

export type LiveEvent = Extract<
  StoredEvent,
  {
    kind:
      | 'step-start'
      | 'text-delta'
      | 'thinking-delta'
      | 'tool-call'
      | 'tool-progress'
      | 'tool-result'
      | 'approval-asked'
      | 'retrying';
  }
>;

/** The live part as a snapshot tells it; it replaces whatever was believed before. */
export function liveFromSnapshot({ run, approvals }: Snapshot): Pick<ChatState, 'live' | 'tools' | 'approvals'> {
  if (run === null) return { live: null, tools: [], approvals };
  const { runId, startedAt, model, step, text, thinking } = run;
  const tools: LiveTool[] = run.toolCalls.map((call) => ({ ...call, progress: null, status: null }));
  return { live: { runId, startedAt, model, step, text, thinking, retry: null }, tools, approvals };
}

export function foldLive(state: ChatState, event: LiveEvent): ChatState {
  const live = stepOf(state.live, event.runId, event.step);
  switch (event.kind) {
    case 'step-start':
      return { ...state, live: { ...live, text: '', thinking: '', retry: null }, tools: [] };
    case 'text-delta':
      return { ...state, live: { ...live, text: live.text + event.text, retry: null } };
    case 'thinking-delta':
      return { ...state, live: { ...live, thinking: live.thinking + event.text, retry: null } };
    case 'retrying': {
      const { attempt, delayMs, reason } = event;
      return { ...state, live: { ...live, retry: { attempt, delayMs, reason } } };
    }
    case 'tool-call': {
      const { toolCallId, toolName, startedAt } = event;
      const call = { toolCallId, toolName, arguments: event.arguments, startedAt };
      return { ...state, live, tools: changeTool(state.tools, toolCallId, call) };
    }
    case 'tool-progress':
      return { ...state, live, tools: changeTool(state.tools, event.toolCallId, { progress: event.text }) };
    case 'tool-result':
      return { ...state, live, tools: changeTool(state.tools, event.toolCallId, { status: event.status }) };
    case 'approval-asked': {
      const others = state.approvals.filter((approval) => approval.toolCallId !== event.approval.toolCallId);
      return { ...state, live, approvals: [...others, event.approval] };
    }
  }
}

/** The live step that an event speaks of; a new one when another step was believed to be live. */
function stepOf(live: LiveStep | null, runId: string, step: number): LiveStep {
  if (live?.runId === runId && live.step === step) return live;
  const isSameRun = live?.runId === runId;
  return {
    runId,
    step,
    startedAt: isSameRun ? live.startedAt : null,
    model: isSameRun ? live.model : null,
    text: '',
    thinking: '',
    retry: null,
  };
}

function changeTool(tools: readonly LiveTool[], toolCallId: string, changes: Partial<LiveTool>): readonly LiveTool[] {
  if (tools.some((tool) => tool.toolCallId === toolCallId)) {
    return tools.map((tool) => (tool.toolCallId === toolCallId ? { ...tool, ...changes } : tool));
  }
  // Only a call brings a name: anything else about a call that is not open came too late to matter.
  if (changes.toolName === undefined) return tools;
  const blank = { toolCallId, toolName: '', arguments: null, startedAt: null, progress: null };
  return [...tools, { ...blank, status: null, ...changes }];
}

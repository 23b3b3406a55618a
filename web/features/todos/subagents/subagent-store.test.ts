import { describe, expect, it } from 'vitest';
import type { ChildSession } from '../../../../server/domains/sessions/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import { foldActivity } from './subagent-store';
import { isNews } from './use-children';

const step = { runId: 'r', step: 2 };
const asked: SessionEvent = {
  kind: 'approval-asked',
  ...step,
  approval: { toolCallId: 'a', toolName: 'write_file', arguments: {}, risk: 'write' },
};

describe('what a subagent is at', () => {
  it('is its newest step and tool, whether it waits for a person, and nothing once it ended', () => {
    const call: SessionEvent = {
      kind: 'tool-call',
      ...step,
      toolCallId: 'a',
      toolName: 'read_file',
      arguments: {},
      startedAt: '',
    };
    let activity = foldActivity(null, { kind: 'step-start', ...step });
    expect(activity).toEqual({ step: 2, toolName: null, isAsking: false });
    activity = foldActivity(activity, call);
    expect(activity).toMatchObject({ toolName: 'read_file' });
    activity = foldActivity(activity, asked);
    expect(activity).toMatchObject({ toolName: 'write_file', isAsking: true });
    activity = foldActivity(activity, { kind: 'approval-answered', toolCallId: 'a', decision: 'denied' });
    expect(activity).toMatchObject({ isAsking: false });
    const same = foldActivity(activity, { kind: 'text-delta', ...step, text: 'x' });
    expect(same).toBe(activity);
  });
});

describe('the list of subagents', () => {
  const child = (runState: ChildSession['runState']): ChildSession => ({
    id: 'child',
    name: 'Count',
    profileId: 'default',
    runState,
    createdAt: '',
    toolCallId: 'a',
  });
  const progress: SessionEvent = {
    kind: 'tool-progress',
    ...step,
    toolCallId: 'a',
    text: 'Started',
    childSessionId: 'child',
  };
  const result: SessionEvent = { kind: 'tool-result', ...step, toolCallId: 'a', status: 'done' };

  it('is read again when one begins, until it is seen at work, and when it came to its end', () => {
    expect(isNews(progress, [])).toBe(true);
    // Read between its beginning and that of its run.
    expect(isNews(progress, [child('idle')])).toBe(true);
    expect(isNews(progress, [child('running')])).toBe(false);
    expect(isNews(result, [child('running')])).toBe(true);
    expect(isNews({ ...result, toolCallId: 'other' }, [child('running')])).toBe(false);
    const { childSessionId: _none, ...other } = progress;
    expect(isNews(other, [])).toBe(false);
  });
});

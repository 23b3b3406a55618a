import { describe, expect, it } from 'vitest';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { createPagedMessage } from '../../../testing/messages';
import { buildItems } from './items';
import { type ChatState, initialChatState } from './state';

let next = 0;
function message(changes: Partial<PagedMessage>): PagedMessage {
  next += 1;
  return createPagedMessage(next, { content: '', ...changes });
}

const user = (content: string) => message({ content });
const answer = (content: string, changes: Partial<PagedMessage> = {}) =>
  message({ role: 'assistant', content, ...changes });
const calls = (...ids: string[]) =>
  answer('', { toolCalls: ids.map((id) => ({ id, name: 'read_file', arguments: {} })) });
const result = (toolCallId: string) => message({ role: 'tool', toolCallId, content: 'text' });
const stateOf = (messages: PagedMessage[], changes: Partial<ChatState> = {}): ChatState => ({
  ...initialChatState('a'),
  isLoaded: true,
  messages,
  ...changes,
});
const kinds = (state: ChatState) => buildItems(state, []).map((item) => item.kind);
const live = { runId: 'r', startedAt: null, model: null, step: 2, text: 'Hel', thinking: '', retry: null };

describe('buildItems', () => {
  it('folds consecutive calls of several steps into one row, and text between them starts another', () => {
    const state = stateOf([
      user('q'),
      calls('1', '2'),
      result('1'),
      result('2'),
      calls('3'),
      result('3'),
      answer('text'),
      calls('4'),
      result('4'),
      answer('end'),
    ]);
    const items = buildItems(state, []);
    expect(items.map((item) => item.kind)).toEqual(['user', 'steps', 'assistant', 'steps', 'assistant', 'foot']);
    expect(items.flatMap((item) => (item.kind === 'steps' ? [item.entries.length] : []))).toEqual([3, 1]);
  });

  it('gives the live step and the message that it becomes the same key', () => {
    const asked = user('q');
    const before = buildItems(stateOf([asked], { live, runState: 'running' }), []);
    const said = answer('Hello.', { metadata: { runId: 'r', step: 2 } });
    const after = buildItems(stateOf([asked, said], { live: { ...live, text: '' }, runState: 'running' }), before);
    expect(before.map((item) => item.kind)).toEqual(['user', 'assistant', 'status']);
    expect(after.map((item) => item.key)).toEqual(before.map((item) => item.key));
  });

  it('does not show live text twice when a page was faster than the event of its message', () => {
    const said = answer('Hello.', { metadata: { runId: 'r', step: 2 } });
    expect(kinds(stateOf([user('q'), said], { live, runState: 'running' }))).toEqual(['user', 'assistant', 'status']);
  });

  it('keeps the identity of rows that did not change', () => {
    const messages = [user('q'), calls('1'), result('1'), answer('a')];
    const before = buildItems(stateOf(messages), []);
    const after = buildItems(stateOf([...messages, user('next')]), before);
    expect(after.slice(0, 3).every((item, index) => item === before[index])).toBe(true);
    expect(buildItems(stateOf(messages), before)).toBe(before);
  });

  it('hides superseded messages and shows the switcher of a branch at the end of its turn', () => {
    const variants = { index: 1, branchIds: [1, 2] };
    const state = stateOf([
      user('q'),
      answer('old', { supersededBy: 2 }),
      { ...calls('1'), variants },
      result('1'),
      answer('new'),
    ]);
    const foot = buildItems(state, []).find((item) => item.kind === 'foot');
    expect(kinds(state)).toEqual(['user', 'steps', 'assistant', 'foot']);
    expect(foot?.kind === 'foot' && foot.variants).toEqual(variants);
  });

  it('puts a service line that follows an answer below its foot', () => {
    const switched = message({ role: 'system', content: 'Model switched', metadata: { source: 'model_switched' } });
    expect(kinds(stateOf([user('q'), answer('a'), switched, user('next')]))).toEqual([
      'user',
      'assistant',
      'foot',
      'service',
      'user',
    ]);
  });

  it('offers to go on after a run that was stopped before it said anything', () => {
    const record = message({ role: 'system', content: 'Stopped', metadata: { source: 'stopped' } });
    const items = buildItems(stateOf([user('q'), record]), []);
    const foot = items.at(-1);
    expect(items.map((item) => item.kind)).toEqual(['user', 'foot']);
    expect(foot?.kind === 'foot' && foot.ending).toBe('stopped');
  });

  it('keeps a call that waits for approval in sight after its run was interrupted', () => {
    const approval = {
      toolCallId: '1',
      toolName: 'run_command',
      arguments: { command: 'ls' },
      risk: 'execute' as const,
    };
    const items = buildItems(stateOf([user('q'), calls('1')], { approvals: [approval], runState: 'interrupted' }), []);
    const steps = items.find((item) => item.kind === 'steps');
    expect(steps?.kind === 'steps' && steps.entries[0]?.kind === 'call' && steps.entries[0].view.approval).toBe(
      approval,
    );
  });

  it('gives every row and call a key of its own, though a model used an id twice', () => {
    const items = buildItems(
      stateOf([user('q'), calls('1', '1'), result('1'), answer('text'), calls('1'), result('1'), answer('end')]),
      [],
    );
    const keys = items.flatMap((item) => [item.key, ...(item.kind === 'steps' ? item.entries.map((e) => e.key) : [])]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

import { describe, expect, it } from 'vitest';
import { stateOfCall, wordsForCall } from './tool-words';

describe('wordsForCall', () => {
  it('says what is done to what, in the tense of the call', () => {
    expect(wordsForCall('read_file', { path: 'notes.md' }, true)).toEqual({ verb: 'Read', object: 'notes.md' });
    expect(wordsForCall('read_file', { path: 'notes.md' }, false).verb).toBe('Reading');
  });

  it('says in general what a call without its argument was about', () => {
    expect(wordsForCall('write_file', '{"path": "a', false)).toEqual({ verb: 'Writing a file', object: null });
    expect(wordsForCall('list_files', { path: '.' }, true).verb).toBe('Listed files in the workspace');
  });

  it('names the action of a tool that has several', () => {
    expect(wordsForCall('scratchpad', { action: 'read', section: 'plan' }, true)).toEqual({
      verb: 'Looked up',
      object: 'plan',
    });
  });

  it('calls an unknown tool by its name, whatever its arguments are', () => {
    for (const args of [null, 'text', 3, [], {}, { deep: { path: 1 } }]) {
      expect(wordsForCall('make_coffee', args, true)).toEqual({ verb: 'Used make coffee', object: null });
    }
  });

  it('keeps a long or broken object to one short line', () => {
    const { object } = wordsForCall('run_command', { command: `first\nsecond ${'x'.repeat(500)}` }, true);
    expect(object).toMatch(/^first second x+…$/);
    expect(object?.length).toBe(120);
  });
});

describe('stateOfCall', () => {
  const live = { toolCallId: 'c', toolName: 't', arguments: {}, startedAt: null, progress: null, status: null };

  it('calls done what was done, and nothing else', () => {
    expect(stateOfCall({ result: null, live: null })).toEqual({ status: 'running', isRunning: false, isDone: false });
    expect(stateOfCall({ result: null, live })).toMatchObject({ isRunning: true, isDone: false });
    expect(stateOfCall({ result: null, live: { ...live, status: 'failed' } })).toMatchObject({
      status: 'failed',
      isRunning: false,
      isDone: false,
    });
    expect(stateOfCall({ result: null, live: { ...live, status: 'done' } })).toMatchObject({ isDone: true });
  });
});

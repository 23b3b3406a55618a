import { describe, expect, it } from 'vitest';
import { type RecoveryFacts, recoveryNote } from './recovery';
import { parseTasks } from './stored';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
/** A plan left in mid-step, read by the first run of a new process. */
const facts: RecoveryFacts = {
  tasks: parseTasks([
    { text: 'a', status: 'done' },
    { text: 'b', status: 'in_progress' },
  ]),
  revision: 5,
  updatedAt: at(0),
  notedRevision: null,
  processStartedAt: at(1),
  runStartedAt: at(2),
  wasPreviousRunInterrupted: false,
};

describe('the recovery note', () => {
  it('has the words of seed 000, conditional', () => {
    expect(recoveryNote(facts)).toBe(
      "Recovery: this plan was last changed at 2026-01-01T12:00:00.000Z and step 2 is still 'in_progress'. If no run is working on it " +
        'right now, a previous run stopped mid-step — check the actual state of its work before continuing.',
    );
  });

  it.each<[string, Partial<RecoveryFacts>, boolean]>([
    ['a process that started later', {}, true],
    ['no step in progress', { tasks: parseTasks([{ text: 'a', status: 'pending' }]) }, false],
    ['an empty plan', { tasks: [] }, false],
    ['this revision was noted', { notedRevision: 5 }, false],
    ['an older revision was noted', { notedRevision: 4 }, true],
    ['changed by this very run', { updatedAt: at(3) }, false],
    ['changed at the moment this run began', { updatedAt: at(2) }, false],
    ['changed by this process, the previous run ended well', { updatedAt: at(1), processStartedAt: at(0) }, false],
    [
      'changed by this process, the previous run was interrupted',
      { updatedAt: at(1), processStartedAt: at(0), wasPreviousRunInterrupted: true },
      true,
    ],
  ])('%s', (_name, change, isNoted) => {
    expect(recoveryNote({ ...facts, ...change }) !== null).toBe(isNoted);
  });
});

import { expect, it } from 'vitest';
import type { Message } from '../messages/schema';
import { createMessage } from '../messages/testing/messages';
import { checkForSecrets } from './check';
import { presentMessage } from './engine/present-message';

/** A history of `count` messages, newest first as the store answers. */
function history(count: number, content: (sequenceNumber: number) => string) {
  return async (beforeSeq: number | null, limit: number): Promise<Message[]> => {
    const last = (beforeSeq ?? count + 1) - 1;
    return Array.from({ length: Math.min(limit, last) }, (_, index) =>
      createMessage(last - index, { content: content(last - index) }),
    );
  };
}
const present = (message: Message) => presentMessage(message, (text) => text);
const readArtifact = async () => null;

it('reads a long history to its beginning, newest first', async () => {
  const readBefore = history(1_200, (at) => (at === 1 || at === 900 ? `password=hunter${at}` : 'nothing here'));
  const result = await checkForSecrets({ name: null, readBefore, present, readArtifact, now: () => 0 });
  expect(result.findings.map((finding) => finding.sequenceNumber)).toEqual([900, 1]);
  expect(result).toMatchObject({ isComplete: true, checkedMessages: 1_200 });
});

it('stops when its time is over, and says so', async () => {
  let at = 0;
  // Each look at the clock costs a millisecond.
  const now = () => at++;
  const readBefore = history(100_000, () => 'password=hunter2');
  const result = await checkForSecrets({
    name: null,
    readBefore: async (...page) => readBefore(...page),
    present,
    readArtifact,
    now,
  });
  expect(result.isComplete).toBe(false);
  expect(result.checkedMessages).toBeLessThan(100_000);
  const slow = await checkForSecrets({
    name: null,
    readBefore: history(100_000, () => 'x'),
    present,
    readArtifact,
    now,
  });
  expect(slow).toMatchObject({ isComplete: false, findings: [] });
  expect(slow.checkedMessages).toBeLessThan(8_000);
});

it('stops when nobody would read more findings', async () => {
  const readBefore = history(1_000, (at) => `password=hunter${at}`);
  const { findings, isComplete } = await checkForSecrets({
    name: 'x',
    readBefore,
    present,
    readArtifact,
    now: () => 0,
  });
  expect(findings).toHaveLength(200);
  expect(isComplete).toBe(false);
});

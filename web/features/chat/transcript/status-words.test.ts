import { describe, expect, it } from 'vitest';
import { type ChatState, initialChatState } from '../stream/state';
import { hasMotion, wordsForNow } from './status-words';

const live = { runId: 'r', startedAt: null, model: null, step: 1, text: '', thinking: '', retry: null };
const running = (part: Partial<ChatState>): ChatState => ({ ...initialChatState('s'), runState: 'running', ...part });

describe('the last row of a turn', () => {
  it.each<[string, Partial<ChatState>, string, boolean]>([
    ['before the run is known', {}, 'Starting', false],
    ['before the first byte', { live }, 'Waiting for the model', false],
    ['while reasoning is only blank', { live: { ...live, thinking: '\n' } }, 'Waiting for the model', false],
    ['while the line of the reasoning says “Thinking”, nothing', { live: { ...live, thinking: 'Hm' } }, '', true],
    ['while text comes', { live: { ...live, thinking: 'Hm', text: 'So' } }, 'Answering', true],
    [
      'while it tries again',
      { live: { ...live, retry: { attempt: 1, delayMs: 1, reason: 'Is it running?' } } },
      'Is it running? Trying again, attempt 2',
      false,
    ],
    [
      'while it does what it would advise',
      { live: { ...live, retry: { attempt: 1, delayMs: 1, reason: 'It failed (500). Try again in a moment.' } } },
      'It failed (500). Trying again, attempt 2',
      false,
    ],
    ['while it stops', { live: { ...live, thinking: 'Hm' }, runState: 'stopping' }, 'Stopping', true],
  ])('says, %s', (_when, part, words, moves) => {
    expect(wordsForNow(running(part))).toBe(words);
    expect(hasMotion(running(part))).toBe(moves);
  });
});

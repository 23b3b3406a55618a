import { describe, expect, it } from 'vitest';
import { afterSent, emptyDraft, isEmptyDraft, wanted, withFiles, withText } from './draft';

describe('draft', () => {
  it('keeps its id through every attempt to send the same text', () => {
    const first = wanted(withText(emptyDraft, 'hello'));
    expect(wanted(first).clientMessageId).toBe(first.clientMessageId);
    expect(withText(first, 'hello')).toBe(first);
  });

  it('is another message once its text changes', () => {
    const first = wanted(withText(emptyDraft, 'hello'));
    const changed = withText(first, 'hello there');
    expect(changed).toMatchObject({ clientMessageId: null, isWanted: false });
    expect(wanted(changed).clientMessageId).not.toBe(first.clientMessageId);
  });

  it('is empty after it was acknowledged, but for what was typed on in the meantime', () => {
    const sent = wanted(withText(emptyDraft, 'hello'));
    expect(afterSent(sent, sent)).toEqual(emptyDraft);
    expect(afterSent(withText(sent, 'hello and more'), sent).text).toBe('and more');
    expect(afterSent(withText(sent, 'something else'), sent).text).toBe('something else');
  });

  const file = (id: string) => ({ id, name: id, kind: 'text' as const, mimeType: 'text/plain', sizeBytes: 1 });

  it('is another message with other files, and keeps those that came after it was sent', () => {
    const sent = wanted(withFiles(withText(emptyDraft, 'hello'), [file('a')]));
    const more = withFiles(sent, [file('a'), file('b')]);
    expect(more.clientMessageId).toBeNull();
    expect(afterSent(more, sent).files).toEqual([file('b')]);
    expect(afterSent(sent, sent)).toEqual(emptyDraft);
  });

  it('can be sent with a file and no words', () => {
    expect(isEmptyDraft(withText(emptyDraft, ' '))).toBe(true);
    expect(isEmptyDraft(withFiles(emptyDraft, [file('a')]))).toBe(false);
  });
});

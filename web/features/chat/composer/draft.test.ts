import { describe, expect, it } from 'vitest';
import { afterSent, emptyDraft, wanted, withText } from './draft';

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
});

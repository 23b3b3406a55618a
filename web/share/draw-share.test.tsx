import { expect, it } from 'vitest';
import { drawShare } from './draw-share';
import { shared } from './testing/shared-message';

const view = {
  name: 'Boats <b>of</b> the lake',
  profileName: 'General',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastActive: '2026-03-02T00:00:00.000Z',
};

it('draws the first screen as the page does, at its end where there is more above', () => {
  const messages = Array.from({ length: 30 }, (_, index) =>
    shared(index + 1, { role: 'user', content: `Message ${index + 1}` }),
  );
  const html = drawShare({ ...view, page: { messages, nextBeforeSeq: 1 } });
  expect(html).toContain('data-has-older');
  expect(html).toContain('Message 30<');
  expect(html).not.toContain('Message 1<');
  const whole = drawShare({ ...view, page: { messages, nextBeforeSeq: null } });
  expect(whole).not.toContain('data-has-older');
  expect(whole).toContain('Message 1<');
});

it('leaves blank what depends on where and when it is read', () => {
  const html = drawShare({
    ...view,
    page: { messages: [shared(1, { role: 'user', content: 'Hi' })], nextBeforeSeq: null },
  });
  const moments = [...html.matchAll(/<time[^>]*>([^<]*)<\/time>/g)].map(([, text]) => text);
  expect(moments.length).toBeGreaterThan(1);
  expect(new Set(moments)).toEqual(new Set(['\u00a0']));
});

it('draws nothing of what a chat says as markup', () => {
  const attack = '<img src=x onerror="attack()"> <script>attack()</script> [x](javascript:attack())';
  const messages = [
    shared(1, { role: 'user', content: attack }),
    shared(2, {
      content: attack,
      thinking: attack,
      toolCalls: [{ id: 'a', name: attack, arguments: { [attack]: attack } }],
    }),
    shared(3, { role: 'tool', toolCallId: 'a', name: attack, content: attack }),
    shared(4, { content: attack, artifact: null }),
  ];
  const html = drawShare({ ...view, page: { messages, nextBeforeSeq: null } });
  expect(html).toContain('&lt;img src=x');
  expect(html).not.toMatch(/<(?:img|script)|href="javascript/i);
});

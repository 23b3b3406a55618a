import { describe, expect, it } from 'vitest';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { withheldWords } from './withheld-words';

const image = (id: string) => ({ id, name: `${id}.png`, kind: 'image' as const, mimeType: 'image/png', sizeBytes: 1 });
const message = (imagesWithheld: PagedMessage['metadata']['imagesWithheld'], role: PagedMessage['role'] = 'user') => ({
  role,
  images: [image('a'), image('b'), image('c')],
  metadata: imagesWithheld === undefined ? {} : { imagesWithheld },
});

describe('images that the model was not shown', () => {
  it('need no words while there are none', () => {
    expect(withheldWords(message(undefined))).toEqual([]);
    expect(withheldWords(message([]))).toEqual([]);
  });

  it('are named with the reason', () => {
    expect(
      withheldWords(
        message([
          { id: 'a', reason: 'unreadable', detail: 'its file is gone' },
          { id: 'b', reason: 'no-room' },
          { id: 'c', reason: 'no-room' },
        ]),
      ),
    ).toEqual([
      'No room in the model’s window for b.png, c.png: it opens them when it needs them.',
      'The model was not shown a.png: its file is gone.',
    ]);
    expect(withheldWords(message([{ id: 'b', reason: 'no-room' }], 'tool'))).toEqual([
      'No room in the model’s window for b.png.',
    ]);
    expect(withheldWords(message([{ id: 'a', reason: 'no-vision' }]))).toEqual([
      'This model sees no images: it was told the name only.',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { readImageDimensions } from '../../../lib/image-dimensions';
import { baselineOf, estimateContext } from './baseline';
import { priceImage } from './image-price';
import { createEstimator, type PriceList } from './message-price';
import { history, makeMessage } from './testing/histories';

const prices: PriceList = {
  calibration: { overheadTokens: 300, tokensPerChar: 0.25, source: 'calibrated' },
  messageBudgetTokens: 1000,
  imageTokens: () => 1026,
};
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)));
const u16 = (value: number) => [value & 255, value >> 8];
const u16be = (value: number) => [value >> 8, value & 255];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u32be = (value: number) => u32(value).reverse();
const u24 = (value: number) => u32(value).slice(0, 3);

describe('image prices', () => {
  it.each([
    [1024, 1024, 1026],
    [2048, 2048, 4098],
    [512, 512, 258],
    [64, 64, 258],
    [8001, 8001, 4098],
    [2162, 322, 68 * 11 + 2],
    [1170, 2532, 37 * 80 + 2],
    [20_000, 1, 625 + 2],
  ])('%i × %i costs %i tokens', (width, height, tokens) => {
    expect(priceImage({ width, height }, 1024)).toBe(tokens);
  });

  it('charges the flat price only where the header cannot be read', () => {
    expect(readImageDimensions(bytes('not an image at all'))).toBeNull();
    expect(readImageDimensions(new Uint8Array(0))).toBeNull();
    expect(readImageDimensions(bytes([0x89], 'PNG\r\n\x1a\n'))).toBeNull();
    expect(priceImage(null, 1024)).toBe(1024);
  });

  it.each([
    ['png', bytes([0x89], 'PNG\r\n\x1a\n', u32be(13), 'IHDR', u32be(2162), u32be(322), [8, 6, 0, 0, 0])],
    ['gif', bytes('GIF89a', u16(2162), u16(322), [0, 0, 0])],
    ['bmp', bytes('BM', u32(100), u32(0), u32(54), u32(40), u32(2162), u32(322), u16(1), u16(24))],
    [
      'jpeg',
      bytes(
        [0xff, 0xd8, 0xff, 0xe0],
        u16be(16),
        'JFIF\0',
        [1, 1, 0, 0, 1, 0, 1, 0, 0],
        [0xff, 0xc0],
        u16be(17),
        [8],
        u16be(322),
        u16be(2162),
        [3, 1, 17, 0, 2, 17, 1, 3, 17, 1],
      ),
    ],
    [
      'webp lossy',
      bytes('RIFF', u32(100), 'WEBPVP8 ', u32(80), [0x30, 1, 0, 0x9d, 1, 0x2a], u16(2162), u16(322), [0, 0, 0, 0]),
    ],
    [
      'webp lossless',
      bytes('RIFF', u32(100), 'WEBPVP8L', u32(80), [0x2f], u32((2162 - 1) | ((322 - 1) << 14)), [0, 0, 0, 0, 0]),
    ],
    [
      'webp extended',
      bytes('RIFF', u32(100), 'WEBPVP8X', u32(10), [0x10, 0, 0, 0], u24(2162 - 1), u24(322 - 1), [0, 0, 0, 0]),
    ],
  ])('reads the header of %s, whatever the file is called', (_, header) => {
    expect(readImageDimensions(header)).toEqual({ width: 2162, height: 322 });
  });
});

describe('message prices', () => {
  it('price the view: a megabyte-long tool result costs what the model is sent of it', () => {
    const estimator = createEstimator(prices);
    const huge = makeMessage({ sequenceNumber: 1, role: 'tool', content: 'x'.repeat(1_000_000) });
    expect(estimator.message(huge)).toBeLessThan(600);
    expect(estimator.message(makeMessage({ sequenceNumber: 2, role: 'user', content: 'x'.repeat(400) }))).toBe(103);
  });

  it('count an image by its price, never by its bytes', () => {
    const image = { id: 'i', name: 'shot.png', kind: 'image' as const, mimeType: 'image/png', sizeBytes: 3_000_000 };
    const other = { ...image, id: 'j' };
    const message = makeMessage({ sequenceNumber: 1, role: 'user', content: 'look', images: [image, other] });
    const estimator = createEstimator(prices);
    const named = estimator.message(message);
    // Their names in the notice; the pictures themselves once they are sent.
    expect(named).toBeLessThan(60);
    const priceSent = (ids: string[]) => estimator.message({ ...message, metadata: { imagesSent: ids } });
    expect(priceSent(['i', 'j']) - named).toBe(2052);
    expect(priceSent(['j']) - named).toBe(1026);
  });

  it('leave out what no model is sent', () => {
    const estimator = createEstimator(prices);
    const plain = makeMessage({ sequenceNumber: 1, role: 'assistant', content: 'hello' });
    const thoughtful = { ...plain, thinking: 'y'.repeat(9000), metadata: { model: 'z'.repeat(9000) } };
    expect(estimator.message(thoughtful)).toBe(estimator.message(plain));
  });
});

describe('the estimate of the next prompt', () => {
  const estimator = createEstimator(prices);
  const common = { model: 'ollama/a', estimator, promptTokens: 200 };

  it('is the real count when nothing was added, and the count plus the delta when something was', () => {
    const { messages } = history().user('a'.repeat(4000)).assistant('b'.repeat(388));
    const baseline = baselineOf('ollama/a', 5000, messages);
    expect(estimateContext({ ...common, context: messages, baseline })).toMatchObject({
      tokens: 5000,
      source: 'real',
      isContinued: true,
    });
    const more = [...messages, makeMessage({ sequenceNumber: 3, role: 'user', content: 'c'.repeat(388) })];
    expect(estimateContext({ ...common, context: more, baseline })).toMatchObject({
      tokens: 5100,
      source: 'calibrated',
    });
  });

  it('does not trust a baseline of another model, or one whose messages have left', () => {
    const { messages } = history().user('a'.repeat(1588)).assistant('b'.repeat(388)).user('c'.repeat(388));
    const whole = 300 + 200 + 400 + 100 + 100;
    const other = baselineOf('ollama/b', 9000, messages);
    expect(estimateContext({ ...common, context: messages, baseline: other }).tokens).toBe(whole);
    const stale = baselineOf('ollama/a', 9000, messages);
    expect(estimateContext({ ...common, context: messages.slice(1), baseline: stale }).tokens).toBe(whole - 400);
    expect(estimateContext({ ...common, context: messages, baseline: null })).toMatchObject({
      source: 'calibrated',
      isContinued: false,
    });
  });
});

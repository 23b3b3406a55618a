import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageReader, type MessageUnit } from './wire-messages';

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const startup = (code: number, body = Buffer.alloc(0)) => {
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, body]);
};
const protocol3 = 196_608;

function read(bytes: Buffer, cuts: number[]) {
  const units: MessageUnit[] = [];
  const events: string[] = [];
  const push = createMessageReader({
    onUnit: (unit) => units.push(unit),
    onRefuseEncryption: () => events.push('refused encryption'),
    onEnd: () => events.push('end'),
  });
  const points = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const point of [...points, bytes.length]) {
    if (point > from) push(bytes.subarray(from, point));
    from = point;
  }
  return { units: units.map((unit) => [Buffer.from(unit.bytes).toString('hex'), unit.isComplete]), events };
}

test('the same units come out however the bytes arrive', () => {
  const pipeline = fc.tuple(
    fc.array(fc.tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C'), fc.uint8Array({ maxLength: 200 })), { maxLength: 4 }),
    fc.constantFrom('S', 'Q', 'H'),
  );
  fc.assert(
    fc.property(fc.array(pipeline, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 12 }), (pipelines, cuts) => {
      const wanted = pipelines.map(([parts, last]) =>
        Buffer.concat([
          ...parts.map(([type, body]) => message(type, Buffer.from(body))),
          message(last, Buffer.alloc(0)),
        ]),
      );
      const first = startup(protocol3, Buffer.from('user\0postgres\0\0'));
      const { units } = read(Buffer.concat([first, ...wanted]), cuts);
      expect(units).toEqual([
        [first.toString('hex'), true],
        ...wanted.map((bytes, index) => [bytes.toString('hex'), pipelines[index]?.[1] !== 'H']),
      ]);
    }),
  );
});

test('encryption is refused before the start-up message, and a goodbye ends', () => {
  const bytes = Buffer.concat([startup(80_877_103), startup(protocol3), message('X', Buffer.alloc(0))]);
  expect(read(bytes, [3, 9])).toEqual({
    units: [[startup(protocol3).toString('hex'), true]],
    events: ['refused encryption', 'end'],
  });
});

test('what is no message of this protocol ends the connection instead of being waited for', () => {
  const bytes = Buffer.concat([startup(protocol3), Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff])]);
  expect(read(bytes, []).events).toEqual(['end']);
});

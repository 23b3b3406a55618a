import { expect, it } from 'vitest';
import { Prisma } from '../generated/prisma/client';
import { describeEachEngine } from '../testing/database';

describeEachEngine('SQL by hand', (getDatabase) => {
  const readValue = async (expression: string) => {
    const [row] = await getDatabase().prisma.$queryRaw<{ value: unknown }[]>(
      Prisma.raw(`SELECT ${expression} AS value`),
    );
    return row?.value;
  };

  it.each([
    ['7::int8', 7n],
    ['count(*)', 1n],
    ['7::int4', 7],
    ['0.5::float8', 0.5],
    [`'{"a": [1]}'::jsonb`, { a: [1] }],
    [`'{a,NULL}'::text[]`, ['a', null]],
    ['NULL::int8', null],
    [`'2026-01-02 03:04:05+02'::timestamptz`, new Date('2026-01-02T01:04:05Z')],
    [String.raw`'\x00ff'::bytea`, Buffer.from([0, 255])],
  ])('answers %s as Prisma does', async (expression, value) => {
    expect(await readValue(expression)).toEqual(value);
  });

  it.each([
    `'2026-01-02'::date`,
    `'2026-01-02 03:04:05'::timestamp`,
    `'03:04'::time`,
    '1.10::numeric',
    'sum(7::int8)',
    'ARRAY[7::int8]',
    'ARRAY[1.1]',
  ])('refuses %s, which the driver reads otherwise, and goes on', async (expression) => {
    await expect(readValue(expression)).rejects.toThrow('cast');
    expect(await readValue('1')).toBe(1);
  });
});

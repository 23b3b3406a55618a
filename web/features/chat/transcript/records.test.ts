import { describe, expect, it } from 'vitest';
import { readRecords } from './records';

describe('a value as a table', () => {
  it('is one when it is a list of like, flat records', () => {
    expect(
      readRecords([
        { id: 1, name: 'a' },
        { name: 'b', id: 2, isNew: true },
      ]),
    ).toEqual({
      columns: ['id', 'name', 'isNew'],
      rows: [
        [1, 'a', null],
        [2, 'b', true],
      ],
    });
  });

  it('is one when such a list is all that a record holds', () => {
    expect(readRecords({ files: [{ name: 'a' }, { name: 'b' }] })?.rows).toEqual([['a'], ['b']]);
  });

  it.each([
    ['one record', [{ id: 1 }]],
    ['values without names', [1, 2]],
    ['records in records', [{ id: { deep: 1 } }, { id: { deep: 2 } }]],
    ['a list of lists', [[1], [2]]],
    ['records of different kinds', [{ a: 1 }, { b: 1 }, { c: 1 }]],
    ['too many fields', [1, 2].map(() => Object.fromEntries([...'abcdefghi'].map((name) => [name, 1])))],
    ['empty records', [{}, {}]],
    ['a list beside other fields', { total: 2, files: [{ name: 'a' }, { name: 'b' }] }],
    ['null', null],
    ['a text', 'id,name'],
  ])('is none when it is %s', (_, value) => expect(readRecords(value)).toBeNull());
});

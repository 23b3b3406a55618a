import { describe, expect, it } from 'vitest';
import { createMessage } from '../testing/messages';
import { withVariants } from './variants';

describe('the variant switcher', () => {
  const page = (rows: [number, number | null][]) =>
    rows.map(([sequence, branchId]) => createMessage(sequence, { branchId }));
  const shown = (rows: [number, number | null][], groups: [number, number[]][], previous: number) =>
    withVariants(page(rows), new Map(groups), previous).map((message) => message.variants);

  it('stands on the first current message after the fork, and on no other of its branch', () => {
    expect(
      shown(
        [
          [1, null],
          [5, 11],
          [6, 11],
        ],
        [[1, [10, 11, 12]]],
        0,
      ),
    ).toEqual([null, { index: 1, branchIds: [10, 11, 12] }, null]);
  });

  it('stands on the first message of the chat when that was edited', () => {
    expect(
      shown(
        [
          [3, 8],
          [4, 8],
        ],
        [[0, [7, 8]]],
        0,
      ),
    ).toEqual([{ index: 1, branchIds: [7, 8] }, null]);
  });

  it('stands once per fork of a nested branch', () => {
    const groups: [number, number[]][] = [
      [1, [10, 11]],
      [5, [20, 21]],
    ];
    expect(
      shown(
        [
          [1, null],
          [4, 11],
          [5, 11],
          [9, 21],
          [10, 21],
        ],
        groups,
        0,
      ),
    ).toEqual([null, { index: 1, branchIds: [10, 11] }, null, { index: 1, branchIds: [20, 21] }, null]);
  });

  it('stays away from a page that begins in the middle of a branch, and is there when the fork lies right before it', () => {
    expect(shown([[6, 11]], [[1, [10, 11]]], 5)).toEqual([null]);
    expect(shown([[5, 11]], [[1, [10, 11]]], 1)).toEqual([{ index: 1, branchIds: [10, 11] }]);
  });
});

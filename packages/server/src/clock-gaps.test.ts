import { describe, expect, it } from 'vitest';
import { stepBack } from './clock-gaps.ts';

describe('OP-13 time that was seen to pass', () => {
  const steps: [string, [number, number][], number][] = [
    ['without gaps', [], 70],
    ['a gap longer ago', [[10, 60]], 70],
    ['a gap within', [[50, 90]], 30],
    [
      'several',
      [
        [45, 65],
        [80, 90],
      ],
      40,
    ],
    [
      'one within another',
      [
        [20, 90],
        [40, 50],
      ],
      0,
    ],
    ['one that lasts', [[60, 100]], 30],
  ];
  it.each(steps)('OP-13 thirty units before 100: %s', (_, gaps, time) => {
    expect(
      stepBack(
        100,
        30,
        gaps.map(([beganAt, endedAt]) => ({ beganAt, endedAt })),
      ),
    ).toBe(time);
  });
});

import { describe, expect, it } from 'vitest';
import { createTally } from '../../../src/run/calls/send-slice.ts';

describe('the tally', () => {
  it('the tally counts work until it ended, however it ended, and says when none is left', async () => {
    const tally = createTally();
    await tally.allEnded();
    const works = [
      Promise.resolve('a'),
      Promise.reject(new Error('broken')),
      new Promise((resolve) => setImmediate(resolve)),
    ];
    const counted = works.map((work) => tally.of(work));
    expect(tally.count()).toBe(3);
    const results = await Promise.allSettled(counted.slice(0, 2));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(tally.count()).toBe(1);
    await tally.allEnded();
    expect(tally.count()).toBe(0);
  });
});

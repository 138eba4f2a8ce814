import { expect, it } from 'vitest';
import { incompleteCause, incompleteRemedy, stopCause } from '../../../src/report/words/stop-words.ts';

it.each([
  [null, 'ENOSPC', 'the record cannot be written (ENOSPC)'],
  ['/r/media/a.png', 'EDQUOT', 'the record cannot be written: /r/media/a.png (EDQUOT)'],
  ['/r/journal.jsonl', 'ENOENT', 'the folder of the run is gone: /r/journal.jsonl (ENOENT)'],
])('a disk stop at the path %s with %s reads in words', (path, code, words) => {
  expect(stopCause({ reason: 'disk', path, code })).toBe(words);
});

it('a merged run names the shards that are missing and those that were stopped, with the reason of each', () => {
  const shards = {
    of: 8,
    missing: [2, 5, 6],
    stopped: [
      { index: 3, stop: null },
      { index: 7, stop: { reason: 'requests', limit: 40 } as const },
    ],
  };
  const why = { stop: null, abandoned: [], shards };
  expect(incompleteCause(why)).toBe(
    'shards 2, 5 and 6 of 8 are missing; shard 3 of 8: the process was killed before it could record why; shard 7 of 8: the limit of 40 requests was reached',
  );
  expect(incompleteRemedy(why)).toMatch(
    /^resume each shard that ended early, and run each missing shard with the same --shard/,
  );
  expect(incompleteCause({ ...why, shards: { of: 3, missing: [2], stopped: [] } })).toBe('shard 2 of 3 is missing');
});

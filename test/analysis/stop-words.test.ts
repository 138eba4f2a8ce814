import { expect, it } from 'vitest';
import { incompleteCause, incompleteRemedy, stopCause, stopCauseInShort } from '../../src/analysis/incomplete.ts';

it.each([
  [null, 'ENOSPC', 'the record cannot be written (ENOSPC)'],
  ['/r/media/a.png', 'EDQUOT', 'the record cannot be written: /r/media/a.png (EDQUOT)'],
  ['/r/journal.jsonl', 'ENOENT', 'the folder of the run is gone: /r/journal.jsonl (ENOENT)'],
])('a disk stop at the path %s with %s reads in words', (path, code, words) => {
  expect(stopCause({ reason: 'disk', path, code })).toBe(words);
});

it.each([
  { reason: 'interrupted' },
  { reason: 'no_credit', variant: 'fast', message: 'no money' },
  { reason: 'throttled', variant: 'fast' },
  { reason: 'disk', path: '/r/journal.jsonl', code: 'ENOSPC' },
  { reason: 'descriptors' },
  { reason: 'service', exitCode: 1, signal: null },
  { reason: 'defect', message: 'it broke' },
] as const)('a stop of a worker reads as in its own report, without what only its record holds: $reason', (stop) => {
  expect(stopCause(stop)).toContain(stopCauseInShort(stop.reason));
});

it('a stop of a worker for a reason that is not known reads as that reason', () => {
  expect(stopCauseInShort('other_reason')).toBe('other_reason');
});

it('a run that failures stopped says why its variants were left out, those for one reason together', () => {
  const stop = { reason: 'failures', failed: 20, samples: 20, limit: 0.5 } as const;
  const why = { code: 'refused_warmup', httpStatus: 401, errorCode: 'wrong_key', message: 'no such key' } as const;
  const named = (count: number) => Array.from({ length: count }, (_, at) => ({ variant: `v${at}`, why }));
  const told = 'warm-ups were rejected with HTTP 401 (wrong_key): no such key';
  expect(incompleteCause({ stop, abandoned: named(2), shards: null })).toBe(
    `20 of 20 takes failed, significantly more than limits.failures (50 %) allows; left out v0 and v1: their ${told}`,
  );
  expect(incompleteCause({ stop: { reason: 'finished' }, abandoned: named(20), shards: null })).toBe(
    `left out v0, v1, v2 and 17 more: their ${told}`,
  );
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
    /^resume each shard that ended early or is missing, on the machine that has its folder; run a shard without a folder with --shard/,
  );
  expect(incompleteCause({ ...why, shards: { of: 3, missing: [2], stopped: [] } })).toBe('shard 2 of 3 is missing');
});

import { expect, it } from 'vitest';
import { incompleteCause, incompleteRemedy, stopCause, stopCauseInShort } from '../../src/analysis/incomplete.ts';
import { reviewed } from '../fixtures/reviewed.ts';

const FAILURES = { reason: 'failures', failed: 20, samples: 20, limit: 0.5 } as const;
const WHY = { code: 'refused_warmup', httpStatus: 401, errorCode: 'wrong_key', message: 'no such key' } as const;
const abandoned = (count: number) => Array.from({ length: count }, (_, at) => ({ variant: `v${at}`, why: WHY }));
const AT_LIMIT = { reason: 'requests', limit: 40 } as const;
const SHARDS = {
  of: 8,
  missing: [2, 5, 6],
  stopped: [
    { index: 3, stop: null },
    { index: 7, stop: AT_LIMIT },
  ],
};
const merged = (shards: typeof SHARDS) => ({ stop: null, abandoned: [], shards });
const disk = (path: string | null, code: string) => stopCause({ reason: 'disk', path, code });

reviewed('why-a-run-stopped', {
  'a full disk': () => disk(null, 'ENOSPC'),
  'a file that may not grow': () => disk('/r/media/a.png', 'EDQUOT'),
  'a folder that is gone': () => disk('/r/journal.jsonl', 'ENOENT'),
  'failures of two variants': () => incompleteCause({ stop: FAILURES, abandoned: abandoned(2), shards: null }),
  'twenty variants left out': () =>
    incompleteCause({ stop: { reason: 'finished' }, abandoned: abandoned(20), shards: null }),
  'shards that are missing or stopped': () => [incompleteCause(merged(SHARDS)), incompleteRemedy(merged(SHARDS))],
  'a missing shard': () => incompleteCause(merged({ of: 3, missing: [2], stopped: [] })),
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

import { expect, test } from 'vitest';
import { mergeScores } from '../../../src/record/merge/merge-lines.ts';
import type { ScoreLine } from '../../../src/record/score.ts';
import { JudgeSpend } from '../../../src/record/trial-histories.ts';
import { digestOf } from '../../fixtures/stored-run-builder.ts';

const of = (key: string) => ({ scorer: 'better', by: digestOf('judge'), key: digestOf(key) });
const asked = (key: string, mostUsd: number | null = 0.01): ScoreLine => ({ line: 'asked', ...of(key), mostUsd });
const charged = (key: string, usd: number): ScoreLine => ({ line: 'charged', ...of(key), usd });

/** Two bad replies that cost the same, a request without an answer, one that was refused first, and one of no cost. */
const LINES = [
  asked('bad'),
  charged('bad', 4),
  asked('bad'),
  charged('bad', 4),
  asked('lost'),
  asked('throttled'),
  asked('throttled'),
  charged('throttled', 0.002),
  asked('free'),
  charged('free', 0),
];

test('a request to a judge counts at its most until its reply says what it cost, also one that is no answer', () => {
  const spend = new JudgeSpend('better', LINES);
  expect([spend.requests, spend.usd, spend.unknown]).toEqual([6, 8.022, 0]);
  expect(new JudgeSpend('other', LINES).requests).toBe(0);
});

test('the cost of a judge is unknown while one request has no price and no reply', () => {
  expect(new JudgeSpend('better', [asked('a', null)])).toMatchObject({ usd: 0, unknown: 1 });
  expect(new JudgeSpend('better', [asked('a', null), charged('a', 0.5)])).toMatchObject({ usd: 0.5, unknown: 0 });
});

test('shards that are merged have spent what they spent, equal costs too', () => {
  const { scores } = mergeScores(
    [LINES, LINES].map((lines, at) => ({ shard: `${at + 1}of2`, scores: lines })),
    [],
  );
  expect(new JudgeSpend('better', scores)).toMatchObject({ requests: 12, usd: 16.044 });
});

import { expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { spendSentence } from '../../../src/report/run-statement.ts';
import type { Price } from '../../../src/suite/load.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

function sentenceOf(names: readonly string[], price: Price | null, samples: readonly Sample[], mostUsd?: number) {
  const variants = names.map((name) => ({ name, baseUrl: 'https://api.test', price }));
  const record = buildStoredRun({ variants, samples });
  const intents = record.intents.map((intent) => (mostUsd === undefined ? intent : { ...intent, mostUsd }));
  return spendSentence(analyse({ ...record, intents }, METRICS).analysis);
}

const PER_OUTPUT = { per: 'output', usd: 0.05 } as const;
const ok = (variant: string, repeat = 1) => buildOk(100, 'a', { trial: { variant, repeat } });
const failed = (variant: string, repeat = 2) => buildFailure('error', { trial: { variant, repeat } });

it('what a run spent: says each variant', () => {
  expect(sentenceOf(['fast'], PER_OUTPUT, [ok('fast')])).toBe('Spent: $0.0500');
  expect(sentenceOf(['fast', 'slow'], PER_OUTPUT, [ok('fast'), ok('slow'), ok('slow', 2)])).toBe(
    'Spent: $0.150 (fast $0.0500, slow $0.100)',
  );
});

it('requests of unknown cost: are counted, with the most that they can add', () => {
  const samples = [ok('fast'), failed('fast')];
  expect(sentenceOf(['fast'], PER_OUTPUT, samples, 0.2)).toBe(
    'Spent: $0.0500; unknown for 1 of 2 requests, at most $0.200 more',
  );
  expect(sentenceOf(['fast'], PER_OUTPUT, samples)).toBe('Spent: $0.0500; unknown for 1 of 2 requests');
  expect(sentenceOf(['fast'], PER_OUTPUT, [failed('fast')], 0.2)).toBe(
    'Spent: unknown for 1 of 1 request, at most $0.200',
  );
});

it('a run without any price: says nothing of dollars', () => {
  expect(sentenceOf(['fast'], null, [ok('fast')])).toBeNull();
});

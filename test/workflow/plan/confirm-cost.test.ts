import { Readable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { checked } from '../../../src/kit/diagnostic.ts';
import type { CostEstimate } from '../../../src/plan/estimate.ts';
import { confirmCost, type JudgeCost } from '../../../src/workflow/confirm-run.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

const estimate = (mostUsd: number): CostEstimate => ({
  variants: [
    { variant: 'fast', requests: 4, leastUsd: 0, mostUsd },
    { variant: 'own', requests: 4, unknown: 'no_price' },
  ],
  leastUsd: 0,
  mostUsd,
});

interface Asked {
  readonly mostUsd: number;
  readonly judges?: readonly JudgeCost[];
  readonly yes?: boolean;
  readonly limitUsd?: number;
  /** What is written on the terminal; left out: there is none. */
  readonly answers?: readonly string[];
}

/** Whether the run may start, and what its user was shown. */
async function asked({ mostUsd, judges = [], yes = false, limitUsd, answers }: Asked) {
  const edge = memoryEdge(freshFolder());
  const terminal = {
    ...edge,
    asks: answers !== undefined,
    input: Readable.from((answers ?? []).map((line) => `${line}\n`)),
  };
  const found = await checked(() =>
    confirmCost(estimate(mostUsd), judges, { yes, limitUsd: limitUsd ?? null }, terminal),
  );
  return { starts: found.ok ? true : found.diagnostics[0]?.cause, shown: edge.stderr() };
}

const QUESTION = 'The run may cost up to $2.50, without own, of unknown cost. Start it? yes or no [no]: ';

describe('the cost of a run', () => {
  test.each<[string, Asked]>([
    ['1 USD', { mostUsd: 1 }],
    ['more with --yes', { mostUsd: 50, yes: true }],
    ['more, but no more than limits.usd of 0.5', { mostUsd: 50, limitUsd: 0.5 }],
  ])('a cost of %s: is not asked about', async (_name, keys) => {
    expect(await asked({ ...keys, answers: [] })).toEqual({ starts: true, shown: '' });
  });

  it('the cost of judges is asked about beside that of the run, which its own limit does not cover', async () => {
    const judges = [
      { name: 'better', mostUsd: 1.5 },
      { name: 'other', mostUsd: null },
    ];
    const { starts } = await asked({ mostUsd: 50, limitUsd: 0.5, judges });
    expect(starts).toBe('the run may cost up to $2.00, without own, other, of unknown cost');
  });

  it('more than 1 USD without a terminal: is refused, and names what is of unknown cost', async () => {
    const { starts, shown } = await asked({ mostUsd: 2.5 });
    expect(starts).toBe('the run may cost up to $2.50, without own, of unknown cost');
    expect(shown).toBe('');
  });

  test.each([
    ['yes', true],
    ['y', true],
    ['no', 'the run was not started'],
    ['', 'the run was not started'],
  ])('more than 1 USD on a terminal, answered with "%s": starts or does not', async (answer, starts) => {
    expect(await asked({ mostUsd: 2.5, answers: [answer] })).toEqual({ starts, shown: QUESTION });
  });
});

import { Readable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { withSpeech } from '../../../src/commands/speech.ts';
import { checked } from '../../../src/kit/diagnostic.ts';
import type { CostEstimate } from '../../../src/plan/estimate.ts';
import type { PlannedLooks } from '../../../src/plan/recorded-plan.ts';
import { confirmCost, confirmRequests, type JudgeCost } from '../../../src/workflow/confirm-run.ts';
import { storedAdditions } from '../../../src/workflow/stored-additions.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { buildOk } from '../../fixtures/stored-run-builder.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

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
  const terminal = withSpeech({
    ...edge,
    asks: answers !== undefined,
    input: Readable.from((answers ?? []).map((line) => `${line}\n`)),
  });
  const found = await checked(() =>
    confirmCost(estimate(mostUsd), judges, { yes, limitUsd: limitUsd ?? null }, terminal),
  );
  return { starts: found.ok ? true : found.diagnostics[0]?.cause, shown: edge.stderr() };
}

const QUESTION = 'The run may cost up to $2.50, without own, of unknown cost. Start it? yes or no [no]: ';

describe('the requests of a run', () => {
  const looks: PlannedLooks = {
    kind: 'until_decided',
    of: 2,
    unit: 'blocks',
    units: [1, 2],
    parts: [0, 1].map((lastSlice) => ({ lastSlice, caseSeeds: 1, trials: {} })),
  };
  const trials = [1, 2, 3, 4].map((repeat) => buildOk(100, 'fox', { trial: { repeat } }).trial);
  const pace = { mode: 'closed', concurrency: 1 } as const;
  const plan = { slices: [0, 1, 2].map((index) => ({ index, trials, pace })), requests: 12, looks: null };

  async function started(
    requests: number | null,
    yes: boolean,
    sent: Parameters<typeof confirmRequests>[0]['plan'] = plan,
  ) {
    const edge = withSpeech({ ...memoryEdge(freshFolder()), asks: false });
    const found = await checked(() => confirmRequests({ suite: { limits: { requests } }, plan: sent }, { yes }, edge));
    return found.ok ? true : found.diagnostics[0];
  }

  it('a limit below the plan is refused with the value that sends all, unless --yes lets it stop there', async () => {
    expect(await started(12, false)).toBe(true);
    expect(await started(null, false)).toBe(true);
    expect(await started(1, true)).toBe(true);
    expect(await started(1, false)).toMatchObject({
      cause: 'limits.requests is 1, and the run needs 12 requests',
      remedy: 'add --set limits.requests=12, or --yes to stop at the limit',
    });
  });

  it('a plan that may end at its first look needs only what is sent until then', async () => {
    expect(await started(4, false, { ...plan, looks })).toBe(true);
    expect(await started(3, false, { ...plan, looks })).toMatchObject({
      cause: 'limits.requests is 3, and the run needs at least 4 requests',
    });
  });
});

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

/** A suite whose stored baseline is sent to other places, whatever these are. */
function storedElsewhere(auth: readonly string[], allowed: readonly string[]) {
  const value = '${secret.KEY}';
  const target = targetWith({ auth: { in: 'header', name: 'x-key', value } });
  const away = targetWith({ auth: { in: 'header', name: 'x-key', value }, origins: { auth: [...auth] } });
  const variants = [
    variantOf(target, { name: 'a', baseUrl: 'https://home.example/v1' }),
    variantOf(away, { name: 'a@baseline', twinOf: 'a', baseUrl: 'https://home.example' }),
  ];
  const suite = { declared: null, environment: {}, files: [] };
  const additions = () =>
    storedAdditions({ suite, variants, against: null, judges: [] }, allowed, memoryEdge(freshFolder()));
  return additions;
}

describe('what a stored baseline adds', () => {
  const AWAY = 'https://away.example';
  const what = ['requests', 'KEY (key)'];

  test.each<[string, readonly string[], readonly string[], readonly (readonly [string, string | null])[]]>([
    ['an origin that the suite has too', ['https://home.example'], [], []],
    ['another origin', [AWAY], [], [[AWAY, `--allow-origin ${AWAY}`]]],
    ['an origin in a flag', [AWAY], ['HTTPS://AWAY.example/'], [[AWAY, null]]],
    [
      'one beside that in a flag',
      [AWAY, 'https://*.away.example'],
      [AWAY],
      [
        [AWAY, null],
        ['https://*.away.example', "--allow-origin 'https://*.away.example'"],
      ],
    ],
  ])('%s: is an addition unless the suite sends the same there, and needs its flag', (_, auth, allowed, found) => {
    expect(storedElsewhere(auth, allowed)()).toEqual(found.map(([origin, needs]) => ({ origin, what, needs })));
  });

  test.each(['away.example', 'base', 'https://away.example/path', ''])('"%s" in a flag: is refused', (text) => {
    expect(storedElsewhere([AWAY], [text])).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ cause: `--allow-origin "${text}" is not a valid origin` })],
      }),
    );
  });
});

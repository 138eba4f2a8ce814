import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HistoryLine, historySchema } from '../../src/record/kept-run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

const suiteWith = (url: string) => `suite: 1
name: nightly
variants:
  fast: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }
prompts: [{ id: fox, text: A red fox in snow }]
seeds: [1, 2]
repeats: 1
load: { warmup: 0 }
limits: { requests: 20 }
gate: [{ metric: latency.total, against: history, max_increase: 10% }]
reports: [csv]
`;

/** The line of a night like the first, some thousandths faster or slower. */
function laterNight(line: HistoryLine, night: number): HistoryLine {
  const startedAt = new Date(Date.parse(line.startedAt) + night).toISOString();
  const shift = 0.003 * ((night * 3) % 7);
  const variants = line.variants.map((variant) => ({
    ...variant,
    lnValues: mapValues(variant.lnValues, (logs) => logs.map((log) => (log === null ? null : log + shift))),
    meanLn: mapValues(variant.meanLn, (mean) => mean + shift),
  }));
  return { ...line, run: `night-${night}`, startedAt, variants };
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

describe('the history of runs', () => {
  let service: ServedService;
  let folder: string;
  const run = (name: string) => retakeHere(['run', 'nightly.yaml', '--run', name, '--quiet'], folder, service.env);
  const history = () => join(folder, 'results', 'nightly', 'history.jsonl');
  const verdictOf = (name: string) =>
    JSON.parse(readFileSync(join(folder, 'results', 'nightly', name, 'verdict.json'), 'utf8'));
  const linesOf = () =>
    readFileSync(history(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): HistoryLine => historySchema.parse(JSON.parse(line)));

  beforeAll(async () => {
    service = await serveHere(['{ latency: { lognormal: { median: 5ms, sigma: 0.05 } } }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'nightly.yaml'), suiteWith(service.url));
  });

  afterAll(() => service.close());

  it('ten runs: each adds its line; the first nine decide nothing, the tenth is held against eight', async () => {
    expect((await run('night-1')).code).toBe(4);
    const [first, ...others] = linesOf();
    if (first === undefined) throw new Error('the history has no line');
    expect({ run: first.run, others }).toEqual({ run: 'night-1', others: [] });
    // What the nights between would have added.
    for (let night = 2; night <= 8; night += 1)
      appendFileSync(history(), `${JSON.stringify(laterNight(first, night))}\n`);
    expect((await run('night-9')).code).toBe(4);
    expect(verdictOf('night-9').rules).toMatchObject([{ code: 'short_history' }]);
    await run('night-10');
    expect(linesOf().map((line) => line.run)).toEqual(Array.from({ length: 10 }, (_, at) => `night-${at + 1}`));
    expect(linesOf().every(({ complete }) => complete)).toBe(true);
    const verdict = verdictOf('night-10');
    expect(verdict.rules[0]).toMatchObject({ n: 8, units: 'runs', effect: 'ratio' });
    expect(verdict.rules[0].code).not.toBe('short_history');
    const again = await retakeHere(['gate', join('results', 'nightly', 'night-10'), '--json'], folder);
    expect(JSON.parse(again.stdout)).toEqual(verdict);
  });

  it('a stored baseline: leaves earlier runs counted, and begins anew only where that is asked for', async () => {
    const path = join('results', 'nightly', 'night-10');
    const countedAfter = async (...args: readonly string[]) => {
      expect(await retakeHere(['baseline', path, '--quiet', ...args], folder)).toMatchObject({ code: 0 });
      return JSON.parse((await retakeHere(['gate', path, '--json'], folder)).stdout).rules[0];
    };
    expect(await countedAfter()).toMatchObject({ n: 8 });
    expect(await countedAfter('--restart-history')).toMatchObject({ code: 'short_history', n: 0 });
    expect(await countedAfter()).toMatchObject({ code: 'short_history', n: 0 });
  });

  it('a damaged line: is refused before anything is sent', async () => {
    writeFileSync(history(), '{}\n');
    const before = readdirSync(join(folder, 'results', 'nightly'));
    const refused = await run('never');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /history\.jsonl:1:1: .*; delete the line; `retake history` makes it again from its run/,
    );
    expect(existsSync(join(folder, 'results', 'nightly', 'never'))).toBe(false);
    expect(readdirSync(join(folder, 'results', 'nightly'))).toEqual(before);
  });
});

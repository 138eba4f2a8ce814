import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historySchema } from '../../src/record/schemas/history-schema.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retake, type ServedService, serveReference } from '../fixtures/retake-process.ts';

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

describe('the history of runs', () => {
  let service: ServedService;
  let folder: string;
  const run = (name: string) => retake(['run', 'nightly.yaml', '--run', name, '--quiet'], folder, service.env);
  const history = () => join(folder, 'results', 'nightly', 'history.jsonl');

  beforeAll(async () => {
    service = await serveReference(['latency: { lognormal: { median: 5ms, sigma: 0.05 } }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'nightly.yaml'), suiteWith(service.url));
  });

  afterAll(() => service.close());

  it('ten runs: each adds its line; the first nine decide nothing, the tenth is held against eight', async () => {
    const codes: (number | null)[] = [];
    for (let night = 1; night <= 10; night += 1) codes.push((await run(`night-${night}`)).code);
    expect(codes.slice(0, 9)).toEqual(Array(9).fill(4));
    const lines = readFileSync(history(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => historySchema.parse(JSON.parse(line)));
    expect(lines.map((line) => line.run)).toEqual(Array.from({ length: 10 }, (_, at) => `night-${at + 1}`));
    expect(lines.every(({ complete }) => complete)).toBe(true);
    const verdict = JSON.parse(readFileSync(join(folder, 'results', 'nightly', 'night-10', 'verdict.json'), 'utf8'));
    expect(verdict.rules[0]).toMatchObject({ n: 8, units: 'runs', effect: 'ratio' });
    expect(verdict.rules[0].code).not.toBe('short_history');
    const again = await retake(['gate', join('results', 'nightly', 'night-10'), '--json'], folder);
    expect(JSON.parse(again.stdout)).toEqual(verdict);
  }, 180_000);

  it('a damaged line: is refused before anything is sent', async () => {
    writeFileSync(history(), '{}\n');
    const refused = await run('never');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/history\.jsonl:1:1: .*; make it again from the runs: retake history \S+ --rebuild/);
    expect(existsSync(join(folder, 'results', 'nightly', 'never'))).toBe(false);
    expect(readdirSync(join(folder, 'results', 'nightly')).filter((name) => name.startsWith('night-'))).toHaveLength(
      10,
    );
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Run } from '../../src/record/run.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { foundIn } from '../fixtures/build-warning.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  type Ended,
  journalOf,
  retakeHere,
  type ServedService,
  serveHere,
  startHere,
  startRetake,
} from '../fixtures/retake-process.ts';

/* A run that is split over several machines and merged, against a real service: the same as one that was not split. */

const CONCURRENCY = 4;
const SHARDS = [1, 2];
const SUITE = `suite: 1
name: split
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, baseline: true }
  again: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox running through fresh snow }
  - { id: lighthouse, text: A lighthouse in a storm }
seeds: [1, 2, 3]
repeats: 2
load: { concurrency: ${CONCURRENCY} }
limits: { requests: 60 }
probes: [seed]
reports: [csv, json]
`;
const ROUTE = 'POST /v2/image/generations';

const analysisOf = (run: string): Analysis => JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
const runOf = (folder: string): Run => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
const shardFolder = (folder: string, run: string, index: number, of: number) =>
  join(folder, 'results', 'split', `${run}-${index}of${of}`);

describe('a run split into 2 shards and merged', () => {
  let service: ServedService;
  let folder: string;
  let whole: string;
  let merged: string;
  let ended: readonly Ended[];
  let mergeEnded: Ended;
  /** What the service saw of both. */
  let stats: ServiceStats;
  let sentByWhole = 0;
  const shards = () => SHARDS.map((index) => shardFolder(folder, 'r1', index, 2));

  beforeAll(async () => {
    service = await serveHere(['{ latency: { constant: 30ms } }', '{ cached: {} }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const alone = await retakeHere(['run', 'suite.yaml', '--run', 'alone'], folder, service.env);
    expect(alone).toMatchObject({ code: 0 });
    whole = join(folder, 'results', 'split', 'alone');
    sentByWhole = (await service.stats()).routes[ROUTE]?.started ?? 0;
    const named = ['--run', 'r1', '--vantage', 'eu', '--quiet'];
    ended = await Promise.all(
      SHARDS.map((index) => retakeHere(['run', 'suite.yaml', '--shard', `${index}/2`, ...named], folder, service.env)),
    );
    stats = await service.stats();
    mergeEnded = await retakeHere(['merge', ...shards().reverse()], folder);
    merged = join(folder, 'results', 'split', 'r1');
  });

  afterAll(() => service.close());

  it('every shard ends with 0, and the merge too', () => {
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(SHARDS.map(() => [0, '']));
    for (const { stdout } of ended) expect(stdout).toMatch(/No gate: rules are decided when all\s+shards are merged/);
    expect(mergeEnded.code).toBe(0);
    expect(mergeEnded.stderr).toContain(`run r1: 2 of 2 shards into ${merged}`);
    expect([...shards(), merged].map((run) => runOf(run).vantage)).toEqual(['eu', 'eu', 'eu']);
  });

  it('all shards together send what the run that was not split sends, and the warm-ups of one shard more', () => {
    const sent = shards().flatMap((shard) => journalOf(shard).intents);
    expect(stats.routes[ROUTE]?.started).toBe(sentByWhole + sent.length);
    expect(sent).toHaveLength(sentByWhole + 2);
    const dealt = sent.filter(({ trial }) => trial.phase !== 'warmup').map(({ trial }) => trial.id);
    expect(new Set(dealt).size).toBe(dealt.length);
    expect(analysisOf(merged).run).toMatchObject({ requestsSent: sentByWhole, complete: true });
    expect(analysisOf(merged).run.shards?.merged.map(({ warmupsLeftOut }) => warmupsLeftOut)).toEqual([0, 2]);
  });

  it('the service never has more in flight than the concurrency of the suite', () => {
    const { mostInFlight = 0 } = stats.routes[ROUTE] ?? {};
    expect(mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
    expect(mostInFlight).toBeGreaterThan(1);
    expect(shards().map((shard) => runOf(shard).plan.load.concurrency)).toEqual([2, 2]);
  });

  it('plan, cells, outputs, probes, rates and determinism are those of the run that was not split', () => {
    const [a, b] = [analysisOf(whole), analysisOf(merged)];
    // The nonce is drawn for each run.
    expect({ ...b.run.plan, probes: null }).toEqual({ ...a.run.plan, probes: null });
    expect(b.run.plan.probes).toMatchObject({ kinds: ['seed'], trials: 6 });
    expect(b.variants).toEqual(a.variants);
    expect(b.prompts).toEqual(a.prompts);
    expect(b.failures).toEqual(a.failures);
    expect(b.probes).toEqual(a.probes);
    expect(withoutTimes(b.cells)).toEqual(withoutTimes(a.cells));
    const timed = /^(latency|throughput|made|start_lag)/;
    const untimed = (of: Analysis) => of.measures.filter(({ metric }) => !timed.test(metric));
    expect(untimed(b).length).toBeGreaterThan(40);
    expect(untimed(b)).toEqual(untimed(a));
    expect(b.metrics).toEqual(a.metrics);
  });

  it('a shard that is started a second time sends nothing', async () => {
    const before = (await service.stats()).routes[ROUTE]?.started;
    const again = await retakeHere(['run', 'suite.yaml', '--shard', '2/2', '--run', 'r1'], folder, service.env);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toBe(
      `shard 2 of 2 of this run was started before: ${shards()[1]} exists; use another --run, or delete that folder\n`,
    );
    expect((await service.stats()).routes[ROUTE]?.started).toBe(before);
  });

  it('what does not belong together is refused, and nothing is written', async () => {
    const [first = '', second = ''] = shards();
    const out = join(folder, 'elsewhere');
    expect(await retakeHere(['merge', first, second, second, '--out', out], folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${second} and ${second} are both shard 2 of 2; name each shard once\n`,
    });
    expect(existsSync(out)).toBe(false);
    const again = await retakeHere(['merge', first, second], folder);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`${merged} exists`) });
  });
});

/** Cells as they are but for how long their takes took. */
function withoutTimes(cells: Analysis['cells']): unknown {
  return cells.map(({ takes, ...cell }) => ({ ...cell, takes: takes.map(({ totalMs: _, ...take }) => take) }));
}

const SMALL = `suite: 1
name: split
variants: { fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } } }
prompts: [A red fox]
seeds: [1, 2, 3, 4, 5, 6]
repeats: 1
load: { concurrency: 3, warmup: 0 }
reports: [json]
`;

describe('shards that were killed, lost or started twice', () => {
  it('a merge names the shard that was killed and the one that is missing, writes the record and ends with 3', async () => {
    const service = await serveHere(['{ latency: { constant: 1s } }', '{ cached: {} }']);
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SMALL);
    const args = (index: number) => ['run', 'suite.yaml', '--shard', `${index}/3`, '--run', 'r2', '--quiet'];
    const kept = retakeHere(args(1), folder, service.env);
    const killed = startRetake(args(2), folder, service.env);
    const journal = join(shardFolder(folder, 'r2', 2, 3), 'journal.jsonl');
    while (!existsSync(journal) || !readFileSync(journal, 'utf8').includes('"intent"')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await kept).toMatchObject({ code: 0 });
    await service.close();

    const ended = await retakeHere(['merge', shardFolder(folder, 'r2', 1, 3), shardFolder(folder, 'r2', 2, 3)], folder);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(
      'the run is incomplete: shard 3 of 3 is missing; shard 2 of 3: the process was killed before it could record why; resume each shard that ended early',
    );
    const merged = join(folder, 'results', 'split', 'r2');
    const { run, variants, warnings } = analysisOf(merged);
    expect(run).toMatchObject({ complete: false, shards: { of: 3, missing: [3] } });
    // The killed shard had begun a request: nobody knows what became of it.
    expect(variants[0]).toMatchObject({ outcomes: { ok: 2, unknown_charged: 1 }, missing: 3 });
    expect(warnings.map(foundIn)).toContainEqual({ code: 'unanswered_requests', variants: [], requests: 1 });
    expect(runOf(merged).merged?.shards.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('two processes started as one shard at the same time: one sends and the other is refused', async () => {
    const service = await serveHere();
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SMALL);
    const args = ['run', 'suite.yaml', '--shard', '1/3', '--run', 'r3', '--quiet'];
    const both = await Promise.all(
      [process.pid, process.ppid].map((pid) => startHere(args, folder, service.env, pid).ended),
    );
    const stats = await service.stats();
    await service.close();
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 2]);
    expect(stats.routes[ROUTE]?.started).toBe(2);
    expect(readdirSync(join(folder, 'results', 'split'))).toEqual(['r3-1of3']);
  });
});

describe('what --shard and --run take', () => {
  it.each([
    [['--shard', '4/3', '--run', 'x'], '--shard "4/3" is not a valid share; write k/n with k from 1 to n, and n'],
    [['--shard', '1/3'], '--shard needs --run, the name that all shards of the run have in common; add for example'],
    [
      ['--run', '../x'],
      '--run "../x" is not a valid name of a run; use letters, digits, ".", "_" and "-", 100 at most',
    ],
    [['--run', 'x-1of3'], '--run "x-1of3" is not a valid name of a run; use letters, digits, '],
    [['--shard', '1/4', '--run', 'x'], 'load.concurrency is 3, too few for 4 shards; use at most 3 shards, or raise'],
  ])('%j is refused before anything is sent', async (args, says) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SMALL);
    const ended = await retakeHere(['run', 'suite.yaml', ...args], folder);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });
});

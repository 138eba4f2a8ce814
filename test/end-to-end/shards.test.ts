import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Run } from '../../src/record/run.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { foundIn } from '../fixtures/build-warning.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  type Ended,
  filesBelow,
  journalOf,
  retakeHere,
  type ServedService,
  serveHere,
  startHere,
  startRetake,
} from '../fixtures/retake-process.ts';

/* A run that is split over several machines and merged, against a real service: the same as one that was not split. */

const CONCURRENCY = 4;
const SHARDS = [1, 2, 3];
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
const shardFolder = (folder: string, run: string, index: number, of = SHARDS.length) =>
  join(folder, 'results', 'split', `${run}-${index}of${of}`);

describe('a run split into 3 shards and merged', () => {
  let service: ServedService;
  let folder: string;
  let whole: string;
  let merged: string;
  let ended: readonly Ended[];
  let mergeEnded: Ended;
  /** What the service saw of both. */
  let stats: ServiceStats;
  let sentByWhole = 0;

  beforeAll(async () => {
    service = await serveHere(['{ latency: { constant: 30ms } }', '{ cached: {} }']);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const alone = await retakeHere(['run', 'suite.yaml', '--run', 'alone'], folder, service.env);
    expect(alone).toMatchObject({ code: 0 });
    whole = join(folder, 'results', 'split', 'alone');
    sentByWhole = (await service.stats()).routes[ROUTE]?.started ?? 0;
    ended = await Promise.all(
      SHARDS.map((index) =>
        retakeHere(
          ['run', 'suite.yaml', '--shard', `${index}/3`, '--run', 'r1', '--vantage', 'eu', '--quiet'],
          folder,
          service.env,
        ),
      ),
    );
    stats = await service.stats();
    const folders = SHARDS.map((index) => shardFolder(folder, 'r1', index)).reverse();
    mergeEnded = await retakeHere(['merge', ...folders], folder);
    merged = join(folder, 'results', 'split', 'r1');
  });

  afterAll(() => service.close());

  it('every shard ends with 0, and the merge too', () => {
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(SHARDS.map(() => [0, '']));
    for (const { stdout } of ended) expect(stdout).toMatch(/No gate: rules are decided when all\s+shards are merged/);
    expect(mergeEnded.code).toBe(0);
    expect(mergeEnded.stderr).toContain(`run r1: 3 of 3 shards into ${merged}`);
    expect(mergeEnded.stdout).toMatch(/; merged from 3\s+shards/);
  });

  it('all shards together send what the run that was not split sends, and the warm-ups of two shards more', () => {
    const sent = SHARDS.flatMap((index) => journalOf(shardFolder(folder, 'r1', index)).intents);
    expect(stats.routes[ROUTE]?.started).toBe(sentByWhole + sent.length);
    expect(sent).toHaveLength(sentByWhole + 2 * 2);
    const dealt = sent.filter(({ trial }) => trial.phase !== 'warmup').map(({ trial }) => trial.id);
    expect(new Set(dealt).size).toBe(dealt.length);
    expect(analysisOf(merged).run).toMatchObject({ requestsSent: sentByWhole, complete: true });
    expect(analysisOf(merged).run.shards?.merged.map(({ warmupsLeftOut }) => warmupsLeftOut)).toEqual([0, 2, 2]);
  });

  it('the service never has more in flight than the concurrency of the suite', () => {
    const { mostInFlight = 0 } = stats.routes[ROUTE] ?? {};
    expect(mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
    expect(mostInFlight).toBeGreaterThan(1);
    const parts = SHARDS.map((index) => runOf(shardFolder(folder, 'r1', index)).plan.load.concurrency);
    expect(parts).toEqual([2, 1, 1]);
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
    const latencies = ({ measures }: Analysis) =>
      measures.flatMap(({ variant, prompt, metric, statistic, n, unit }) =>
        metric.startsWith('latency') ? [[variant, prompt, metric, statistic, n, unit]] : [],
      );
    expect(latencies(b)).toEqual(latencies(a));
    expect(b.metrics).toEqual(a.metrics);
  });

  it('samples.csv has the rows of the run that was not split, but for times, in the order of the plan', () => {
    const [a = [], b = []] = [whole, merged].map((run) => readTable(readFileSync(join(run, 'samples.csv'), 'utf8')));
    const isTime = (column: string) => /_ms$|^(run|scheduled_at|request_id|flags|shard|segment)$/.test(column);
    // Without a seed the service draws one.
    const rows = (table: typeof a) =>
      new Map(
        table
          .filter(({ probe_role }) => probe_role !== 'omitted')
          .map((row) => [row.trial, Object.entries(row).filter(([column]) => !isTime(column))]),
      );
    expect(b).toHaveLength(a.length);
    expect(rows(a).size).toBeGreaterThan(25);
    for (const [trial, row] of rows(a)) expect(rows(b).get(trial)).toEqual(row);

    const sentBy = new Map(
      SHARDS.flatMap((index) =>
        journalOf(shardFolder(folder, 'r1', index)).intents.map(({ trial }) => [trial.id, index]),
      ),
    );
    const dealt = b.filter(({ phase }) => phase !== 'warmup');
    expect(dealt.map(({ shard }) => shard)).toEqual(dealt.map(({ trial = '' }) => String(sentBy.get(trial))));
    expect(new Set(a.map(({ shard }) => shard))).toEqual(new Set(['']));

    const slices = new Map(journalOf(whole).intents.map(({ trial, slice }) => [trial.id, slice]));
    const order = b.map(({ trial = '' }) => slices.get(trial) ?? -1);
    expect(order).toEqual([...order].sort((x, y) => x - y));
  });

  it('no clock is mixed with another: throughput is empty, and a warning says why', async () => {
    const { measures, warnings, run } = analysisOf(merged);
    const throughput = measures.filter(({ metric }) => metric === 'throughput');
    expect(throughput).toHaveLength(2);
    for (const { value, notes } of throughput) expect([value, notes]).toEqual([null, [{ code: 'sharded' }]]);
    expect(warnings.map(foundIn)).toContainEqual({ code: 'measured_in_shards', variants: [], shards: 3 });
    expect(warnings.find(({ code }) => code === 'measured_in_shards')?.cause).toContain(
      `all shards together had at most ${CONCURRENCY} in flight`,
    );
    expect(run.shards?.merged.map(({ index, stop, floorMs }) => [index, stop?.reason, typeof floorMs])).toEqual(
      SHARDS.map((index) => [index, 'finished', 'number']),
    );
    expect(run.durationMs).toBe(Math.max(...(run.shards?.merged ?? []).map(({ durationMs }) => durationMs ?? 0)));
    expect(run.calibration?.floorMs).toBe(Math.max(...(run.shards?.merged ?? []).map(({ floorMs }) => floorMs ?? 0)));
    expect(await retakeHere(['report', merged, '--format', 'html'], folder)).toMatchObject({ code: 0 });
    const page = readFileSync(join(merged, 'report.html'), 'utf8');
    expect(page).toContain('Merged from 3 shards');
  });

  it('the merged record has every output once, and reports again byte for byte', async () => {
    const outputs = new Set(
      journalOf(merged).samples.flatMap((sample) =>
        'outputs' in sample ? sample.outputs.map((each) => each.sha256) : [],
      ),
    );
    expect(filesBelow(join(merged, 'media'))).toHaveLength(outputs.size);
    const before = readFileSync(join(merged, 'analysis.json'));
    expect(await retakeHere(['report', merged, '--quiet'], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(join(merged, 'analysis.json')).equals(before)).toBe(true);
  });

  it("the suite's folder means the whole runs in it, not their shards", async () => {
    const ended = await retakeHere(['report', join('results', 'split'), '--format', 'json'], folder);
    expect(ended.stderr).toContain('r1 is the latest of 2 runs');
  });

  it('a shard says of itself which part of its run it is, and its limits are a part of the whole', async () => {
    const shards = SHARDS.map((index) => runOf(shardFolder(folder, 'r1', index)));
    expect(shards.map(({ id, shard }) => [id, shard?.run, shard?.index, shard?.of])).toEqual(
      SHARDS.map((index) => [`r1-${index}of3`, 'r1', index, 3]),
    );
    expect(shards.reduce((sum, { limits }) => sum + (limits.requests ?? 0), 0)).toBe(60);
    expect(new Set(shards.map(({ plan }) => plan.digest))).toEqual(new Set([runOf(whole).plan.digest]));
    const second = shardFolder(folder, 'r1', 2);
    expect(await retakeHere(['report', second, '--format', 'html'], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(join(second, 'report.html'), 'utf8')).toContain('Shard 2 of 3 of run r1');
  });

  it('a shard that is started a second time sends nothing', async () => {
    const before = (await service.stats()).routes[ROUTE]?.started;
    const again = await retakeHere(['run', 'suite.yaml', '--shard', '2/3', '--run', 'r1'], folder, service.env);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toBe(
      `shard 2 of 3 of this run was started before: ${shardFolder(folder, 'r1', 2)} exists; use another --run, or delete that folder\n`,
    );
    expect((await service.stats()).routes[ROUTE]?.started).toBe(before);
  });

  it('what does not belong together is refused, and nothing is written', async () => {
    const [first = '', second = ''] = SHARDS.map((index) => shardFolder(folder, 'r1', index));
    const out = join(folder, 'elsewhere');
    const twice = await retakeHere(['merge', first, second, second, '--out', out], folder);
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toBe(`${second} and ${second} are both shard 2 of 3; name each shard once\n`);
    const again = await retakeHere(['merge', first, second], folder);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`${merged} exists`) });
    const notShard = await retakeHere(['merge', first, merged, '--out', out], folder);
    expect(notShard.stderr).toBe(
      `${merged} is a merged run, not a shard; name the folders that runs with --shard wrote\n`,
    );
    const far = join(folder, 'us', '2of3');
    cpSync(second, far, { recursive: true });
    writeFileSync(join(far, 'run.json'), JSON.stringify({ ...runOf(far), vantage: 'us' }));
    expect(await retakeHere(['merge', first, far, '--out', out], folder)).toMatchObject({
      code: 2,
      stderr: `${first} and ${far} have different vantages: eu and us; measure all shards of a run from one vantage; compare two runs with retake compare\n`,
    });
    expect(existsSync(out)).toBe(false);
  });

  it('a run says where it was measured from: its shards, the merged record and a comparison', async () => {
    expect(
      [...SHARDS.map((index) => shardFolder(folder, 'r1', index)), merged].map((run) => runOf(run).vantage),
    ).toEqual(['eu', 'eu', 'eu', 'eu']);
    expect(analysisOf(merged).run.vantage).toBe('eu');
    expect('vantage' in runOf(whole) || 'vantage' in analysisOf(whole).run).toBe(false);
    const { stdout } = await retakeHere(['compare', whole, merged], folder);
    expect(stdout).toMatch(/^ +metric +earlier +later, from eu +ratio/m);
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
    const journal = join(shardFolder(folder, 'r2', 2), 'journal.jsonl');
    while (!existsSync(journal) || !readFileSync(journal, 'utf8').includes('"intent"')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await kept).toMatchObject({ code: 0 });
    await service.close();

    const ended = await retakeHere(['merge', shardFolder(folder, 'r2', 1), shardFolder(folder, 'r2', 2)], folder);
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
    {
      what: 'a share beyond the whole',
      args: ['--shard', '4/3', '--run', 'x'],
      says: '--shard "4/3" is not a valid share; write k/n with k from 1 to n, and n at most 1024: --shard 3/8',
    },
    {
      what: 'a shard without the name of its run',
      args: ['--shard', '1/3'],
      says: '--shard needs --run, the name that all shards of the run have in common; add for example --run 20261121T210000Z-7f3a',
    },
    {
      what: 'a name that is a path',
      args: ['--run', '../x'],
      says: '--run "../x" is not a valid name of a run; use letters, digits, ".", "_" and "-", 100 at most, beginning with a letter or digit, and not ending as a shard does (-3of8)',
    },
    {
      what: 'a name that ends as a shard',
      args: ['--run', 'x-1of3'],
      says: '--run "x-1of3" is not a valid name of a run; use letters, digits, ".", "_" and "-", 100 at most, beginning with a letter or digit, and not ending as a shard does (-3of8)',
    },
    {
      what: 'more shards than slots',
      args: ['--shard', '1/4', '--run', 'x'],
      says: 'load.concurrency is 3, too few for 4 shards; use at most 3 shards, or raise load.concurrency',
    },
    {
      what: 'a shard of a sweep',
      args: ['--shard', '1/2', '--run', 'x', '--set', 'load.concurrency=[1, 2]'],
      says: 'a sweep cannot be split into shards: a step fixes the concurrency of the whole run; run the suite as one process, or set load.concurrency to one number',
    },
    {
      what: 'a shard of the probe load',
      args: ['--shard', '1/2', '--run', 'x', '--set', 'probes=[load]'],
      says: 'the probe load cannot be split into shards: some of its requests must be alone at the service; leave load out of probes, or run the suite as one process',
    },
    {
      what: 'more shards than prompts x seeds',
      args: ['--shard', '1/3', '--run', 'x', '--set', 'seeds=[1]'],
      says: 'prompts x seeds is 1, too few for 3 shards; use at most 1 shard',
    },
  ])('$what is refused before anything is sent', async ({ args, says }) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SMALL);
    const ended = await retakeHere(['run', 'suite.yaml', ...args], folder);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `${says}\n` });
    expect(existsSync(join(folder, 'results'))).toBe(false);
  });

  it("a suite's folder that has only shards is answered with the command that merges them", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SMALL);
    const args = ['run', 'suite.yaml', '--shard', '1/2', '--run', 'r4', '--quiet'];
    const nowhere = { RETAKE_BASE_URL: 'http://127.0.0.1:9', RETAKE_API_KEY: 'a-key-of-this-test' };
    expect(await retakeHere(args, folder, nowhere)).toMatchObject({ code: 3 });
    const report = await retakeHere(['report', join('results', 'split')], folder);
    expect(report.code).toBe(2);
    expect(report.stderr).toMatch(
      /results\/split has only shards of runs, such as r4-1of2; merge them \(retake merge\), or name one of them\n$/,
    );
  });
});

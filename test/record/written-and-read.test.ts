import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineOfRun } from '../../src/analysis/earlier-runs.ts';
import { metricsOfRecord } from '../../src/analysis/metrics.ts';
import { baselineFrom } from '../../src/analysis/stability.ts';
import { assess } from '../../src/gate/assess.ts';
import { isObject, type Json } from '../../src/kit/json.ts';
import { differenceOf } from '../../src/media/difference-of.ts';
import type { Pixels } from '../../src/media/pixels.ts';
import { integrityOf } from '../../src/media/signals/blank.ts';
import { trialCosts } from '../../src/plan/estimate.ts';
import type { JournalEvent } from '../../src/record/journal.ts';
import { appendLines } from '../../src/record/line-files.ts';
import { readBaseline, readHistory, readRecord } from '../../src/record/read-record.ts';
import type { ScoreLine, UnscoredReason } from '../../src/record/score.ts';
import { createRecord } from '../../src/record/store.ts';
import { readAnswer, readGreeting } from '../../src/score/command/protocol.ts';
import { readValues } from '../../src/score/read-values.ts';
import type { Meta } from '../../src/targets/model/schema.ts';
import { readableReply } from '../../src/targets/reply/reply.ts';
import { readSubmitReported } from '../../src/targets/reply/reported.ts';
import { readVote } from '../../src/view/voting-server.ts';
import { planSuite } from '../../src/workflow/plan-suite.ts';
import { takeShare } from '../../src/workflow/prepare-run.ts';
import { describeRun } from '../../src/workflow/run-header.ts';
import { arbitraryRun } from '../fixtures/arbitrary-run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
import { commandScorer, fileScorer, scored } from '../fixtures/scored-run.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { draws, NIGHTLY } from '../test-options.ts';

/* What is written can be read: whatever a suite, a server, a program or a file says, its line passes its own schema. */

const EDGES = [0, 5e-324, 1e-60, 1e9, 1e15, 1e16, 1e30, 1e31, 1e300, Number.MAX_VALUE];
const SIGNED = [...EDGES, ...EDGES.map((each) => -each)];

const DIGITS = ['9'.repeat(15), '9'.repeat(31)];
const LONG = 'a '.repeat(5000);

const TARGET = `target: 1
id: own/images
kind: text-to-image
base_url: http://127.0.0.1:9
const: { model: 1 }
inputs: { size: { as: pixels }, seconds: { as: number } }
submit: { path: /generate, body: { prompt: "\${case.prompt}", size: "\${case.size | wxh}", s: "\${case.seconds}", m: "\${const.model}" } }
result: { from: body }
`;

const VARIANT = { target: './target.yaml', const: { model: 1 }, price: { per: 'second', usd: 1, most: 2 } };
const CLOSED = {
  suite: 1,
  name: 'edges',
  description: 'Each number as large as may be.',
  variants: {
    one: { ...VARIANT, levels: { near: { psnr: 40, max_difference: 0.1 }, similar: { chroma: 4, ssim: 0.9, pdq: 3 } } },
    two: { target: './target.yaml', price: { per: 'output', usd: 1 } },
  },
  inputs: { size: '512x512', seconds: 5 },
  prompts: [{ id: 'fox', text: 'A red fox', tags: ['animal'], expect: { text: 1 } }],
  seeds: [1, 2, 3, 4, 5, 6],
  repeats: 5,
  load: { mode: 'closed', concurrency: 2, warmup: 1, shuffle: 1 },
  limits: { timeout: '120s', requests: 500, usd: 5, failures: '50%' },
  scorers: {
    hps: { use: 'file', gives: { hps: { better: 'higher', range: [0, 1], meaning: 'How good.' } } },
    text: {
      use: 'command',
      gives: { text: { better: 'lower' } },
      command: ['node', 'a.mjs'],
      timeout: '60s',
      frames: 8,
    },
  },
  gate: [
    { metric: 'latency.total', max_increase: '5%' },
    { metric: 'latency.total', max: '20s' },
    { metric: 'slow_rate', over: '20s', max: '10%' },
    { metric: 'cost.per_output', max: 0.1 },
    { metric: 'score.hps', max_decrease: 0.1 },
  ],
};
/** By itself, and one by one: a plan looks long for what this rule would find. */
const ONE_BY_ONE = { ...CLOSED.load, concurrency: 1 };
const RISEN = { ...CLOSED, load: ONE_BY_ONE, gate: [{ metric: 'error_rate', max_rise: '5%' }] };
const OPEN = { ...CLOSED, gate: [], load: { mode: 'open', rate: '2/s', duration: '1s', concurrency: 8 } };
const STAGED = { ...CLOSED, gate: [], load: { mode: 'open', stages: [{ rate: '2/s', for: '1s' }] } };

let turn = 0;

/** All at night; else each in its turn, so that every place has one of them. */
function someOf<Edge>(edges: readonly Edge[]): readonly Edge[] {
  turn += 1;
  return NIGHTLY ? edges : edges.filter((_, at) => at === turn % edges.length);
}

/** The document with each of its numbers and texts in turn at an edge. */
function* atEdges(document: Json, rebuild: (value: Json) => Json = (value) => value): Generator<Json> {
  if (typeof document === 'number') for (const edge of someOf([5e-324, 1e16, 1e31])) yield rebuild(edge);
  else if (typeof document === 'string') {
    const [, unit] = /^\d+(ms|s|%|\/s)$/.exec(document) ?? [];
    if (document === '512x512') for (const side of someOf([65_535, 1e9, 1e15])) yield rebuild(`${side}x${side}`);
    else if (unit !== undefined) for (const digits of someOf(DIGITS)) yield rebuild(`${digits}${unit}`);
    else yield rebuild(LONG);
  } else if (Array.isArray(document)) {
    for (const [at, item] of document.entries()) {
      yield* atEdges(item, (value) => rebuild(document.map((each, index) => (index === at ? value : each))));
    }
  } else if (isObject(document)) {
    for (const [key, item] of Object.entries(document)) {
      yield* atEdges(item, (value) => rebuild({ ...document, [key]: value }));
    }
  }
}

test.each<[string, Json, Iterable<Json>]>([
  ['closed load', CLOSED, atEdges(CLOSED)],
  ['a rate that may rise', RISEN, atEdges(RISEN.gate, (gate) => ({ ...RISEN, gate }))],
  ['open load', OPEN, atEdges(OPEN.load, (load) => ({ ...OPEN, load }))],
  ['stages', STAGED, atEdges(STAGED.load, (load) => ({ ...STAGED, load }))],
])(
  'the record of a suite with %s and any number is read again, or the suite is refused',
  async (_what, whole, edges) => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'target.yaml'), TARGET);
    writeFileSync(join(cwd, 'a.mjs'), '');
    const edge = memoryEdge(cwd, {});
    let recorded = 0;
    for (const [at, suite] of [whole, ...edges].entries()) {
      writeFileSync(join(cwd, 's.json'), JSON.stringify(suite));
      const planned = await planSuite('s.json', { set: [] }, edge, { nonce: 1 });
      const prepared = planned.ok ? takeShare(planned.value, null) : planned;
      if (at === 0) expect(prepared.ok ? [] : prepared.diagnostics).toEqual([]);
      if (!prepared.ok) continue;
      recorded += 1;
      const named = { run: `r${at}`, label: null, vantage: null };
      const run = await describeRun(prepared.value, '2026-11-20T15:45:00.000Z', named, null, edge);
      const record = createRecord(join(cwd, 'results'), { ...run, git: null });
      const { variants, suite: declared, plan } = prepared.value;
      const costs = trialCosts(variants, declared.cases);
      for (const trial of plan.slices.flatMap(({ trials }) => trials.slice(0, 1))) {
        const bounds = costs(trial);
        const most = typeof bounds === 'string' ? {} : { mostUsd: bounds.mostUsd };
        record.append({ event: 'intent', segment: 1, slice: 0, trial, atMs: 1, ...most });
      }
      record.close();
      await expectRead(record.folder, JSON.stringify(suite));
    }
    expect(recorded).toBeGreaterThan(0);
  },
);

const META: Meta = {
  inference: [{ locators: [{ at: 'json', paths: ['$.took'] }], unitMs: 1000 }],
  seed: [{ at: 'json', paths: ['$.seed'] }],
  request_id: [{ at: 'json', paths: ['$.id'] }],
  cost_usd: [{ when: {}, sum: [{ at: [{ at: 'json', paths: ['$.cost'] }], each: 1, optional: false }] }],
  cached: [{ at: 'json', paths: ['$.cached'] }],
  model: [{ at: 'json', paths: ['$.model'] }],
  prompt: [{ at: 'json', paths: ['$.prompt'] }],
  stages: { decode: [{ locators: [{ at: 'json', paths: ['$.decode'] }], unitMs: 1000 }] },
  memory_mb: [{ at: 'json', paths: ['$.memory'] }],
  usage: { tokens: [{ at: 'json', paths: ['$.tokens'] }] },
};

const said = fc.oneof(
  fc.constantFrom(...SIGNED),
  fc.double(),
  fc.constantFrom(LONG, '1e400', '9'.repeat(15), '0.5', null),
);

const REPLY = Object.fromEntries(
  ['took', 'seed', 'id', 'cost', 'cached', 'model', 'prompt', 'decode', 'memory', 'tokens'].map((key) => [key, said]),
);

const END_HEADERS = ['deprecation', 'sunset', 'link'] as const;
const endSaid = fc.oneof(
  fc.constantFrom(
    'true',
    '@1688169599',
    '@99999999999',
    'Sun, 99 Dec 9999 23:59:59 GMT',
    '<https://x.test/v2>; rel="successor-version"',
  ),
  fc.string(),
);

test('what a server reports is read again, whatever it says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(REPLY),
      fc.array(fc.tuple(fc.constantFrom(...END_HEADERS), endSaid)),
      async (reply, headers) => {
        const body = Buffer.from(JSON.stringify(reply));
        const reported = readSubmitReported(META, readableReply({ status: 200, headers, body }), (text) => text);
        const sample = { ...buildOk(100, 'a', { trial: { variant: 'one' } }), reported };
        await expectRead(recordOf({ samples: [sample] }), JSON.stringify(reply));
      },
    ),
    { numRuns: draws(60) },
  );
});

const GIVES = commandScorer('text').gives;

test('what a program answers is read again, whatever it says', async () => {
  await fc.assert(
    fc.asyncProperty(said, said, fc.oneof(fc.constant(undefined), said), async (version, value, unscored) => {
      const greeting = readGreeting(JSON.stringify({ retake: 1, version, weights: version }));
      const scores = unscored === undefined ? { scores: { text: value } } : { unscored };
      const answer = readAnswer(JSON.stringify({ id: 'now', ...scores }), 'now', GIVES);
      const why: UnscoredReason | null = answer.is === 'unscored' ? answer.why : null;
      const record = scored(MEASURED, commandScorer('text'), () =>
        answer.is === 'values' ? answer.values : 'unscored',
      );
      const lines = record.scores.map((line): ScoreLine => {
        if (line.line === 'scorer' && greeting !== null) return { ...line, ...greeting };
        return line.line === 'unscored' && why !== null ? { ...line, why } : line;
      });
      const folder = recordOf(record);
      appendLines(folder, 'scores.jsonl', lines);
      await expectRead(folder, JSON.stringify([version, value, unscored]));
    }),
    { numRuns: draws(60) },
  );
});

test('a value that no record holds has the reason out_of_range', () => {
  const read = (value: number) => readAnswer(JSON.stringify({ id: 'now', scores: { text: value } }), 'now', GIVES);
  expect(read(1e308)).toEqual({ is: 'unscored', why: { code: 'out_of_range' } });
  expect(read(-1e16)).toMatchObject({ why: { code: 'out_of_range' } });
  expect(read(-1e15)).toEqual({ is: 'values', values: { text: -1e15 } });
});

test('a file of values is read again, whatever numbers it has', async () => {
  for (const value of [...SIGNED, '9'.repeat(300)]) {
    const rows = MEASURED.samples.map(({ trial }) => `${trial.id},hps,${value}\n`).join('');
    const read = readValues({ file: 'values.csv', text: `trial,metric,value\n${rows}` }, MEASURED);
    if (!read.ok) continue;
    const folder = recordOf(MEASURED);
    appendLines(folder, 'scores.jsonl', read.value.lines);
    await expectRead(folder, String(value));
  }
});

test('a vote is read again, whatever its page sends', async () => {
  const id = fc.constantFrom('a'.repeat(32), 'A'.repeat(32), 'a'.repeat(33), '');
  await fc.assert(
    fc.asyncProperty(id, id, fc.constantFrom('left', 'skip', 'up'), async (ballot, voter, choice) => {
      const vote = readVote(JSON.stringify({ ballot, voter, choice }));
      if (vote === null || ballot !== 'a'.repeat(32)) return;
      const folder = recordOf(MEASURED);
      appendLines(folder, 'votes.jsonl', [vote]);
      await expectRead(folder, JSON.stringify(vote));
    }),
  );
});

/** Extremes of colour, of one size; a checkerboard, so that they are not blank. */
function image(one: readonly number[], other: readonly number[]): Pixels {
  const side = 64;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const isOne = (Math.floor(pixel / side / 8) + Math.floor((pixel % side) / 8)) % 2 === 0;
    return (isOne ? one : other)[at % 3] ?? 0;
  });
  return { width: side, height: side, channels: 3, depth: 8, data };
}

test('how two images differ is read again, whatever their colours', async () => {
  const levels = [0, 255];
  const colours = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => [red, green, blue])));
  const folder = recordOf(MEASURED);
  const [a, b] = ['a', 'b'].map((each) => each.repeat(64));
  for (const one of colours) {
    for (const other of NIGHTLY ? colours : colours.slice(0, 2)) {
      const [first, second] = [image(one, other), image(other, one)].map((pixels) => ({
        frames: [{ atS: 0, pixels }],
        count: 1,
        frameS: null,
      }));
      if (a === undefined || b === undefined || first === undefined || second === undefined)
        throw new Error('two of each');
      const difference = differenceOf(first, second);
      appendLines(folder, 'facts.jsonl', [{ fact: 'pair', a, b, compared: true, difference }]);
    }
    const [fact] = MEASURED.facts;
    if (fact?.fact !== 'output' || fact.decodes !== true) throw new Error('the first fact is of an image');
    appendLines(folder, 'facts.jsonl', [{ ...fact, shown: { ...fact.shown, first: integrityOf(image(one, one)) } }]);
  }
  await expectRead(folder, 'colours');
});

const HPS = fileScorer('hps');

test('the line of a run in its history, and its stored baseline, are read again, whatever it measured', async () => {
  const chosen = fc.record({
    run: arbitraryRun,
    costs: fc.array(fc.constantFrom(0, 5e-324, 1e-60, 1e9), { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(chosen, fc.constantFrom(1e15, 5e-324), async ({ run, costs }, largest) => {
      let at = 0;
      const next = () => costs[at++ % costs.length] ?? 0;
      const samples = run.samples.map((each) => ({ ...each, reported: { ...each.reported, costUsd: next() } }));
      let sign = 1;
      const record = scored({ ...run, samples, run: { ...run.run, scorers: [HPS] } }, HPS, () => {
        sign = -sign;
        return { hps: sign * largest };
      });
      const metrics = metricsOfRecord(record);
      const { analysed, verdict } = assess(record, metrics);
      const folder = freshFolder();
      appendLines(folder, 'history.jsonl', [lineOfRun(record.run, analysed, verdict, metrics)]);
      expect(await readHistory(folder)).toMatchObject({ ok: true });
      const path = join(folder, 'baseline.json');
      writeFileSync(path, JSON.stringify(baselineFrom(record.run, analysed, metrics)));
      expect(await readBaseline(path)).toMatchObject({ ok: true });
    }),
    { numRuns: draws(40) },
  );
});

const MEASURED = buildStoredRun({
  variants: [{ name: 'one', plannedTrials: 2 }],
  prompts: ['fox', 'cat'],
  repeats: 1,
  samples: ['fox', 'cat'].map((prompt) =>
    buildOk(100, prompt, { trial: { variant: 'one', prompt, repeat: 1, seed: 1 } }),
  ),
});

let folders = 0;

/** A record with these events, written as a run writes it. */
function recordOf({ samples }: Pick<typeof MEASURED, 'samples'>): string {
  folders += 1;
  const record = createRecord(freshFolder(), { ...MEASURED.run, id: `r${folders}` });
  for (const sample of samples) record.append({ event: 'sample', sample } satisfies JournalEvent);
  record.close();
  return record.folder;
}

async function expectRead(folder: string, what: string): Promise<void> {
  const read = await readRecord(folder);
  expect(read.ok ? [] : read.diagnostics, what.slice(0, 3000)).toEqual([]);
}

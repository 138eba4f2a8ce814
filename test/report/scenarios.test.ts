import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { baselineFrom, stabilityOfVariants } from '../../src/analysis/stability.ts';
import { assess } from '../../src/gate/assess.ts';
import { html } from '../../src/page/html.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { RunVariant } from '../../src/record/run.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { junit } from '../../src/report/reporters/junit.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { renderTerminal, renderVerdict } from '../../src/report/terminal.ts';
import { rendered } from '../contracts/reporter.ts';
import { judged } from '../fixtures/judged-run.ts';
import { likened } from '../fixtures/likened-run.ts';
import { cachedRun, honestRun } from '../fixtures/probe-samples.ts';
import { blanked } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, scored, voted } from '../fixtures/scored-run.ts';
import { lateRun, mostlyLateRun, openRun, sweepRun } from '../fixtures/scripted-load.ts';
import {
  chance,
  eachSample,
  FILMED,
  failed,
  gated,
  gateRule,
  named,
  ORDINARY,
  ok,
  scriptedRun,
  type Telling,
  unsentRun,
} from '../fixtures/scripted-run.ts';
import { buildCalibration } from '../fixtures/stored-run-builder.ts';
import { mergedFrom } from '../fixtures/stored-suite.ts';

/*
 * What a run of each kind is told as, whole: test/golden/reports/ has the words of the terminal, of summary.md and of the
 * page, as `vitest --update` writes them. Look at each difference before you accept it.
 */

const of = (more: Partial<Telling>) => scriptedRun({ ...ORDINARY, concurrency: 1, ...more });
const first = (count: number) => ORDINARY.variants.slice(0, count);
const even: Telling['tell'] = (variant) => ok(variant === 'standard' ? 2000 : 500);
const EVEN = of({ variants: first(3), tell: even });
const FILM = scriptedRun(FILMED);
const ALONE = of({ variants: first(1) });

/** `fast-lcm` takes twice as long as `standard`, `fast` as long. */
const slower: Telling['tell'] = (variant, _, seed, repeat) =>
  ok((variant === 'fast-lcm' ? 2000 : 1000) + 10 * seed + repeat);

/** One has a name that leaves no room beside it. */
const TIMES: Readonly<Record<string, number>> = { standard: 1000, 'fast-lcm': 2000 };
const NAMED = named('standard', 'fast-with-a-rather-long-name', 'fast-lcm');

/** Forty variants. Many fail, one of them often, three for one reason, others for their own; repeats of many differ. */
const many: Telling['tell'] = (variant, prompt, seed, repeat) => {
  const at = Number(variant.slice(1));
  if (at % 3 === 1 && prompt === 'fox' && (repeat === 1 || at === 1))
    return failed(at > 30 ? 'shared' : `of ${variant}`, 'busy');
  return ok(500 + 10 * at + seed + repeat, at > 30 && seed <= at - 30 ? repeat : 0);
};
const MANY = named(...Array.from({ length: 40 }, (_, at) => `v${39 - at}`));

const LATE = gateRule('latency.total', { is: 'max', value: 5000 }, { statistic: 'p50' });
const ERRORS = gateRule('error_rate', { is: 'max', value: 0.5 });
const INCREASE = gateRule('latency.total', { is: 'max_increase', share: 0.05 });
const FAILING = [ERRORS, gateRule('determinism.byte', { is: 'none', event: 'departure' }), INCREASE];
const DROP = gateRule('score.hps', { is: 'max_decrease', amount: 0.02 });

const found = (hits: number) => Array.from({ length: 16 }, (_, at) => at < hits);

/** Scores about 0.29; those of `fast-lcm` are lower. */
const hps = ({ trial: { variant, prompt, seed } }: Sample) => ({
  hps: 0.29 + 0.01 * chance(variant, prompt, Number(seed)) - (variant === 'fast-lcm' ? 0.05 : 0),
});

const JUDGED = of({ variants: first(2), tell: () => ok(500), concurrency: 2 });

/** The run with another end, and only its first samples. */
function cut(record: StoredRun, samples: number, stop: 'killed' | 'interrupted' | 'requests'): StoredRun {
  const segments = record.segments.map(({ started, ended }) => {
    if (ended === null || stop === 'killed') return { started, ended: null };
    return {
      started,
      ended: { ...ended, stop: stop === 'requests' ? { reason: stop, limit: samples } : { reason: stop } },
    };
  });
  return { ...record, segments, samples: record.samples.slice(0, samples) };
}

function withVariants(record: StoredRun, change: (variant: RunVariant) => Partial<RunVariant>): StoredRun {
  const variants = record.run.variants.map((variant) => ({ ...variant, ...change(variant) }));
  return { ...record, run: { ...record.run, variants } };
}

const FLOORS = [0.6, 4.5, 0.9].map((floorMs) => buildCalibration({ floorMs }));

function shardOf({ run, ...record }: StoredRun): StoredRun {
  const { plan, limits } = run;
  const shard = { run: 'r1', index: 2, of: 3, whole: { plan, limits, plannedTrials: {} } };
  return { ...record, run: { ...run, id: 'r1-2of3', shard } };
}

/** Outputs of `fast` are others than those of the stored baseline. */
function againstStored(): ReportSource {
  const metrics = metricsOf([]);
  const [before, now] = [0, 1].map((output) =>
    of({ variants: first(2), tell: (variant, _, seed) => ok(500, variant === 'fast' && seed > 1 ? output : 0) }),
  );
  if (before === undefined || now === undefined) throw new Error('two runs');
  const kept = baselineFrom(before.run, assess(before, metrics).analysed, metrics);
  const record = gated(now, [gateRule('stability.pixel', { is: 'none', event: 'change' }, { against: 'baseline' })]);
  const { analysed, against, ...rest } = assess(record, metricsOf(record.run.gate), kept);
  const stability = against === null ? [] : stabilityOfVariants(against, record.run.variants, []);
  return { ...reported(record), ...rest, analysis: analysed.analysis, samples: analysed.samples, stability };
}

const RECORDS: Readonly<Record<string, () => StoredRun>> = {
  'gate-failed': () =>
    gated(of({}), [...FAILING, gateRule('block_rate', { is: 'max', value: 0.9 }, { variants: ['fast'] })]),
  'gate-passed': () => gated(of({ variants: first(3), tell: slower }), [{ ...ERRORS, variants: ['fast'] }]),
  'gate-undecided': () => gated(of({ seeds: [2], repeats: 1 }), FAILING),
  'few-groups': () => blanked(scriptedRun({ ...ORDINARY, variants: first(3), tell: even }), 'standard', 'fox'),
  alone: () => ({ ...ALONE, run: { ...ALONE.run, label: 'build 7', vantage: 'eu' } }),
  'alone-few-takes': () => of({ variants: first(1), prompts: ORDINARY.prompts.slice(0, 1), seeds: [1], repeats: 2 }),
  'faster-and-slower': () => of({ variants: NAMED, tell: (name, _, seed) => ok((TIMES[name] ?? 500) + 10 * seed) }),
  'many-variants': () => of({ variants: MANY, prompts: ORDINARY.prompts.slice(0, 2), repeats: 2, tell: many }),
  'nothing-delivered': () => of({ variants: first(3), tell: () => failed() }),
  'no-comparison': () =>
    of({ tell: (...place) => (place[0].includes('standard') ? ORDINARY.tell(...place) : failed()) }),
  unsent: () => unsentRun(ORDINARY),
  interrupted: () => cut(of({ variants: first(2) }), 40, 'interrupted'),
  'limit-reached': () => cut(of({ variants: first(2) }), 7, 'requests'),
  killed: () => cut(gated(EVEN, FAILING), 60, 'killed'),
  sweep: sweepRun,
  'sweep-of-two': () => sweepRun([1, 2]),
  open: openRun,
  late: lateRun,
  'mostly-late': () => gated(mostlyLateRun(), [LATE, ERRORS]),
  film: () => ({ ...FILM, run: { ...FILM.run, calibration: buildCalibration({ floorMs: 3 }) } }),
  probes: honestRun,
  'probes-that-find-faults': cachedRun,
  scores: () =>
    gated(
      scored(EVEN, commandScorer('hps'), hps, [
        { control: 'jpeg', found: found(3) },
        { control: 'blurred', found: found(16) },
      ]),
      [DROP],
    ),
  'scores-untrusted': () => scored(EVEN, commandScorer('hps'), hps, [{ control: 'blurred', found: found(9) }]),
  'scores-missing': () =>
    scored(EVEN, commandScorer('hps'), (sample) => (sample.trial.prompt === 'fox' ? 'unscored' : hps(sample))),
  'judge-confirmed': () =>
    voted(
      judged(JUDGED, () => 'baseline'),
      () => ['baseline'],
    ),
  'judge-refuted': () =>
    voted(
      judged(JUDGED, () => 'candidate'),
      () => ['baseline'],
    ),
  votes: () =>
    gated(
      voted(EVEN, () => ['baseline']),
      [gateRule('score.votes', { is: 'max_rise', share: 0.2 })],
    ),
  priced: () =>
    withVariants(of({ variants: first(2) }), ({ name }) => ({
      price: { per: 'output', usd: name === 'fast' ? 0.02 : 0.05 },
    })),
  shards: () => mergedFrom(of({ variants: first(2) }), 3, { missing: [2], calibrations: FLOORS }),
  'one-shard': () => shardOf(of({ variants: first(2) })),
  against: () =>
    withVariants(of({ variants: named('standard', 'fast', 'fast@baseline') }), ({ name }) =>
      name.endsWith('@baseline') ? { twinOf: 'fast' } : {},
    ),
  throttled: () =>
    gated(eachSample((sample) => (sample.trial.repeat === 1 ? { ...sample, throttleWaitMs: 90_000 } : sample))(EVEN), [
      LATE,
    ]),
};

const SCENARIOS: Readonly<Record<string, () => ReportSource | Promise<ReportSource>>> = {
  ...Object.fromEntries(Object.entries(RECORDS).map(([name, record]) => [name, () => reported(record())])),
  likened,
  'against-stored': againstStored,
};

/** Of these the page is told with how to read it and how it was measured; most of that is the same for all. */
const WHOLE = ['gate-failed', 'sweep', 'open', 'film', 'late', 'mostly-late', 'probes', 'shards'];

/** The words of a page, a line for each row, paragraph and item; of long tables the first rows. */
function wordsOf(page: string, isWhole: boolean): string {
  const { document } = parseHTML(page);
  const gone = 'script, style, title, svg, nav, dialog, .grid, #images .sheet, #images .pick, footer';
  for (const node of document.querySelectorAll(isWhole ? gone : `${gone}, #method, #timings, #timeline`)) node.remove();
  for (const node of document.querySelectorAll('details'))
    if (!isWhole && node.querySelector('summary')?.textContent === 'How to read it') node.remove();
  for (const body of document.querySelectorAll('tbody, ul, ol, .strip, .strip-images'))
    for (const row of [...body.children].slice(8)) row.remove();
  for (const node of document.querySelectorAll('tr, p, li, dt, figure, summary, h1, h2, h3, h4, h5'))
    node.prepend('\n');
  for (const node of document.querySelectorAll('td, th, dd')) node.prepend(' | ');
  for (const node of document.querySelectorAll('small, .name, a')) node.prepend(' ');
  for (const tone of ['void', 'bad', 'warn', 'good'])
    for (const node of document.querySelectorAll(`.${tone}`)) node.prepend(`(${tone}) `);
  const lines = (document.body.textContent ?? '').split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '').join('\n');
}

test.each(Object.keys(SCENARIOS))('the reports of a run say what was reviewed: %s', async (name) => {
  const source = await SCENARIOS[name]?.();
  if (source === undefined) throw new Error('there is such a run');
  const { verdict } = source;
  const options = { colour: false, width: 100, hasPage: false };
  const ofGate = [renderVerdict(source, options), (await rendered(junit, source)).get('junit.xml') ?? ''];
  const parts = [
    renderTerminal(source, options),
    (await rendered(markdown, source)).get('summary.md') ?? '',
    `${wordsOf((await rendered(html, source)).get('report.html') ?? '', WHOLE.includes(name))}\n`,
    ...(verdict.verdict === 'none' ? [] : ofGate),
  ];
  const text = parts.join(`\n${'='.repeat(100)}\n\n`);
  expect(text).not.toMatch(/\b(NaN|undefined|Infinity|null)\b|\[object/);
  await expect(text).toMatchFileSnapshot(`../golden/reports/${name}.txt`);
});

test('each reviewed report is one of such a run', () => {
  const reviewed = readdirSync(join(import.meta.dirname, '../golden/reports'));
  expect(reviewed.toSorted()).toEqual(
    Object.keys(SCENARIOS)
      .map((name) => `${name}.txt`)
      .toSorted(),
  );
});

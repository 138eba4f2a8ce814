import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { lineOfRun } from '../../../src/analysis/earlier-runs.ts';
import { metricsOfRecord } from '../../../src/analysis/metrics.ts';
import { findPairs } from '../../../src/analysis/pair-levels.ts';
import { baselineFrom, stabilityOfVariants } from '../../../src/analysis/stability.ts';
import { REPORTERS } from '../../../src/commands/display/reporters.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { Checked } from '../../../src/kit/diagnostic.ts';
import type { Json } from '../../../src/kit/json.ts';
import type { JournalEvent } from '../../../src/record/journal.ts';
import type { Baseline, HistoryLine } from '../../../src/record/kept-run.ts';
import { readBaseline, readHistory } from '../../../src/record/read-record.ts';
import { readValues } from '../../../src/score/read-values.ts';
import { readDecidableRun } from '../../../src/workflow/history.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { commandScorer, fileScorer, scored } from '../../fixtures/scored-run.ts';
import { chance, gateRule } from '../../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { assertAnswered } from './answered.ts';
import { broken, brokenText } from './break-json.ts';
import { property } from './property.ts';

/** What makes every sort of line: two variants, three prompts, two takes, a failure, a timeout, a look. */
const MEASURED = buildStoredRun({
  variants: [
    { name: 'standard', plannedTrials: 6 },
    { name: 'fast', plannedTrials: 6 },
  ],
  prompts: ['fox', 'cat', 'owl'],
  repeats: 2,
  gate: [
    gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
    gateRule('error_rate', { is: 'max', value: 0.2 }),
    gateRule('score.hps', { is: 'max_decrease', amount: 0.1 }),
    gateRule('stability.pixel', { is: 'none', event: 'change' }, { against: 'baseline' }),
  ],
  samples: ['standard', 'fast'].flatMap((variant, which) =>
    ['fox', 'cat', 'owl'].flatMap((prompt, at) =>
      [1, 2].map((repeat) => {
        const parts = { trial: { variant, prompt, repeat, seed: 1 }, startedMs: 1000 * (6 * which + 2 * at + repeat) };
        if (which === 1 && at === 2) return buildFailure(repeat === 1 ? 'timed_out' : 'error', parts);
        return buildOk(100 + 40 * which + 7 * at + repeat, `${variant} ${prompt} ${repeat % (at + 1)}`, parts);
      }),
    ),
  ),
});

const HPS = fileScorer('hps', { range: [0, 1] });
const TEXT = commandScorer('text', { better: 'lower', unit: '1' });
const SCORED = scored(MEASURED, HPS, ({ trial: { prompt } }) => ({ hps: chance(prompt) }));
const RECORD = scored(
  { ...SCORED, run: { ...SCORED.run, scorers: [HPS, TEXT] } },
  TEXT,
  ({ trial: { prompt } }) => (prompt === 'cat' ? 'unscored' : { text: 1e-3 }),
  [{ control: 'jpeg', found: [true, false] }],
);
const METRICS = metricsOfRecord(RECORD);
const VALUES = `\uFEFFtrial,metric,value,better,unit\r\n${RECORD.samples
  .filter(({ outcome }) => outcome === 'ok')
  .map(({ trial: { id, prompt } }) => `${id},"hps",${chance(prompt)},higher,\r\n`)
  .join('')}`;

const ANALYSED = assess(RECORD, METRICS);
const BASELINE = baselineFrom(RECORD.run, ANALYSED.analysed, METRICS);
const HISTORY_LINE = lineOfRun(RECORD.run, ANALYSED.analysed, ANALYSED.verdict, METRICS);

const EVENTS: readonly JournalEvent[] = [
  ...RECORD.segments.map(({ started }) => started),
  ...RECORD.intents,
  ...RECORD.samples.map((sample) => ({ event: 'sample' as const, sample })),
  ...RECORD.intents.slice(0, 1).flatMap(({ segment, trial, atMs }): readonly JournalEvent[] => [
    { event: 'attempt', segment, trial: trial.id, attempt: 1, httpStatus: 429, waitMs: 5, atMs },
    { event: 'accepted', segment, trial: trial.id, captured: { id: 'job-1' }, atMs },
    { event: 'cancel', segment, trial: trial.id, cancelled: false, httpStatus: 404, code: 'http_404', atMs },
    { event: 'look', segment, look: 1, decided: false, atMs },
  ]),
  ...RECORD.segments.flatMap(({ ended }) => (ended === null ? [] : [ended])),
];

/** As it stands in a file: without what JSON does not hold. */
const written = (value: unknown): Json => JSON.parse(JSON.stringify(value));
const linesOf = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const FILES: Readonly<Record<string, string>> = {
  'run.json': JSON.stringify(RECORD.run, null, 2),
  'journal.jsonl': linesOf(EVENTS),
  'facts.jsonl': linesOf(RECORD.facts),
  'scores.jsonl': linesOf(RECORD.scores),
};

/** Texts that a report repeats as they are. */
const NUMBER_WORDS = /NaN|Infinity/;

let folder: string | null = null;
const workFolder = (): string => {
  folder ??= freshFolder();
  return folder;
};

/** Reads a record with one file in place of its own. */
function readWith(file: string, text: string): ReturnType<typeof readDecidableRun> {
  for (const [name, own] of Object.entries(FILES)) writeFileSync(join(workFolder(), name), name === file ? text : own);
  return readDecidableRun(workFolder());
}

/**
 * Everything that is made of a record: analysis, comparisons, verdict, a baseline, its line of the history, and every
 * report to its end.
 */
function reportAll(
  checked: Checked<Parameters<typeof assess>[0]>,
  baseline: Baseline | null,
  lines: readonly HistoryLine[],
): void {
  assertAnswered(checked);
  if (!checked.ok) return;
  const record = checked.value;
  const metrics = metricsOfRecord(record);
  const { analysed, ...compared } = assess(record, metrics, baseline, lines);
  const { analysis, samples } = analysed;
  lineOfRun(record.run, analysed, compared.verdict, metrics);
  baselineFrom(record.run, analysed, metrics);
  const small = {
    keptFact: () => null,
    thumbnail: () => null,
    isBeside: () => false,
    smallThumbnail: () => null,
    copy: () => null,
    preview: () => null,
    heatMap: () => null,
  };
  const { against } = compared;
  const stability = against === null ? [] : stabilityOfVariants(against, analysis.variants, []);
  const source = { analysis, samples, ...compared, stability, pairs: findPairs(record.facts), ...small };
  for (const reporter of REPORTERS) {
    for (const { name, content } of reporter.render(source)) {
      if (!(Symbol.iterator in content)) continue;
      for (const piece of content as Iterable<string>) {
        assert.ok(
          !(name.endsWith('.csv') && /,(NaN|-?Infinity),/.test(piece) && !NUMBER_WORDS.test(JSON.stringify(record))),
          `${name} holds a number that is none`,
        );
      }
    }
  }
}

/** A file of lines in which one is broken, or the text of the file itself. */
function brokenLines(values: readonly unknown[]): fc.Arbitrary<string> {
  const lines = values.map((value) => JSON.stringify(value));
  const oneBroken = fc
    .nat({ max: values.length - 1 })
    .chain((at) =>
      broken([written(values[at])]).map((line) =>
        lines.map((own, index) => `${index === at ? JSON.stringify(line) : own}\n`).join(''),
      ),
    );
  const text = lines.map((line) => `${line}\n`).join('');
  return fc.oneof({ weight: 5, arbitrary: oneBroken }, { weight: 1, arbitrary: brokenText([text]) });
}

/**
 * A number in a document made one that a machine never writes; everything else stays, so that most inputs can be read.
 */
function strangeNumbers(values: readonly unknown[]): fc.Arbitrary<string> {
  const text = linesOf(values);
  const numbers = [...text.matchAll(/(?<=[:[,])-?\d+(?:\.\d+)?(?=[,}\]])/g)].map(({ 0: found, index }) => ({
    from: index,
    to: index + found.length,
  }));
  const strange = fc.constantFrom(
    '1e308',
    '-1e308',
    '-0',
    '5e-324',
    '0',
    '-1',
    '1e999',
    '9007199254740993',
    '1e15',
    '0.5',
  );
  return fc
    .array(fc.tuple(fc.nat({ max: numbers.length - 1 }), strange), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      const chosen = new Map(changes);
      let at = 0;
      let changed = '';
      for (const [index, { from, to }] of numbers.entries()) {
        const value = chosen.get(index);
        if (value === undefined) continue;
        changed += text.slice(at, from) + value;
        at = to;
      }
      return changed + text.slice(at);
    });
}

export const RECORD_PROPERTIES = [
  property({
    kind: 'run-headers',
    promise: 'a run.json is refused with place, cause and remedy, or every report is made of it',
    share: 6,
    inputs: fc.oneof(
      { weight: 3, arbitrary: broken([written(RECORD.run)]).map((run) => JSON.stringify(run)) },
      { weight: 1, arbitrary: brokenText([JSON.stringify(RECORD.run, null, 2)]) },
    ),
    hold: async (text) => reportAll(await readWith('run.json', text), BASELINE, [HISTORY_LINE]),
  }),
  property({
    kind: 'journals',
    promise: 'a journal is refused with place, cause and remedy, or every report is made of it',
    share: 6,
    inputs: brokenLines(EVENTS),
    hold: async (text) => reportAll(await readWith('journal.jsonl', text), BASELINE, [HISTORY_LINE]),
  }),
  property({
    kind: 'strange-numbers',
    promise: 'a journal with strange numbers is refused with place, cause and remedy, or every report is made of it',
    share: 4,
    inputs: strangeNumbers(EVENTS),
    hold: async (text) => reportAll(await readWith('journal.jsonl', text), BASELINE, [HISTORY_LINE]),
  }),
  property({
    kind: 'facts',
    promise: 'a facts.jsonl is refused with place, cause and remedy, or every report is made of it',
    share: 4,
    inputs: fc.oneof(brokenLines(RECORD.facts), strangeNumbers(RECORD.facts)),
    hold: async (text) => reportAll(await readWith('facts.jsonl', text), BASELINE, [HISTORY_LINE]),
  }),
  property({
    kind: 'scores',
    promise: 'a scores.jsonl is refused with place, cause and remedy, or every report is made of it',
    share: 4,
    inputs: fc.oneof(brokenLines(RECORD.scores), strangeNumbers(RECORD.scores)),
    hold: async (text) => reportAll(await readWith('scores.jsonl', text), BASELINE, [HISTORY_LINE]),
  }),
  property({
    kind: 'values',
    promise: 'a file of values is refused with place, cause and remedy, or every report is made with it',
    share: 4,
    inputs: brokenText([VALUES]),
    hold: (text) => {
      const read = readValues({ file: 'values.csv', text }, RECORD);
      assertAnswered(read);
      if (read.ok) reportAll({ ok: true, value: { ...RECORD, scores: read.value.lines } }, BASELINE, [HISTORY_LINE]);
    },
  }),
  property({
    kind: 'baselines',
    promise: 'a stored baseline is refused with place, cause and remedy, or a run is held against it',
    share: 4,
    inputs: fc.oneof(
      broken([written(BASELINE)]).map((baseline) => JSON.stringify(baseline)),
      strangeNumbers([BASELINE]),
      brokenText([JSON.stringify(BASELINE, null, 1)]),
    ),
    hold: async (text) => {
      const path = join(workFolder(), 'baseline.json');
      writeFileSync(path, text);
      const read = await readBaseline(path);
      assertAnswered(read);
      if (!read.ok) return;
      assert.equal(JSON.stringify(read.value), JSON.stringify(JSON.parse(text)));
      reportAll({ ok: true, value: RECORD }, read.value, []);
    },
  }),
  property({
    kind: 'histories',
    promise: 'a history.jsonl is refused with place, cause and remedy, or a run is held against it',
    share: 4,
    inputs: fc.oneof(brokenLines([HISTORY_LINE, { ...HISTORY_LINE, run: 'other' }]), strangeNumbers([HISTORY_LINE])),
    hold: async (text) => {
      writeFileSync(join(workFolder(), 'history.jsonl'), text);
      const read = await readHistory(workFolder());
      assertAnswered(read);
      if (read.ok) reportAll({ ok: true, value: RECORD }, BASELINE, read.value);
    },
  }),
];

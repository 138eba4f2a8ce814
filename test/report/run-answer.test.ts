import { expect, test } from 'vitest';
import { metricsOf, metricsOfRecord } from '../../src/analysis/metrics.ts';
import { baselineFrom } from '../../src/analysis/stability.ts';
import { assess } from '../../src/gate/assess.ts';
import { lineState, stateWords } from '../../src/gate/run-state.ts';
import { RUN_STATES, type RunQuestion, type RunState } from '../../src/gate/verdict.ts';
import type { Baseline, HistoryLine, StoredRun } from '../../src/record/kept-run.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { answerOf, QUESTION_WORDS, recordedAnswer } from '../../src/report/run-answer.ts';
import { renderTerminal, renderVerdict } from '../../src/report/terminal.ts';
import type { GateRule } from '../../src/suite/rule.ts';
import { historyLineOf } from '../../src/workflow/history.ts';
import { rendered } from '../contracts/reporter.ts';
import { editedRun } from '../fixtures/edited-run.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { voted } from '../fixtures/scored-run.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { eachSample, gated, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const LET_PASS = { onInconclusive: 'pass' } as const;
const TOTAL = 'latency.total';

/** Rules that leave a run of one variant or more in a state. */
const RULES: Readonly<Record<Exclude<RunState, 'incomplete'>, readonly GateRule[]>> = {
  no_rule: [],
  passed: [gateRule('error_rate', { is: 'max', value: 0.9 })],
  passed_unfit: [gateRule(TOTAL, { is: 'max', value: 60_000 }, { statistic: 'p50' })],
  not_judged: [
    gateRule('error_rate', { is: 'max', value: 0.9 }),
    gateRule('error_rate', { is: 'max', value: 0.001 }, LET_PASS),
  ],
  not_decided: [gateRule('error_rate', { is: 'max', value: 0.001 })],
  failed: [gateRule(TOTAL, { is: 'max', value: 1 }, { statistic: 'p50' })],
};

const even: Telling['tell'] = (variant, _, seed, repeat) => ok((variant === 'fast' ? 700 : 1400) + 10 * seed + repeat);
const of = (variants: number) =>
  scriptedRun({ ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, variants), tell: even });
const [ALONE, TWO] = [of(1), of(2)];
const STABLE = gateRule('stability.byte', { is: 'none', event: 'change' }, { against: 'baseline' });
const NIGHTLY = gateRule(TOTAL, { is: 'max_increase', share: 0.1 }, { against: 'history', ...LET_PASS });
const CLAIM = gateRule(
  TOTAL,
  { is: 'claim', about: 'takes', against: 'standard', most: 0.9, pairs: 12 },
  { variants: ['fast'] },
);
const REFUSALS = gateRule('block_rate', { is: 'max_rise', share: 0.9 });

const [never, always] = [() => false, () => true];

/** One variant, without the other that it was compared with. */
function editsOf(isUnchanged: () => boolean, outside: () => number): StoredRun {
  const { run, samples, ...record } = editedRun(isUnchanged, outside, []);
  const variants = run.variants.filter(({ name }) => name === 'fast').map((of) => ({ ...of, baseline: true }));
  return {
    ...record,
    run: { ...run, variants, leftOut: [] },
    samples: samples.filter(({ trial }) => trial.variant === 'fast'),
  };
}

interface Case {
  readonly record: StoredRun;
  /** Beside those of the state. */
  readonly rules: readonly GateRule[];
  readonly baseline?: Baseline;
  readonly history?: readonly HistoryLine[];
}

function keptOf(record: StoredRun): Baseline {
  const metrics = metricsOf([]);
  return { ...baselineFrom(record.run, assess(record, metrics).analysed, metrics), label: 'night-1' };
}

function earlierOf(record: StoredRun): readonly HistoryLine[] {
  const metrics = metricsOf([]);
  const line = historyLineOf(record.run, assess(record, metrics), metrics);
  return [{ ...line, run: '20250101T000000Z-aaaa', startedAt: '2025-01-01T00:00:00.000Z', label: 'night-1' }];
}

/** The same takes, each in a slice of its own, a pair after the other. */
function inPairs(record: StoredRun): StoredRun {
  const blocks = [...new Set(record.samples.map(({ trial }) => trial.block))];
  return eachSample((sample) => {
    const { block, variant } = sample.trial;
    return { ...sample, slice: 2 * blocks.indexOf(block) + (variant === 'fast' ? 1 : 0) };
  })(record);
}

const QUESTIONS: Readonly<Record<RunQuestion, Case>> = {
  claim: { record: inPairs(TWO), rules: [CLAIM] },
  changed: { record: ALONE, rules: [STABLE], baseline: keptOf(ALONE) },
  swap: { record: TWO, rules: [REFUSALS] },
  slower: { record: ALONE, rules: [NIGHTLY], history: earlierOf(ALONE) },
  worth: { record: TWO, rules: [] },
  load: { record: sweepRun([1, 2]), rules: [] },
  edits: { record: editsOf(always, () => 74), rules: [] },
  alone: { record: ALONE, rules: [] },
};

/** Questions that follow from rules: without one, or where one is open, these have no such state. */
const WITHOUT: Readonly<Partial<Record<RunQuestion, readonly RunState[]>>> = {
  changed: ['no_rule'],
  swap: ['no_rule'],
  claim: ['no_rule'],
  slower: ['no_rule', 'passed'],
};

const late = eachSample((sample) =>
  sample.outcome === 'ok' ? { ...sample, flags: ['harness_lag' as const] } : sample,
);

function sourceOf(
  { record, rules, baseline, history }: Case,
  state: RunState,
): ReportSource & { readonly line: HistoryLine } {
  const asked = state === 'incomplete' ? rules : [...rules, ...RULES[state]];
  const whole = gated(state === 'passed_unfit' ? late(record) : record, asked);
  const run =
    state === 'incomplete' ? { ...whole, samples: whole.samples.slice(0, -3), segments: killed(whole) } : whole;
  const metrics = metricsOfRecord(run);
  const assessed = assess(run, metrics, baseline ?? null, history ?? []);
  const { analysed, comparisons, verdict } = assessed;
  const { analysis, samples } = analysed;
  const line = historyLineOf(run.run, assessed, metrics);
  return { ...reported(run), analysis, samples, comparisons, verdict, line };
}

const killed = ({ segments }: StoredRun) => segments.map(({ started }) => ({ started, ended: null }));

const CASES = Object.entries(QUESTIONS).flatMap(([question, asked]) =>
  RUN_STATES.filter((state) => WITHOUT[question as RunQuestion]?.includes(state) !== true).map(
    (state) => [question as RunQuestion, state, asked] as const,
  ),
);

test.each(CASES)('every report of a run answers the same: %s, %s', async (question, state, asked) => {
  const source = sourceOf(asked, state);
  const { answer, next, ...said } = answerOf(source);
  expect(said).toMatchObject({ question, state });
  const { words, tone } = stateWords(source.verdict);
  // What was not judged is never green.
  expect(tone === 'good', words).toBe(state === 'passed');
  expect(lineState(source.line)).toEqual({ words, tone });

  const page = await pageOf(source);
  expect(page.text('.run-head')).toContain(words);
  expect(page.words('#outcome-title')).toEqual([QUESTION_WORDS[question]]);
  const headline = page.words(state === 'incomplete' ? '#incomplete' : '.headlines li')[0] ?? '';
  expect(headline).toContain(answer.slice(0, -1));
  expect(page.text('#outcome').split(answer).length, answer).toBe(2);

  const options = { colour: false, width: 400, hasPage: true };
  const terminal = renderTerminal(source, options);
  const [first = ''] = terminal.split('\n');
  expect(first).toContain(tone === null ? answer : `${words.toUpperCase()}  ${answer}`);
  expect(terminal.split(answer)).toHaveLength(2);
  expect(renderVerdict(source, options)).toContain(`\n${answer}\n`);

  const summary = ((await rendered(markdown, source)).get('summary.md') ?? '').replaceAll('\\', '');
  expect(summary.split('\n').find((line) => line.includes(answer))).toBeDefined();

  const recorded = recordedAnswer(source);
  expect(recorded).toMatchObject({ question, state, answer, next });
  expect(source.line.said).toMatchObject({ question, answer });
  if (next !== null) for (const text of [page.text('#outcome'), summary]) expect(text).toContain(next.command);
});

test('a run of edits answers first what the edits did to their input, and to what lies outside the mask', () => {
  const answer = (isUnchanged: () => boolean, outside: () => number) =>
    answerOf(sourceOf({ record: editsOf(isUnchanged, outside), rules: [] }, 'no_rule')).answer;
  expect(answer(never, () => 0)).toBe(
    'All 19 edits changed their input. None of 10 edits with a mask changed anything outside it.',
  );
  expect(answer(never, () => 74)).toMatch(/^All 19 edits .*\. fast changed what lies outside the mask: by 74/);
});

test.each<[what: string, rules: readonly GateRule[], answer: RegExp]>([
  ['that no rule asks for come first', [REFUSALS], /^One voter prefers standard to fast: \d+ : 0 pairs\.$/],
  [
    'that a rule asks for are one of the answers',
    [REFUSALS, gateRule('score.votes', { is: 'max_rise', share: 1 }, LET_PASS)],
    /^fast in place of standard: refused as rarely \(.*\), liked as much \(/,
  ],
  [
    'that fail a rule say who lost',
    [gateRule('score.votes', { is: 'max_rise', share: 0.2 })],
    /^fast loses the votes to standard by 100 points/,
  ],
])('an answer to "can I swap?": votes %s', (_, rules, answer) => {
  const record = voted(TWO, () => ['baseline']);
  const source = sourceOf({ record, rules }, 'no_rule');
  expect(answerOf(source)).toMatchObject({ question: 'swap', answer: expect.stringMatching(answer) });
  const said = renderTerminal(source, { colour: false, width: 400, hasPage: true });
  expect(said.split('One voter prefers')).toHaveLength(2);
});

test('a run among the first of its history says what is allowed at first, and from when on which limit', () => {
  const rules = [{ ...NIGHTLY, atFirst: 0.5 }];
  const source = sourceOf({ record: ALONE, rules, history: earlierOf(ALONE) }, 'not_judged');
  expect(answerOf(source).answer).toBe(
    'standard takes 1x as long [1, 1] as the last run (night-1), allowed in the first runs at most 1.50x; ' +
      'allowed at most 1.10x from 9 earlier runs on (1 so far).',
  );
});

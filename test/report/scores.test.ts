import { describe, expect, it } from 'vitest';
import { verdictLinesOf } from '../../src/gate/verdict-lines.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { scoreSentences } from '../../src/report/score-statement.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import type { GivenValue, ValueScorer } from '../../src/suite/scorer.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { commandScorer, fileScorer, scored } from '../fixtures/scored-run.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { chance, gated, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const THREE: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 3),
  tell: (variant) => ok(variant === 'standard' ? 2000 : 500),
};

const found = (hits: number) => Array.from({ length: 16 }, (_, at) => at < hits);

const PASSED = [
  { control: 'jpeg', found: found(3) },
  { control: 'blurred', found: found(16) },
] as const;

interface Told {
  readonly scorer?: ValueScorer;
  /** How much more fast-lcm has than the others. */
  readonly more?: number;
  /** Of each prompt and seed of fast-lcm whether it is scored. */
  readonly isScored?: (prompt: string, seed: number) => boolean;
  readonly controls?: Parameters<typeof scored>[3];
  readonly telling?: Telling;
}

/** Scores about 0.29 that vary by 0.01. */
function runOf({
  scorer = commandScorer('hps'),
  more = -0.05,
  isScored = () => true,
  controls = PASSED,
  telling = THREE,
}: Told = {}): StoredRun {
  const [own] = scorer.gives;
  const says: Parameters<typeof scored>[2] = ({ trial: { variant, prompt, seed } }) => {
    if (variant === 'fast-lcm' && !isScored(prompt, Number(seed))) return scorer.use === 'file' ? null : 'unscored';
    const value = 0.29 + 0.01 * chance(variant, prompt, Number(seed)) + (variant === 'fast-lcm' ? more : 0);
    return { [own?.value ?? '']: value };
  };
  return scored(scriptedRun(telling), scorer, says, controls);
}

function sentencesOf(told: Told | StoredRun): readonly string[] {
  const { analysis, comparisons } = reported('run' in told ? told : runOf(told));
  return scoreSentences(analysis, comparisons, analysis.variants).map(({ sentence }) => sentence);
}

const given = (parts: Partial<GivenValue>) => commandScorer('hps', parts);

const few = (prompt: string) => prompt === 'fox';
const most = (prompt: string) => prompt !== 'fox';

/** The run whose scorer has not scored anything. */
function waiting(scorer: ValueScorer): StoredRun {
  const { run, ...record } = scriptedRun(THREE);
  return { ...record, run: { ...run, scorers: [scorer] } };
}

const LARGE = scored(scriptedRun(THREE), commandScorer('size'), ({ trial: { variant, prompt, seed } }) => ({
  size: (variant === 'fast-lcm' ? 200_000 : 400_000) + 1000 * chance(variant, prompt, Number(seed)),
}));
const FAILED = [
  { control: 'blurred', found: found(9) },
  { control: 'other_prompt', found: found(13) },
] as const;

reviewed('scores', {
  'lower where more is better': () => sentencesOf({}),
  'higher where more is better': () => sentencesOf({ more: 0.05 }),
  'higher where less is better': () => sentencesOf({ scorer: given({ better: 'lower' }), more: 0.05 }),
  'lower where less is better': () => sentencesOf({ scorer: given({ better: 'lower' }) }),
  'without a direction': () => sentencesOf({ scorer: given({ better: null }) }),
  'a share': () => sentencesOf({ scorer: given({ unit: '1' }) }),
  'large numbers': () => sentencesOf(LARGE),
  'few pairs have a score': () => sentencesOf({ isScored: few }),
  'a quarter of the pairs lacks a score': () => sentencesOf({ isScored: most }),
  'a file lacks a value': () => sentencesOf({ scorer: fileScorer('rated'), isScored: most }),
  'a program has not scored yet': () => sentencesOf(waiting(commandScorer('hps'))),
  'a file has not been read yet': () => sentencesOf(waiting(fileScorer('rated'))),
  'the control failed': () => {
    const { analysis, comparisons } = reported(runOf({ controls: FAILED }));
    return scoreSentences(analysis, comparisons, analysis.variants).map(
      ({ sentence, tone }) => `(${tone}) ${sentence}`,
    );
  },
  'compared with nothing': () => sentencesOf({ telling: { ...THREE, variants: THREE.variants.slice(0, 1) } }),
});

it('sentences on scores say once what is true at each step of a sweep, and that equal outputs score the same', () => {
  const sweep = scored(sweepRun(), commandScorer('hps'), ({ trial: { variant } }) => ({
    hps: variant.endsWith('lcm') ? 0.2 : 0.3,
  }));
  const said = sentencesOf(sweep);
  expect(said).toHaveLength(new Set(said).size);
  expect(said.some((words) => /^score\.hps: .* at concurrency \d+, .* and \d+ in \d+ of /.test(words))).toBe(true);
  expect(said.some((words) => /^score\.hps: fast and standard score the same at /.test(words))).toBe(true);
});

/** What a rule says that lets a score fall so far. */
function ruled(amount: number, parts: Partial<GivenValue> = {}): readonly string[] {
  const rules = [gateRule('score.hps', { is: 'max_decrease', amount })];
  const { verdict } = reported(gated(runOf({ scorer: given(parts) }), rules));
  return verdictLinesOf(verdict.rules).map(({ word, subject, finding }) => `${word} ${subject}: ${finding}`);
}

reviewed('rules-on-scores', {
  'a score that may fall': () => ruled(0.2),
  'a share that may fall': () => ruled(0.2, { unit: '1' }),
  'a share that falls too far': () => ruled(0.01, { unit: '1' }),
});

async function pageOn(told: Told | StoredRun) {
  return pageOf(reported('run' in told ? told : runOf(told)));
}

describe('scores on the page', () => {
  it('a page without scores speaks of none', async () => {
    const without = await pageOn(scriptedRun(THREE));
    expect(without.document.querySelectorAll('#scores, .headlines.scores')).toHaveLength(0);
    expect(without.html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/score\.hps|#scores|\.scores/);
  });

  it('a page says no control of a score without one, nor that one passed which was not asked', async () => {
    const unscored = await pageOn({ isScored: () => false, controls: [] });
    expect(unscored.text('#scores')).not.toContain('control passed');
    const rated = await pageOn({ scorer: fileScorer('rated', { range: [0, 1] }), controls: [] });
    expect(rated.text('#scores')).toContain('Higher is better, from 0 to 1.No control');
  });

  it('scores on the page show what a suite and a scorer say as text, whatever is in it', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e</dd>';
    const { document, html } = await pageOn({ scorer: given({ meaning: hostile }) });
    expect(html).not.toContain('<img src=x');
    expect(document.querySelector('#scores')?.textContent).toContain('<img src=x onerror=alert(1)>\\u202e</dd>');
  });
});

it('scores of many variants leave a terminal what it can hold', () => {
  const record = scored(runOf({ more: 0.05 }), commandScorer('sharp'), ({ trial: { variant } }) => ({
    sharp: variant.length + chance(variant) / 10,
  }));
  const more = scored(record, fileScorer('rated'), ({ trial: { variant } }) => ({ rated: variant.length }));
  const text = renderTerminal(reported(more), { colour: false, width: 120, hasPage: true });
  expect(text.match(/^score\.\S+ \S+ (?:scores|and standard are not)/gm)?.length).toBeLessThanOrEqual(4);
  expect(text).toMatch(/Not shown: \d more scores?/);
});

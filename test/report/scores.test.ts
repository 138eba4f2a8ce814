import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { scoreSentences } from '../../src/report/score-statement.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import type { GivenValue, ValueScorer } from '../../src/suite/scorer.ts';
import { rendered } from '../contracts/reporter.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, fileScorer, scored } from '../fixtures/scored-run.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { chance, gateRule, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const THREE: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 3),
  tell: (variant) => ({ outcome: 'ok', totalMs: variant === 'standard' ? 2000 : 500, output: 0 }),
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

describe('sentences on scores', () => {
  it('sentences on scores say how much lower a variant scores, that it is worse, the interval and in how many images, before what shows no difference', () => {
    expect(sentencesOf({})).toEqual([
      'score.hps: fast-lcm scores worse than standard in 12 of 12 images, 0.049 lower on average [0.047, 0.052].',
      'score.hps, fast and standard: no difference found [−0.0024, +0.0022].',
    ]);
  });

  it.each<[string, Partial<GivenValue>, number, RegExp]>([
    ['higher where more is better', {}, 0.05, /^score\.hps: .* scores better than standard .* higher on average \[0/],
    ['higher where less is better', { better: 'lower' }, 0.05, / scores worse than standard .* higher on average /],
    ['lower where less is better', { better: 'lower' }, -0.05, / scores better than standard .* lower on average /],
    [
      'without a direction',
      { better: null },
      -0.05,
      / scores lower than standard in 12 of 12 images, 0\.\d+ lower on average \[0\.\d+, 0\.\d+\]/,
    ],
    [
      'a share',
      { unit: '1' },
      -0.05,
      / scores worse than standard in 12 of 12 images, [45]\.\d+ points lower on average \[4\.\d+, 5\.\d+\]/,
    ],
  ])('sentences on scores tell the direction: %s', (_, parts, more, expected) => {
    expect(sentencesOf({ scorer: given(parts), more })[0]).toMatch(expected);
  });

  it('sentences on scores say that few pairs give an estimate, and that many lack a score', () => {
    const few = sentencesOf({ isScored: (prompt) => prompt === 'fox' });
    expect(few.at(-2)).toMatch(
      /^score\.hps: fast-lcm against standard: too few images to tell \(3 of 6\); estimate 0\.049 lower\.$/,
    );
    const half = sentencesOf({ isScored: (prompt) => prompt !== 'fox' });
    expect(half[0]).toMatch(
      /worse .* in 9 of 9 images, .*\]; do not rely on it: more than 20 % of the pairs lack a score\.$/,
    );
    expect(half.at(-1)).toBe('The scorer hps gave no score to 9 of 108 outputs: the program ended before it answered.');
  });

  it('sentences on scores name what is not scored yet, and the command that does it', () => {
    const record = scriptedRun(THREE);
    const waits = (scorer: ValueScorer) => sentencesOf({ ...record, run: { ...record.run, scorers: [scorer] } });
    expect(waits(commandScorer('hps'))).toEqual([
      'The scorer hps has not scored 108 of 108 outputs yet; to score them: retake score RUN --allow-commands.',
    ]);
    expect(waits(fileScorer('rated'))[0]).toContain('retake score RUN --from FILE');
    const part = sentencesOf({ scorer: fileScorer('rated'), isScored: (prompt) => prompt !== 'fox' });
    expect(part.at(-1)).toBe('The file of rated has no value for 9 of 108 outputs.');
  });

  it('sentences on scores say first that nobody may rely on a score whose control failed', () => {
    const failed = [
      { control: 'blurred', found: found(9) },
      { control: 'other_prompt', found: found(13) },
    ] as const;
    const { analysis, comparisons } = reported(runOf({ controls: failed }));
    const said = scoreSentences(analysis, comparisons, analysis.variants);
    expect(said[0]).toEqual({
      sentence:
        'Do not rely on score.hps: a blurred copy scores worse in 9 of 16, an output of another prompt in 13 of 16 (one kind of copy needs 14 of 16).',
      tone: 'bad',
    });
    expect(said.slice(1).map(({ tone }) => tone)).toEqual(['void', 'void']);
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

  it('sentences on scores have large numbers in groups of three digits', () => {
    const large = scored(scriptedRun(THREE), commandScorer('size'), ({ trial: { variant, prompt, seed } }) => ({
      size: (variant === 'fast-lcm' ? 200_000 : 400_000) + 1000 * chance(variant, prompt, Number(seed)),
    }));
    expect(sentencesOf(large)[1]).toMatch(/, \d{3},\d{3} lower on average \[\d{3},\d{3}, \d{3},\d{3}\]\.$/);
  });

  it('sentences on scores say what a variant scores that is compared with nothing', () => {
    const alone = { ...THREE, variants: THREE.variants.slice(0, 1) };
    expect(sentencesOf({ telling: alone })).toEqual([
      expect.stringMatching(/^score\.hps: standard scores 0\.29\d+ \[0\.29\d+ – 0\.29\d+\] over 12 images\.$/),
    ]);
  });
});

async function pageOn(told: Told | StoredRun) {
  return pageOf(reported('run' in told ? told : runOf(told)));
}

describe('scores on the page', () => {
  it('scores on the page have their sentences, section and column, and a link; a page without has none', async () => {
    const { words, document } = await pageOn({});
    expect(words('.headlines.scores li')[0]).toContain('score.hps: fast-lcm scores worse than standard');
    expect(words('.under a')).toContain('Scores');
    expect(words('#numbers thead th')).toContain('score.hps');
    const rows = words('#scores tbody tr');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^standard0\.29\d+\[0\.29\d+ – 0\.\d+\]n = 12–36 of 36$/);
    expect(rows[2]).toMatch(/−0\.049\[−0\.052, −0\.047\]worse36 of 36$/);
    expect(document.querySelector('#scores')?.textContent).toContain(
      'Its control passed: a blurred copy scores worse in 16 of 16, a coarse JPEG copy in 3 of 16 (one kind of copy needs 14 of 16).',
    );
    const without = await pageOn(scriptedRun(THREE));
    expect(without.document.querySelectorAll('#scores, .headlines.scores')).toHaveLength(0);
    expect(without.html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/score\.hps|#scores|\.scores/);
  });

  it('scores on the page say who made them, and why outputs have none', async () => {
    const { text } = await pageOn({ isScored: (prompt) => prompt !== 'fox' });
    expect(text('#scores dl')).toContain('Commandnode score.mjs');
    expect(text('#scores dl')).toContain('Versionnot stated');
    expect(text('#scores tbody tr:last-child')).toContain('27 of 36' + '9: the program ended before it answered');
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

describe('scores elsewhere', () => {
  const summaryOf = async (source: ReportSource) => (await rendered(markdown, source)).get('summary.md') ?? '';
  const RULE = gateRule('score.hps', { is: 'max_decrease', amount: 0.02 });

  it('scores in summary.md and on a terminal are sentences, and a rule on them has its limit in words', async () => {
    const record = runOf();
    const source = reported({ ...record, run: { ...record.run, gate: [RULE] } });
    const terminal = renderTerminal(source, { colour: false, width: 120, hasPage: true });
    for (const text of [terminal, await summaryOf(source)]) {
      expect(text.replace(/\s+/g, ' ')).toMatch(
        /score\.hps: fast-lcm scores worse than standard in 12 of 12 images, 0\.049 lower/,
      );
      expect(text).toMatch(/score\.hps against standard:? +may decrease by at most 0\.02; \S/);
    }
  });

  it.each<[string, Parameters<typeof given>[0], number, RegExp]>([
    [
      'a score that may fall',
      {},
      0.2,
      /PASS score\.hps against standard may decrease by at most 0\.2; lowest: fast-lcm, decreases by at most 0\.05\d/,
    ],
    [
      'a share',
      { unit: '1' },
      0.2,
      /PASS score\.hps against standard may decrease by at most 20 points; .* decreases by at most 5\.\d+ points/,
    ],
    [
      'a share beyond it',
      { unit: '1' },
      0.01,
      /FAIL score\.hps against standard may decrease by at most 1 points?; fast-lcm −4\.9\d points/,
    ],
  ])('a rule on scores says how far they may fall: %s', (_, parts, amount, expected) => {
    const record = runOf({ scorer: given(parts) });
    const gate = [gateRule('score.hps', { is: 'max_decrease', amount })];
    const text = renderTerminal(reported({ ...record, run: { ...record.run, gate } }), {
      colour: false,
      width: 160,
      hasPage: true,
    });
    expect(text.replace(/:? +/g, ' ')).toMatch(new RegExp(expected.source.replaceAll(': ', ' ')));
  });

  it('scores of many variants leave a terminal what it can hold', () => {
    const record = scored(runOf({ more: 0.05 }), commandScorer('sharp'), ({ trial: { variant } }) => ({
      sharp: variant.length + chance(variant) / 10,
    }));
    const more = scored(record, fileScorer('rated'), ({ trial: { variant } }) => ({ rated: variant.length }));
    const text = renderTerminal(reported(more), { colour: false, width: 120, hasPage: true });
    expect(text.match(/^score\.\S+ \S+ (?:scores|and standard are not)/gm)?.length).toBeLessThanOrEqual(4);
    expect(text).toMatch(/\d more scores? in the report/);
  });
});

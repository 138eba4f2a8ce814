import { describe, expect, it } from 'vitest';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { scoreSentences } from '../../src/report/score-statement.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { rendered } from '../contracts/reporter.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, fileScorer, scored, type VoterSays, voted } from '../fixtures/scored-run.ts';
import { chance, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

function runWith(variants: number) {
  return scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, variants),
    tell: () => ({ outcome: 'ok', totalMs: 500, output: 0 }),
  });
}

const RUN = runWith(3);

const found = Array.from({ length: 16 }, () => true);

/** Two voters prefer the baseline in every pair, but that the second prefers fast. */
const votes: VoterSays = ({ candidate }) => [
  'baseline',
  ...(candidate.variant === 'fast' ? (['candidate'] as const) : (['baseline'] as const)),
];

/** @param lower by how much the candidates score lower */
function runOf(
  lower: (variant: string, seed: number) => number,
  controls = [{ control: 'blurred', found } as const],
  record = RUN,
) {
  return scored(
    record,
    commandScorer('hps'),
    ({ trial: { variant, seed } }) => ({ hps: 0.5 - (variant === 'standard' ? 0 : lower(variant, Number(seed))) }),
    controls,
  );
}

const copies = runOf(() => 0.1);
const opposes = runOf(() => -0.1);
const two = runOf(() => 0.1, undefined, runWith(2));
const undecided = runOf((variant, seed) => (seed === 1 ? 0 : chance(variant, seed) - 0.5));

function sentencesOf(record: typeof copies): readonly string[] {
  const { analysis, comparisons } = reported(record);
  return scoreSentences(analysis, comparisons, analysis.variants).map(({ sentence }) => sentence);
}

async function notesOf(record: typeof copies): Promise<readonly string[]> {
  const { words } = await pageOf(reported(record));
  return words('#scores h4 ~ p.note').filter((words) => /vote/.test(words));
}

describe('agreement with votes in reports', () => {
  it('agreement with votes is said after the scores, in how many pairs, with the interval and how voters agree', () => {
    const last = sentencesOf(voted(copies, votes)).at(-1);
    expect(last).toBe(
      'score.hps prefers the same side as the votes in 12 of 12 pairs [73.5 – 100 %]; two voters chose the same side in 12 of 24 comparisons.',
    );
  });

  it('disagreement with votes is said before what the score says, and is never folded', () => {
    const { analysis, comparisons } = reported(voted(opposes, () => ['baseline']));
    const said = scoreSentences(analysis, comparisons, analysis.variants);
    expect(said[2]).toEqual({
      sentence: 'score.hps disagrees with the votes: it prefers the same side only in 0 of 24 pairs [0 – 14.3 %].',
      tone: 'warn',
    });
  });

  it('agreement with votes that is undecided, of an unconfirmed score or one whose control failed has no sentence', () => {
    const failed = runOf(() => 0.1, [{ control: 'blurred', found: found.map(() => false) }]);
    for (const record of [voted(undecided, () => ['baseline']), voted(copies, () => [null]), voted(failed, votes)])
      expect(sentencesOf(record).join()).not.toMatch(/same side|agree/);
  });

  it('agreement with votes is in the section of scores, for each score with a direction', async () => {
    expect(await notesOf(voted(copies, votes))).toEqual([
      'Agrees with the votes in 12 of 12 pairs [73.5 – 100 %]; two voters chose the same side in 12 of 24 comparisons.',
    ]);
    expect(await notesOf(voted(opposes, () => ['baseline']))).toEqual([
      'Disagrees with the votes: the same side in 0 of 24 pairs [0 – 14.3 %].',
    ]);
    expect(await notesOf(voted(undecided, () => ['baseline']))).toEqual([
      expect.stringMatching(
        /^The votes do not tell whether it agrees with them: the same side in \d+ of 24 pairs \[.*\]; 8 of these are ties of the scorer\.$/,
      ),
    ]);
    expect(await notesOf(voted(copies, () => ['neither']))).toEqual(['No vote confirms it.']);
  });

  it('agreement with votes says how many pairs lack a score', async () => {
    const part = scored(RUN, fileScorer('hps'), ({ trial: { variant, prompt } }) =>
      prompt === 'fox' ? null : { hps: variant === 'standard' ? 0.5 : 0.4 },
    );
    expect(await notesOf(voted(part, () => ['baseline']))).toEqual([
      expect.stringMatching(/^Agrees with the votes in 18 of 18 pairs \[.*\]; 6 further pairs without a score\.$/),
    ]);
  });

  it('agreement with votes is on a terminal and in summary.md', async () => {
    const source = reported(voted(two, () => ['baseline']));
    const terminal = renderTerminal(source, { colour: false, width: 200, hasPage: true });
    const summary = (await rendered(markdown, source)).get('summary.md') ?? '';
    for (const text of [terminal, summary])
      expect(text.replace(/\s+/g, ' ')).toContain('score.hps prefers the same side as the votes in 12 of 12 pairs');
  });

  it('no report of a record without ballots speaks of votes', async () => {
    const { html } = await pageOf(reported(copies));
    expect(html.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '')).not.toMatch(/\bvotes?\b/i);
    expect(reported(copies).analysis).not.toHaveProperty('agreement');
  });
});

import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { scoredDigest, writtenScores } from '../../src/record/score-key.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { scoreSentences } from '../../src/report/score-statement.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { judgeItems, judgeLine } from '../../src/score/judge-items.ts';
import { rendered } from '../contracts/reporter.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, scored, type VoterSays, voted } from '../fixtures/scored-run.ts';
import { chance, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

function runWith(variants: number) {
  return scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, variants),
    tell: () => ({ outcome: 'ok', totalMs: 500, output: 0 }),
  });
}

const RUN = runWith(3);

const JUDGE = judgeLine({
  declared: {
    use: 'judge',
    name: 'better',
    target: 'judge',
    const: {},
    baseUrl: null,
    question: 'Which is better?',
    priceUsd: null,
    limits: { requests: null, usd: null },
  },
  question: 'Which is better?',
  identity: { target: 'judge', model: null, origin: 'http://127.0.0.1' },
  files: {},
  mostUsd: null,
});

/** What the judge answers of a candidate and its baseline; null: nothing. */
type JudgeSays = (candidate: string, pair: { readonly prompt: string; readonly seed: number }) => Choice | null;
type Choice = 'candidate' | 'baseline' | 'neither';

/** @param findsCopies whether it prefers an output to a worse copy of it */
function judged(record: StoredRun, says: JudgeSays, findsCopies = true): StoredRun {
  const facts = new Map(record.facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const trialOf = new Map(
    record.samples.flatMap((sample) =>
      sample.outcome === 'ok'
        ? [[scoredDigest(facts.get(sample.outputs[0].sha256) ?? sample.outputs[0]), sample.trial] as const]
        : [],
    ),
  );
  const { scorer, by } = JUDGE;
  const { open } = judgeItems({ scorer, by, record, written: writtenScores([]), isStored: () => true });
  const lines = open.flatMap(({ first, second, linesOf }): readonly ScoreLine[] => {
    const [line] = linesOf({ ok: true, chosen: 'neither' });
    if (line?.line !== 'preference') return [];
    if (line.copy !== null)
      return linesOf({ ok: true, chosen: (line.copy === 'first') === findsCopies ? 'second' : 'first' });
    const [one, other] = [first, second].map(({ output }) => trialOf.get(output.digest));
    if (one === undefined || other === undefined) throw new Error('a question about an unknown output');
    const candidate = one.variant === 'standard' ? other : one;
    const said = says(candidate.variant, { prompt: candidate.prompt, seed: Number(candidate.seed) });
    if (said === null) return linesOf({ ok: false, why: { code: 'limit_reached' } });
    if (said === 'neither') return linesOf({ ok: true, chosen: 'neither' });
    return linesOf({ ok: true, chosen: (said === 'candidate') === (candidate === one) ? 'first' : 'second' });
  });
  return { ...record, scores: [...record.scores, JUDGE, ...lines] };
}

/** Two voters prefer the baseline in every pair, but that the second prefers fast. */
const votes: VoterSays = ({ candidate }) => [
  'baseline',
  ...(candidate.variant === 'fast' ? (['candidate'] as const) : (['baseline'] as const)),
];

const copies = judged(RUN, () => 'baseline');
const opposes = judged(RUN, () => 'candidate');
const two = judged(runWith(2), () => 'baseline');
const undecided = judged(RUN, (variant, { seed }) =>
  seed === 1 ? 'neither' : chance(variant, seed) < 0.5 ? 'candidate' : 'baseline',
);

function sentencesOf(record: typeof copies): readonly string[] {
  const { analysis, comparisons } = reported(record);
  return scoreSentences(analysis, comparisons, analysis.variants).map(({ sentence }) => sentence);
}

async function notesOf(record: typeof copies): Promise<readonly string[]> {
  const { words } = await pageOf(reported(record));
  return words('#scores h4 ~ p.note').flatMap(
    (words) => /[^.]*\bvotes?\b.*$/.exec(words)?.map((said) => said.trim()) ?? [],
  );
}

describe('agreement with votes in reports', () => {
  it('agreement with votes is said last, in how many pairs, with the interval and how voters agree', () => {
    const last = sentencesOf(voted(copies, votes)).at(-1);
    expect(last).toBe(
      'score.better prefers the same side as the votes in 12 of 12 pairs [73.5 – 100 %]; two voters chose the same side in 12 of 24 comparisons.',
    );
  });

  it('disagreement with votes is said before what the judge says, and is never folded', () => {
    const { analysis, comparisons } = reported(voted(opposes, () => ['baseline']));
    const said = scoreSentences(analysis, comparisons, analysis.variants);
    expect(said[2]).toEqual({
      sentence: 'score.better disagrees with the votes: it prefers the same side only in 0 of 24 pairs [0 – 14.3 %].',
      tone: 'warn',
    });
  });

  it('agreement with votes that is undecided, of an unconfirmed judge or one whose control failed has no sentence', () => {
    const failed = judged(RUN, () => 'baseline', false);
    for (const record of [voted(undecided, () => ['baseline']), voted(copies, () => [null]), voted(failed, votes)])
      expect(sentencesOf(record).join()).not.toMatch(/same side|agree/);
  });

  it('agreement with votes is in the section of scores, for each judge', async () => {
    expect(await notesOf(voted(copies, votes))).toEqual([
      'Agrees with the votes in 12 of 12 pairs [73.5 – 100 %]; two voters chose the same side in 12 of 24 comparisons.',
    ]);
    expect(await notesOf(voted(opposes, () => ['baseline']))).toEqual([
      'Disagrees with the votes: the same side in 0 of 24 pairs [0 – 14.3 %].',
    ]);
    expect(await notesOf(voted(undecided, () => ['baseline']))).toEqual([
      expect.stringMatching(
        /^The votes do not tell whether it agrees with them: the same side in \d+ of 24 pairs \[.*\]; 8 of these are ties of the judge\.$/,
      ),
    ]);
    expect(await notesOf(voted(copies, () => ['neither']))).toEqual(['No vote confirms it.']);
  });

  it('agreement with votes says how many pairs lack an answer', async () => {
    const part = judged(RUN, (_, { prompt }) => (prompt === 'fox' ? null : 'baseline'));
    expect(await notesOf(voted(part, () => ['baseline']))).toEqual([
      expect.stringMatching(/^Agrees with the votes in 18 of 18 pairs \[.*\]; 6 further pairs without an answer\.$/),
    ]);
  });

  it('agreement with votes is on a terminal and in summary.md', async () => {
    const source = reported(voted(two, () => ['baseline']));
    const terminal = renderTerminal(source, { colour: false, width: 200, hasPage: true });
    const summary = (await rendered(markdown, source)).get('summary.md') ?? '';
    for (const text of [terminal, summary])
      expect(text.replace(/\s+/g, ' ')).toContain('score.better prefers the same side as the votes in 12 of 12 pairs');
  });

  it('no report of a record without ballots speaks of votes', async () => {
    const record = scored(RUN, commandScorer('hps'), () => ({ hps: 0.5 }));
    const { html } = await pageOf(reported(record));
    expect(html.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '')).not.toMatch(/\bvotes?\b/i);
    expect(reported(copies).analysis).not.toHaveProperty('agreement');
  });
});

import { expect, it } from 'vitest';
import { scoreSentences } from '../../src/report/score-statement.ts';
import { judged } from '../fixtures/judged-run.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { commandScorer, scored, type VoterSays, voted } from '../fixtures/scored-run.ts';
import { chance, named, ORDINARY, ok, scriptedRun } from '../fixtures/scripted-run.ts';

const RUN = scriptedRun({ ...ORDINARY, variants: named('standard', 'fast', 'fast-lcm'), tell: () => ok(500) });

/** Two voters prefer the baseline in every pair, but that the second prefers fast. */
const votes: VoterSays = ({ candidate }) => ['baseline', candidate.variant === 'fast' ? 'candidate' : 'baseline'];
const forBaseline: VoterSays = () => ['baseline'];

const copies = judged(RUN, () => 'baseline');
const opposes = judged(RUN, () => 'candidate');
const undecided = judged(RUN, (variant, { seed }) =>
  seed === 1 ? 'neither' : chance(variant, seed) < 0.5 ? 'candidate' : 'baseline',
);
const part = judged(RUN, (_, { prompt }) => (prompt === 'fox' ? null : 'baseline'));
const unfounded = judged(RUN, () => 'baseline', false);

/** The sentences of scores, in their order, then what the section of scores says of votes. */
async function saidOf(record: typeof copies): Promise<readonly string[]> {
  const source = reported(record);
  const { words } = await pageOf(source);
  const notes = words('#scores h4 ~ p.note').flatMap((note) => /[^.]*\bvotes?\b.*$/.exec(note)?.[0].trim() ?? []);
  return [
    ...scoreSentences(source.analysis, source.comparisons, source.analysis.variants).map(
      ({ sentence, tone }) => `${tone === null ? '' : `(${tone}) `}${sentence}`,
    ),
    ...notes.map((note) => `note: ${note}`),
  ];
}

reviewed('agreement-with-votes', {
  agrees: () => saidOf(voted(copies, votes)),
  // Said before what the judge says.
  disagrees: () => saidOf(voted(opposes, forBaseline)),
  undecided: () => saidOf(voted(undecided, forBaseline)),
  'voters say neither': () => saidOf(voted(copies, () => ['neither'])),
  'voters say nothing': () => saidOf(voted(copies, () => [null])),
  'the control failed': () => saidOf(voted(unfounded, votes)),
  'some pairs without an answer': () => saidOf(voted(part, forBaseline)),
});

it('no report of a record without ballots speaks of votes', async () => {
  const record = scored(RUN, commandScorer('hps'), () => ({ hps: 0.5 }));
  const { html } = await pageOf(reported(record));
  expect(html.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '')).not.toMatch(/\bvotes?\b/i);
  expect(reported(copies).analysis).not.toHaveProperty('agreement');
});

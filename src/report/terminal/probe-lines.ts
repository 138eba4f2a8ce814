import type { Analysis } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { plural } from '../../text/wording.ts';
import { probeQuestions, probeStatement, QUESTION_NAMES } from '../words/probes/probe-words.ts';
import { variantNames } from '../words/run/variant-names.ts';
import type { Paint } from './paint.ts';

const MOST_ANSWERS = 12;

/** Variants with the same answer share a line; of many lines, those that found something wrong come first. */
export function probeLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const questions = probeQuestions(analysis);
  const found = analysis.probes.flatMap((probed) =>
    questions.flatMap((question) => {
      const statement = probeStatement(question, probed);
      if (statement === null) return [];
      const { word, evidence, bad } = statement;
      const said = evidence === '' ? word : `${word} (${visibleLine(evidence)})`;
      return [{ bad, variant: probed.variant, answer: `${QUESTION_NAMES[question]}: ${said}` }];
    }),
  );
  const groups = [...groupBy(found, ({ answer }) => answer).values()];
  const answers = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = group.map(({ variant }) => variant);
    const who = variantNames(names, analysis.variants.length);
    return [{ bad: first.bad, words: `${visibleLine(who)}, ${first.answer}` }];
  });
  if (answers.length === 0) return [];
  const ordered = answers.length <= MOST_ANSWERS ? answers : answers.toSorted((a, b) => Number(b.bad) - Number(a.bad));
  const more = answers.length - MOST_ANSWERS;
  return [
    paint('bold', 'Probes'),
    ...ordered.slice(0, MOST_ANSWERS).flatMap(({ bad, words }) => {
      const lines = wrapped(words, width);
      return bad ? lines.map((line) => paint('yellow', line)) : lines;
    }),
    ...(more > 0 ? [paint('dim', `${plural(more, 'more answer')} in the report`)] : []),
  ];
}

import type { Analysis } from '../../analysis/analysis.ts';
import { plural } from '../../text/quantity.ts';
import { wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { probeQuestions, probeStatement } from '../words/probe-words.ts';
import type { Paint } from './paint.ts';

const MOST_ANSWERS = 12;

/** What the probes found, a line for each variant and question; of many, those that found something wrong first. */
export function probeLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const questions = probeQuestions(analysis);
  const answers = analysis.probes.flatMap((found) =>
    questions.flatMap((question) => {
      const statement = probeStatement(question, found);
      if (statement === null) return [];
      const { word, evidence, bad } = statement;
      const said = evidence === '' ? word : `${word} (${visibleLine(evidence)})`;
      return [{ bad, words: `${visibleLine(found.variant)}, ${question.replaceAll('_', ' ')}: ${said}` }];
    }),
  );
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

import type { Analysis } from '../../analysis/analysis.ts';
import { textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { plural } from '../../text/wording.ts';
import { type FailureCause, failureCauses } from '../statements/failure-statement.ts';
import { GAP, type Paint } from './paint.ts';

const MOST_CAUSES = 8;

export function failureLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const causes = failureCauses(analysis);
  if (causes.length === 0) return [];
  const more = causes.length - MOST_CAUSES;
  return [
    paint('bold', 'Failures'),
    ...causes.slice(0, MOST_CAUSES).flatMap((cause) => causeLines(cause, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more cause')}`)] : []),
  ];
}

/** On one line where it fits. The message is not cut: it may name the remedy. */
function causeLines(cause: FailureCause, width: number, paint: Paint): readonly string[] {
  const { takes, outcome } = cause;
  const who = visibleLine(cause.who);
  const said = [cause.code, cause.wholeMessage]
    .map(visibleLine)
    .filter((part) => part !== '')
    .join(': ');
  const indent = GAP.repeat(2);
  const below = wrapped(said, width - indent.length).map((line) => indent + line);
  const plain = [who, takes, outcome].join(GAP);
  const head = [who, takes, paint('red', outcome)].join(GAP);
  if (textWidth(plain) > width)
    return [...wrapped(who, width), indent + [takes, paint('red', outcome)].join(GAP), ...below];
  return textWidth(plain + GAP + said) <= width ? [head + GAP + said] : [head, ...below];
}

import type { Analysis, FailureGroup } from '../../analysis/analysis.ts';
import { count, plural } from '../../text/quantity.ts';
import { clipped, padded, textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { failureMessage } from '../words/decode-reason.ts';
import { GAP, type Paint } from './paint.ts';

const MOST_FAILURES = 8;
const WIDEST_FAILED_NAME = 20;

/** The groups of failures, the largest first. */
export function failureLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  if (analysis.failures.length === 0) return [];
  const sent = new Map(analysis.variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const shown = analysis.failures.slice(0, MOST_FAILURES);
  const names = Math.min(WIDEST_FAILED_NAME, Math.max(...shown.map(({ variant }) => textWidth(visibleLine(variant)))));
  const more = analysis.failures.length - shown.length;
  return [
    paint('bold', 'Failures'),
    ...shown.flatMap((group) => groupLines(group, sent.get(group.variant) ?? 0, names, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more group')}`)] : []),
  ];
}

/** A group of failures, on one line where it fits. Its message stays whole: it may name the remedy. */
function groupLines(group: FailureGroup, sent: number, names: number, width: number, paint: Paint): readonly string[] {
  const { variant, outcome, code, httpStatus, count: failed } = group;
  const told = httpStatus === null || code.includes(String(httpStatus));
  const where = told ? visibleLine(code) : `${visibleLine(code)} (HTTP ${httpStatus})`;
  const said = [where, visibleLine(failureMessage(group))].filter((part) => part !== '').join(': ');
  const start = `${padded(clipped(visibleLine(variant), names), names)}${GAP}${count(failed)} of ${count(sent)}${GAP}`;
  const kind = clipped(outcome.replaceAll('_', ' '), width - textWidth(start));
  const head = `${start}${paint('red', kind)}`;
  const room = width - textWidth(start) - textWidth(kind) - GAP.length;
  if (textWidth(said) <= room) return [`${head}${GAP}${said}`];
  const indent = GAP.repeat(2);
  return [head, ...wrapped(said, width - indent.length).map((line) => indent + line)];
}

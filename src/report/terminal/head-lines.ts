import type { Analysis } from '../../analysis/analysis.ts';
import type { Verdict } from '../../analysis/verdict.ts';
import { tellingApart } from '../../kit/names.ts';
import { textWidth, wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, plural } from '../../kit/wording.ts';
import { runVerdict } from '../gate-words.ts';
import { shardWords, tookWords } from '../load-words.ts';
import { GAP, type Paint, toneStyle } from '../paint.ts';
import { droppedStarts, isWhole, undelivered } from '../run-statement.ts';

/** Suite and verdict, what was sent, and what of it failed. */
export function headLines(
  analysis: Analysis,
  verdict: Pick<Verdict, 'verdict' | 'complete'>,
  width: number,
  paint: Paint,
): readonly string[] {
  const { run } = analysis;
  const told = tellingApart(run);
  const name = visibleLine(told === null ? run.suite : `${run.suite} (${told})`);
  const state = runVerdict(verdict);
  const word = state.tone === null ? [] : [state.words.toUpperCase()];
  const said = visibleLine(sentWords(analysis));
  const title = [paint('bold', name), ...word.map((each) => paint(toneStyle(state.tone), each))].join(GAP);
  const plain = [name, ...word].join(GAP);
  const sent = isWhole(analysis) || !run.complete ? (line: string) => line : (line: string) => paint('yellow', line);
  return textWidth(plain + GAP + said) <= width
    ? [title + GAP + sent(said)]
    : [...(textWidth(plain) <= width ? [title] : wrapped(plain, width)), ...wrapped(said, width).map(sent)];
}

/** `299 requests in 2 min 26 s; none failed, none blocked`. */
function sentWords(analysis: Analysis): string {
  const { run, variants } = analysis;
  const split = shardWords(run);
  const parts = split === null ? '' : `; ${split.charAt(0).toLowerCase()}${split.slice(1)}`;
  if (run.durationMs === null) return `nothing was sent${parts}`;
  const { failed, blocked } = undelivered(analysis.failures);
  const dropped = droppedStarts(variants);
  const of = (takes: number, what: string) => `${takes === 0 ? 'none' : count(takes)} ${what}`;
  const lost = [
    of(failed, 'failed'),
    of(blocked, 'blocked'),
    ...(dropped === 0 ? [] : [of(dropped, 'dropped (never sent)')]),
  ];
  return `${plural(run.requestsSent, 'request')} ${tookWords(run, run.durationMs)}; ${lost.join(', ')}${parts}`;
}

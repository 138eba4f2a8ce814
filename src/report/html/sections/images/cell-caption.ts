import type { Cell, Take } from '../../../../analysis/analysis.ts';
import type { EffectiveOutput } from '../../../../analysis/effective-sample.ts';
import { count, type DurationUnit, duration, plural } from '../../../../text/wording.ts';
import { differenceWords, LEVEL_WORDS } from '../../../words/level-words.ts';
import { outcomeWords } from '../../../words/outcome-words.ts';
import type { DeliveredTake } from './shown-outputs.ts';

/** A line each. @param usual the first take that was delivered @param unit of the variant's latencies */
export function cellCaption(
  cell: Cell,
  usual: DeliveredTake,
  outputs: ReadonlyMap<string, EffectiveOutput>,
  unit: DurationUnit,
): readonly string[] {
  const delivered = cell.outputGroups.reduce((sum, group) => sum + group.takes, 0);
  const lost = cell.takes.some(({ outcome }) => outcome !== 'ok') ? whyNoOutput(cell.takes) : '';
  const took = usual.totalMs === null ? '' : duration(usual.totalMs, unit);
  const first = took === '' || cell.takes.length === 1 ? took : `take ${usual.repeat}: ${took}`;
  return [
    cell.takes.length === 1 && first !== '' ? '' : agreementOf(cell, delivered),
    shares(cell),
    cell.farthest === null ? '' : differenceWords(cell.farthest),
    first,
    film(outputs.get(usual.sha256)),
    lost,
  ].filter((line) => line !== '');
}

function agreementOf({ byte, level, outputGroups }: Cell, delivered: number): string {
  const takes = plural(delivered, 'take');
  if (byte === 'same') return `${takes}, ${LEVEL_WORDS.byte.same}`;
  if (byte === 'too_few_takes') return takes;
  const outputs = `${count(outputGroups.length)} outputs in ${takes}`;
  return level === null ? outputs : `${outputs}, ${LEVEL_WORDS[level].same}`;
}

/** How often each of several outputs came: `two images, 3 : 2`. */
function shares({ outputGroups }: Cell): string {
  const takes = new Map<number, number>();
  for (const group of outputGroups) takes.set(group.image, (takes.get(group.image) ?? 0) + group.takes);
  const counts = [...takes.values()].sort((a, b) => b - a);
  if (counts.length < 2 || (counts[1] ?? 0) < 2) return '';
  return `${plural(counts.length, 'image')}, ${counts.map(count).join(' : ')} takes`;
}

/** `2 blank (suspected moderation), 1 timed out`. */
export function whyNoOutput(takes: readonly Take[]): string {
  const tally = new Map<string, number>();
  for (const { outcome } of takes) if (outcome !== 'ok') tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  const words = [...tally].map(
    ([outcome, number]) =>
      `${count(number)} ${outcomeWords(outcome)}${outcome === 'blank' ? ' (suspected moderation)' : ''}`,
  );
  return words.length === 0 ? 'not sent' : words.join(', ');
}

/** `2.00 s of video, 24 fps`; empty of an image. */
function film(output: EffectiveOutput | undefined): string {
  if (output === undefined || output.durationS === null) return '';
  const rate = output.fps === null ? '' : `, ${Number(output.fps.toFixed(2))} fps`;
  return `${duration(1000 * output.durationS)} of video${rate}`;
}

import { largestSlice, type Plan, type Slice } from '../../../plan/plan.ts';
import type { HistoryLine } from '../../../record/model/history-line.ts';
import { arrivalsWords, stagesWords, stepsWords, sweepSteps } from '../../../report/words/run/load-words.ts';
import type { ClosedLoad, Load, OpenLoad } from '../../../suite/format/load.ts';
import { roughTime } from '../../../text/time-left-words.ts';
import { visibleLine } from '../../../text/visible.ts';
import { count, elapsed, plural, seconds } from '../../../text/wording.ts';
import { type PlannedTime, plannedTime, wavesOf } from '../../setup/plan/planned-time.ts';

export function describeLoad(load: Load, plan: Plan, lines: readonly HistoryLine[] = []): readonly string[] {
  if (load.mode === 'open') return describeOpen(load, plan);
  return [describeClosed(load, plan), describeTime(plan, plannedTime(plan, lines))];
}

function describeClosed({ steps, ...load }: ClosedLoad, plan: Plan): string {
  const sent = `shuffle ${load.shuffle}, ${plural(plan.slices.length, 'slice')}`;
  const most = `${count(Math.min(load.concurrency, largestSlice(plan)))} in flight at most${ceilingNote(load.concurrency, plan, steps !== null)}`;
  if (steps === null) return `Load: closed, ${most}; order ${load.order}, ${sent}`;
  const ordered = stepsWords(sweepSteps({ ...load, steps }) ?? []);
  return `Load: a sweep over concurrency ${ordered}, each variant and step alone; ${most}; ${sent}`;
}

/** Without earlier runs, the time is given for calls of these lengths. */
const EXAMPLE_CALLS_MS = [1000, 10_000] as const;

function describeTime({ slices, looks }: Plan, known: PlannedTime | null): string {
  const about = `Time: ${looks === null ? 'about' : 'at most'}`;
  if (known !== null)
    return visibleLine(`${about} ${roughTime(known.ms)}, if calls take as long as in run ${known.run}`);
  const waves = slices.reduce((sum, slice) => sum + wavesOf(slice), 0);
  const [short, long] = EXAMPLE_CALLS_MS;
  return `${about} ${roughTime(waves * short)} if each call takes ${seconds(short)}, ${roughTime(waves * long)} if ${seconds(long)}`;
}

function ceilingNote(concurrency: number, plan: Plan, sweep: boolean): string {
  const most = largestSlice(plan);
  if (most >= concurrency) return '';
  const remedy = sweep ? 'add prompts, seeds or repeats' : 'add prompts or seeds, or use order: mixed';
  return ` (${concurrency} allowed, but a slice of a variant has only ${most}; ${remedy})`;
}

function describeOpen(load: OpenLoad, { slices }: Plan): readonly string[] {
  const paced = slices.flatMap(({ pace, trials }) => (pace.mode === 'open' ? [{ pace, trials }] : []));
  const calls = paced.map(({ trials }) => trials.length);
  const probed = slices.some(({ trials }) => trials.some(({ phase }) => phase === 'probe'));
  const others = probed ? 'warm-ups, the last calls and probes' : 'warm-ups and the last calls';
  const spansMs = paced.map(({ pace }) => spanMs(load, pace.startsMs));
  const totalMs = spansMs.reduce((sum, ms) => sum + ms, 0);
  const [fewest, most] = [Math.min(...calls), Math.max(...calls)];
  const each = fewest === most ? plural(most, 'call') : `${count(fewest)} to ${plural(most, 'call')}`;
  return [
    `Load: open, ${arrivalsWords(load)}: ${stagesWords(load)}; one variant after the other, shuffle ${load.shuffle}, ${plural(slices.length, 'slice')}`,
    `Ceiling: ${count(load.concurrency)} in flight; a start above it is dropped and counted`,
    ...(paced.length === 0
      ? []
      : [
          `Time: ${each} per variant over ${elapsed(Math.max(...spansMs))}, at least ${elapsed(totalMs)} in all, plus ${others}`,
        ]),
  ];
}

/** To the end of the last stage, or without an end to the last call. */
function spanMs({ stages }: OpenLoad, startsMs: readonly number[]): number {
  const staged = stages.reduce((sum, { forMs }) => sum + (forMs ?? Infinity), 0);
  return Number.isFinite(staged) ? staged : (startsMs.at(-1) ?? 0);
}

/** The pace of a slice if it differs from the load: ` at concurrency 4`. */
export function describePace({ trials, pace }: Slice): string {
  const step = trials[0]?.step;
  if (step !== undefined) return ` at concurrency ${count(step)}`;
  if (pace.mode === 'closed') return '';
  return `, ${plural(trials.length, 'call')} over ${elapsed(pace.startsMs.at(-1) ?? 0)}`;
}

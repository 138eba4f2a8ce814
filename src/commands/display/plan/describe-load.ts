import { alphasOf } from '../../../gate/planned-reach.ts';
import { roughTime } from '../../../kit/time.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, elapsed, plural, seconds } from '../../../kit/wording.ts';
import { caseSeedsOf, largestSlice, type Plan, type Slice, trialsInAll } from '../../../plan/plan.ts';
import { CACHE_PAIRS, LOAD_TAKES } from '../../../plan/probes.ts';
import type { PlannedLooks, SkippedProbe } from '../../../plan/recorded-plan.ts';
import type { Trial } from '../../../plan/trial.ts';
import { alphasWords, arrivalsWords, lookWords, stagesWords, stepsWords } from '../../../report/run-statement.ts';
import { mean } from '../../../statistics/mean.ts';
import type { ClosedLoad, Load, OpenLoad } from '../../../suite/load.ts';
import type { ProbeKind } from '../../../suite/suite.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { leftOutProbes } from '../left-out.ts';

export function describeLoad(load: Load, plan: Plan, earlier: readonly EarlierCalls[] = []): readonly string[] {
  if (load.mode === 'open') return describeOpen(load, plan);
  return [describeClosed(load, plan), describeTime(plan, plannedTime(plan, earlier))];
}

function describeClosed({ steps, ...load }: ClosedLoad, plan: Plan): string {
  const sent = `shuffle ${load.shuffle}, ${plural(plan.slices.length, 'group of takes')}`;
  const most = `${count(Math.min(load.concurrency, largestSlice(plan)))} in flight at most${ceilingNote(load.concurrency, plan, steps !== null)}`;
  if (steps === null) return `Load: closed, ${most}; order ${load.order}, ${sent}`;
  const ordered = stepsWords(sweepSteps({ ...load, steps }) ?? []);
  return `Load: a sweep over concurrency ${ordered}, each variant and step alone; ${most}; ${sent}`;
}

/** The time is given for calls of these lengths if no earlier run is known. */
const EXAMPLE_CALLS_MS = [1000, 10_000] as const;

function describeTime({ slices, looks }: Plan, known: PlannedTime | null): string {
  const about = `Time: ${looks === null ? 'about' : 'at most'}`;
  if (known !== null)
    return visibleLine(`${about} ${roughTime(known.ms)}, if takes are as long as in run ${known.run}`);
  const waves = slices.reduce((sum, slice) => sum + wavesOf(slice), 0);
  const [short, long] = EXAMPLE_CALLS_MS;
  return `${about} ${roughTime(waves * short)} if each take lasts ${seconds(short)}, ${roughTime(waves * long)} if ${seconds(long)}`;
}

function ceilingNote(concurrency: number, plan: Plan, sweep: boolean): string {
  const most = largestSlice(plan);
  if (most >= concurrency) return '';
  const remedy = sweep ? 'add prompts, seeds or repeats' : 'add prompts or seeds, or use order: mixed';
  return ` (${concurrency} allowed, but a group of takes of a variant has only ${most}; ${remedy})`;
}

function describeOpen(load: OpenLoad, { slices }: Plan): readonly string[] {
  const paced = slices.flatMap(({ pace, trials }) => (pace.mode === 'open' ? [{ pace, trials }] : []));
  const calls = paced.map(({ trials }) => trials.length);
  const probed = slices.some(({ trials }) => trials.some(({ phase }) => phase === 'probe'));
  const others = probed ? 'warm-ups, the last takes and probes' : 'warm-ups and the last takes';
  const spansMs = paced.map(({ pace }) => spanMs(load, pace.startsMs));
  const totalMs = spansMs.reduce((sum, ms) => sum + ms, 0);
  const [fewest, most] = [Math.min(...calls), Math.max(...calls)];
  const callWords = fewest === most ? plural(most, 'take') : `${count(fewest)} to ${plural(most, 'take')}`;
  return [
    `Load: open, ${arrivalsWords(load)}: ${stagesWords(load)}; one variant after the other, shuffle ${load.shuffle}, ${plural(slices.length, 'group of takes')}`,
    `Ceiling: ${count(load.concurrency)} in flight; a start above it is dropped and counted`,
    ...(paced.length === 0
      ? []
      : [
          `Time: ${callWords} per variant over ${elapsed(Math.max(...spansMs))}, at least ${elapsed(totalMs)} in all, plus ${others}`,
        ]),
  ];
}

/** To the end of the last stage; to the last call if that stage has no end. */
function spanMs({ stages, stepMs }: OpenLoad, startsMs: readonly number[]): number {
  const staged = stepMs ?? stages.reduce((sum, { forMs }) => sum + (forMs ?? Infinity), 0);
  return staged > 0 && Number.isFinite(staged) ? staged : (startsMs.at(-1) ?? 0);
}

interface PlannedTime {
  readonly ms: number;
  readonly run: string;
}

/** Mean length of the calls of a run, by variant. */
export interface EarlierCalls {
  readonly run: string;
  readonly startedAt: string;
  readonly callMs: ReadonlyMap<string, number>;
}

/** From the latest run that measured a variant of the plan; its mean for other variants. Null without such a run. */
function plannedTime({ slices }: Plan, earlier: readonly EarlierCalls[]): PlannedTime | null {
  const asked = new Set(slices.flatMap(({ trials }) => trials.map(({ variant }) => variant)));
  const latest = earlier
    .map((calls) => ({ ...calls, callMs: new Map([...calls.callMs].filter(([variant]) => asked.has(variant))) }))
    .filter(({ callMs }) => callMs.size > 0)
    .reduce<EarlierCalls | null>(
      (last, calls) => (last === null || calls.startedAt >= last.startedAt ? calls : last),
      null,
    );
  const usual = mean([...(latest?.callMs.values() ?? [])]);
  if (latest === null || usual === null) return null;
  const ms = slices.reduce((total, slice) => {
    const callMs = mean(slice.trials.map(({ variant }) => latest.callMs.get(variant) ?? usual)) ?? 0;
    return total + wavesOf(slice) * callMs;
  }, 0);
  return { ms, run: latest.run };
}

/** Calls that a slice takes one after another: it is drained before the next. */
function wavesOf({ trials, pace }: Slice): number {
  return Math.ceil(trials.length / (pace.mode === 'closed' ? pace.concurrency : pace.ceiling));
}

export function describeLooks(looks: PlannedLooks | null): readonly string[] {
  if (looks === null) return [];
  const { kind, of, parts } = looks;
  if (kind === 'claim')
    return ['The run ends once its claims are decided, at the latest after as many pairs of takes as they name'];
  return [
    `Looks: the gate is looked at after each of ${of} parts (${alphasWords(alphasOf(looks))}); the next part is sent only while the gate is not decided`,
    ...parts.map((part, at) => {
      const what = kind === 'confirm' && at > 0 ? 'the same once more' : plural(part.caseSeeds, 'prompt x seed');
      const until = parts.slice(0, at + 1);
      const sum =
        at === 0 ? '' : `; ${lookWords(kind, caseSeedsOf({ kind, parts: until }), trialsInAll(until))} in all`;
      return `  part ${at + 1}: ${what}, ${plural(trialsInAll([part]), 'take')}${sum}`;
    }),
  ];
}

export function describeProbes(
  probes: readonly ProbeKind[],
  load: Load,
  plan: Plan,
  skippedProbes: readonly SkippedProbe[],
): readonly string[] {
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const sent = (kind: ProbeKind) => trials.filter(({ probe }) => probe?.kind === kind);
  const words: Readonly<Record<ProbeKind, string>> = {
    seed: 'the first prompt with another seed, and without a seed',
    cache: `${CACHE_PAIRS} pairs per variant: a repeat and a fresh seed, which no earlier run has sent`,
    load: `${LOAD_TAKES} takes of each prompt and seed: alone, at concurrency ${count(load.concurrency)}, alone`,
  };
  const asked = probes.flatMap((kind) => {
    const ofKind = sent(kind);
    return ofKind.length === 0
      ? []
      : [`  ${kind}: ${plural(ofKind.length, 'request')}${ofVariants(ofKind)}: ${words[kind]}`];
  });
  const left = leftOutProbes(skippedProbes).map((sentence) => `  ${sentence}`);
  return probes.length === 0 ? [] : ['Probes, sent after all other requests:', ...asked, ...left];
}

function ofVariants(trials: readonly Trial[]): string {
  return ` of ${plural(new Set(trials.map(({ variant }) => variant)).size, 'variant')}`;
}

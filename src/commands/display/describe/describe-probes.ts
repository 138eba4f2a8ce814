import type { Plan } from '../../../plan/plan.ts';
import { CACHE_PAIRS, LOAD_TAKES } from '../../../plan/probes/probe-limits.ts';
import type { SkippedProbe } from '../../../plan/probes/skipped-probes.ts';
import type { Trial } from '../../../plan/trial.ts';
import { probeReason } from '../../../report/words/probes/probe-reason.ts';
import type { Load } from '../../../suite/format/load.ts';
import type { ProbeKind } from '../../../suite/format/suite.ts';
import { visibleLine } from '../../../text/visible.ts';
import { count, listed, plural } from '../../../text/wording.ts';

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
    const own = sent(kind);
    return own.length === 0 ? [] : [`  ${kind}: ${plural(own.length, 'request')}${ofVariants(own)}: ${words[kind]}`];
  });
  const left = leftOutProbes(skippedProbes).map((sentence) => `  ${sentence}`);
  return probes.length === 0 ? [] : ['Probes, sent after all other requests:', ...asked, ...left];
}

export function leftOutProbes(skippedProbes: readonly SkippedProbe[]): readonly string[] {
  const sentences = new Map<string, string[]>();
  for (const { probe, variant, whole, reason } of skippedProbes) {
    const key = JSON.stringify([`${probe}: ${whole ? 'nothing to test' : 'tested in part'} for`, probeReason(reason)]);
    sentences.set(key, [...(sentences.get(key) ?? []), variant]);
  }
  return [...sentences].map(([text, variants]) => {
    const [key, reason]: readonly [string, string] = JSON.parse(text);
    return visibleLine(`${key} ${listed(variants)}: ${reason}`);
  });
}

function ofVariants(trials: readonly Trial[]): string {
  return ` of ${plural(new Set(trials.map(({ variant }) => variant)).size, 'variant')}`;
}

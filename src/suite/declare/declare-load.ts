import type { Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, sourceAt } from '../../kit/document.ts';
import { boundsIn, type WrittenRule } from '../format/gate-schema.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { Bound, GateRule } from '../rule.ts';
import { type DeclaredRule, PROBES, type ProbeKind } from '../suite.ts';
import { heldLimits } from '../sweep.ts';

/** A take could not be later than the time limit of its request. */
export function refuseHold(document: Document, { load: { hold }, limits }: Pick<SuiteFile, 'load' | 'limits'>) {
  const beyond = heldLimits(hold ?? {}).filter(({ limitMs }) => (limitMs ?? 0) > (limits.timeoutMs ?? Infinity));
  return beyond.map(({ name }) =>
    diagnoseAt(document, ['load', 'hold', name], {
      cause: 'the limit is above the time limit of a request, so that no take could be late',
      remedy: 'lower it, or raise limits.timeout',
    }),
  );
}

/** Distinct probes in sending order. */
export function declareProbes(declared: SuiteFile['probes']): readonly ProbeKind[] {
  return PROBES.filter((kind) => declared.includes(kind));
}

/** Refuses the load probe under open load, whose concurrency is not declared. */
export function refuseProbes(
  document: Document,
  { probes, load: { load } }: Pick<SuiteFile, 'probes' | 'load'>,
): readonly Diagnostic[] {
  const at = probes.indexOf('load');
  if (at < 0 || load.mode === 'closed') return [];
  const cause = 'the probe "load" needs the concurrency of closed load';
  return [diagnoseAt(document, ['probes', at], { cause, remedy: 'remove it, or write mode: closed' }, 'value')];
}

export function declareGate(
  document: Document,
  { gate, on_inconclusive: ofSuite }: Pick<SuiteFile, 'gate' | 'on_inconclusive'>,
): readonly DeclaredRule[] {
  return gate.map((written, index) => {
    const keys = Object.entries(written).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const [given] = boundsIn(written);
    if (given === undefined) throw new Error('a rule without a bound passed its schema');
    return {
      rule: declareRule(written, given.bound, written.on_inconclusive ?? ofSuite ?? 'inconclusive'),
      sources: {
        '': sourceAt(document, ['gate', index]),
        ...Object.fromEntries(keys.map((key) => [key, sourceAt(document, ['gate', index, key], 'key')])),
      },
      writtenAs: given.writtenAs,
    };
  });
}

function declareRule(written: WrittenRule, bound: Bound, onInconclusive: GateRule['onInconclusive']): GateRule {
  return {
    metric: written.metric,
    statistic: written.statistic ?? null,
    overMs: written.over ?? null,
    variants: written.variants ?? null,
    kinds: written.kinds ?? null,
    prompts: written.prompts ?? null,
    tags: written.tags ?? null,
    against: written.against,
    bound,
    ...(written.at_first === undefined ? {} : { atFirst: written.at_first }),
    onInconclusive,
  };
}

import type { Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt } from '../../kit/document.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { Load } from '../load.ts';
import { PROBES, type ProbeKind } from '../suite.ts';

/** Distinct probes in sending order. */
export function declareProbes(declared: SuiteFile['probes']): readonly ProbeKind[] {
  return PROBES.filter((kind) => declared.includes(kind));
}

/** Refuses the load probe under open load, whose concurrency is not declared. */
export function refuseProbes(document: Document, declared: SuiteFile['probes'], { mode }: Load): readonly Diagnostic[] {
  const at = declared.indexOf('load');
  if (at < 0 || mode === 'closed') return [];
  const cause = 'the probe "load" needs the concurrency of closed load';
  return [diagnoseAt(document, ['probes', at], { cause, remedy: 'remove it, or write mode: closed' }, 'value')];
}

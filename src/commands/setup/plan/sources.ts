import { dirname, resolve, sep } from 'node:path';
import { isMeasured } from '../../../plan/plan.ts';
import { PRESETS } from '../../../prepare/declared-files.ts';
import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import { isObject, type Json } from '../../../suite/document/json.ts';
import type { Scorer } from '../../../suite/format/scorer.ts';
import type { OriginPattern } from '../../../targets/model/origins.ts';
import { EMBEDDED, type Variant } from '../../../targets/model/target.ts';
import type { Edge } from '../../edge.ts';

/** Something that a suite takes from the machine, and the origins that may get it. */
export interface PlanSource {
  readonly kind: 'key' | 'variable' | 'file';
  /** Of a variable; or the absolute path of a file. */
  readonly name: string;
  /** Whether the variable has a value; absent for a file. */
  readonly set?: boolean;
  /** Origins; `https://*.example.com` for all below a domain, `*` for any, `embedded:` for the reference service. */
  readonly to: readonly string[];
}

/** A scorer of the suite. */
export type PlanScorer = Scorer & {
  /** Equal outputs of a prompt are scored once. */
  readonly mostOutputs: number;
};

/** What gives values to the outputs of a plan; nothing of it is sent. */
export function scorersOf({ suite, plan }: Pick<PreparedSuite, 'suite' | 'plan'>): readonly PlanScorer[] {
  const mostOutputs = plan.slices.flatMap(({ trials }) => trials).filter(isMeasured).length;
  return suite.scorers.map((scorer) => ({ ...scorer, mostOutputs }));
}

const BUILT_IN = `${dirname(PRESETS)}${sep}`;

type Sent = Pick<PlanSource, 'name' | 'to'>;

/** A suite, with the stored baseline whose variants are sent again. */
export type SentSuite = Pick<PreparedSuite, 'suite' | 'variants' | 'against'>;

/** Keys, then variables, then files, each sorted by name; without files of Retake and the reference service's key. */
export function sourcesOf(sent: SentSuite, { env, cwd }: Pick<Edge, 'env' | 'cwd'>): readonly PlanSource[] {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== '';
  return [
    ...keysOf(sent).map(({ name, to }) => ({ kind: 'key', name, set: isSet(name), to }) as const),
    ...variablesOf(sent).map(({ name, to }) => ({ kind: 'variable', name, set: isSet(name), to }) as const),
    ...filesOf(sent, cwd).map(({ name, to }) => ({ kind: 'file', name, to }) as const),
  ];
}

function keysOf({ variants }: SentSuite): readonly Sent[] {
  return merged(
    variants
      .filter(({ baseUrl }) => baseUrl !== EMBEDDED)
      .flatMap((variant) => {
        const to = variant.origins.auth.map((pattern) => originOf(pattern, variant));
        return variant.target.secrets.map((name) => ({ name, to }));
      }),
  );
}

/** Any text may contain a variable, also that of a poll or download; only what scorers declare is never sent. */
function variablesOf({ suite, variants, against }: SentSuite): readonly Sent[] {
  const text = JSON.stringify(withoutScorers(suite.declared));
  const ofSuite = Object.keys(suite.environment).filter((name) => text.includes(`env.${name}`));
  return merged(
    variants.flatMap((variant) => {
      const stored = variant.twinOf === undefined ? {} : against?.run.environment;
      const names = new Set([...ofSuite, ...Object.keys({ ...variant.target.environment, ...stored })]);
      return [...names].map((name) => ({ name, to: originsOf(variant) }));
    }),
  );
}

function withoutScorers(declared: Json): Json {
  if (!isObject(declared)) return declared;
  const { scorers: _scorers, ...sent } = declared;
  return sent;
}

/** Where a variant's requests may go: its base URL, and the origins for its credential and media. */
export function originsOf(variant: Variant): readonly string[] {
  const { auth, download } = variant.origins;
  return [baseOf(variant), ...[...auth, ...download].map((pattern) => originOf(pattern, variant))];
}

function filesOf({ suite, variants }: SentSuite, cwd: string): readonly Sent[] {
  const files = variants.flatMap((variant) => {
    const { file, storedBodyFile } = variant.target;
    const of = variant.twinOf === undefined ? [file, storedBodyFile ?? file].map((path) => resolve(cwd, path)) : [];
    const own = [...suite.files, ...of].filter((path) => !path.startsWith(BUILT_IN));
    return own.map((name) => ({ name, to: [baseOf(variant)] }));
  });
  return merged(files);
}

function merged(taken: readonly Sent[]): readonly Sent[] {
  const origins = new Map<string, Set<string>>();
  for (const { name, to } of taken) {
    const known = origins.get(name) ?? new Set();
    for (const origin of to) known.add(origin);
    origins.set(name, known);
  }
  return [...origins].map(([name, to]) => ({ name, to: [...to] })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function baseOf({ baseUrl }: Variant): string {
  return baseUrl === EMBEDDED ? baseUrl : new URL(baseUrl).origin;
}

function originOf(pattern: OriginPattern, variant: Variant): string {
  return pattern.match === 'base' ? baseOf(variant) : originText(pattern);
}

export function originText(pattern: Exclude<OriginPattern, { match: 'base' }>): string {
  switch (pattern.match) {
    case 'origin':
      return pattern.origin;
    case 'below':
      return `${pattern.protocol}//*.${pattern.domain}`;
    case 'any':
      return '*';
  }
}

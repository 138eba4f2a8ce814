import { dirname, resolve, sep } from 'node:path';
import { isObject, type Json } from '../kit/json.ts';
import { caseSeedOf, isMeasured } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import { comparedWith } from '../record/compared-variants.ts';
import { PRESETS } from '../run/declared-files.ts';
import type { PreparedJudge } from '../run/prepare-judges.ts';
import { type JudgeUse, plannedUse } from '../run/prepare-judges.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { DeclaredScorer, JudgeScorer } from '../suite/scorer.ts';
import type { Suite } from '../suite/suite.ts';
import { EMBEDDED, type OriginPattern } from '../targets/origins.ts';
import type { Endpoint } from '../targets/target.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** Something that a suite takes from the machine, and the origins that may get it. */
export interface PlanSource {
  readonly kind: 'key' | 'variable' | 'file';
  /** Name of the key or variable, or absolute path of the file. */
  readonly name: string;
  /** Whether the variable has a value; absent for a file. */
  readonly set?: boolean;
  /** Origins; `https://*.example.com` for all below a domain, `*` for any, `embedded:` for the reference service. */
  readonly to: readonly string[];
}

export type PlanScorer =
  | (Exclude<DeclaredScorer, { readonly use: 'judge' }> & {
      /** Equal outputs of a prompt are scored once. */
      readonly mostOutputs: number;
    })
  | (JudgeScorer &
      JudgeUse & {
        /** Two outputs each; identical ones are not sent. */
        readonly mostPairs: number;
        /** Origins that get prompts and outputs. */
        readonly to: readonly string[];
      });

type ScoredPlan = Pick<PreparedSuite, 'suite' | 'variants' | 'judges' | 'plan'>;

export function scorersOf({ suite, variants, judges, plan }: ScoredPlan): readonly PlanScorer[] {
  const measured = plan.slices.flatMap(({ trials }) => trials).filter(isMeasured);
  const pairs = judges.length === 0 ? { pairs: 0, kinds: 0 } : plannedPairs(variants, measured);
  return suite.scorers.map((scorer): PlanScorer => {
    if (scorer.use !== 'judge') return { ...scorer, mostOutputs: measured.length };
    const judge = judges.find(({ name }) => name === scorer.name);
    const use = plannedUse(scorer, judge?.endpoint.price?.usd ?? null, pairs);
    const to = judge === undefined ? [] : [...new Set(originsOf(judge.endpoint))];
    return { ...scorer, ...use, mostPairs: pairs.pairs, to };
  });
}

/** Cell pairs of all compared variants, and the number of kinds with some. */
function plannedPairs(
  variants: PreparedSuite['variants'],
  measured: readonly Trial[],
): { readonly pairs: number; readonly kinds: number } {
  const cells = new Map<string, Set<string>>();
  for (const trial of measured) {
    cells.set(trial.variant, (cells.get(trial.variant) ?? new Set()).add(caseSeedOf(trial)));
  }
  const compared = variants.flatMap((variant) =>
    comparedWith(variant, variants).map(({ name }) => {
      const others = cells.get(name);
      return {
        kind: variant.kind,
        pairs: [...(cells.get(variant.name) ?? [])].filter((cell) => others?.has(cell)).length,
      };
    }),
  );
  const kinds = new Set(compared.filter(({ pairs }) => pairs > 0).map(({ kind }) => kind));
  return { pairs: compared.reduce((sum, { pairs }) => sum + pairs, 0), kinds: kinds.size };
}

const BUILT_IN = `${dirname(PRESETS)}${sep}`;

type Sent = Pick<PlanSource, 'name' | 'to'>;

export type SentSuite = Pick<PreparedSuite, 'variants' | 'against' | 'judges'> & {
  readonly suite: Pick<Suite, 'declared' | 'environment' | 'files'>;
};

/** Keys, then variables, then files, each sorted by name; without files of Retake and the reference service's key. */
export function sourcesOf(sent: SentSuite, { env, cwd }: Pick<WorkflowEdge, 'env' | 'cwd'>): readonly PlanSource[] {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== '';
  return [
    ...keysOf(sent).map(({ name, to }) => ({ kind: 'key', name, set: isSet(name), to }) as const),
    ...variablesOf(sent).map(({ name, to }) => ({ kind: 'variable', name, set: isSet(name), to }) as const),
    ...filesOf(sent, cwd).map(({ name, to }) => ({ kind: 'file', name, to }) as const),
  ];
}

function keysOf({ variants, judges }: Pick<SentSuite, 'variants' | 'judges'>): readonly Sent[] {
  return merged(
    [...variants, ...judges.map(({ endpoint }) => endpoint)]
      .filter(({ baseUrl }) => baseUrl !== EMBEDDED)
      .flatMap((variant) => {
        const to = variant.origins.auth.map((pattern) => originOf(pattern, variant));
        return variant.target.secrets.map((name) => ({ name, to }));
      }),
  );
}

/** Any text may contain a variable, also of a poll or download. Of the scorers, only judges send their variables. */
function variablesOf({ suite, variants, against, judges }: SentSuite): readonly Sent[] {
  const text = JSON.stringify(withoutScorers(suite.declared));
  const ofSuite = Object.keys(suite.environment).filter((name) => text.includes(`env.${name}`));
  const ofVariants = variants.flatMap((variant) => {
    const stored = variant.twinOf === undefined ? {} : against?.run.environment;
    const names = new Set([...ofSuite, ...Object.keys({ ...variant.target.environment, ...stored })]);
    return [...names].map((name) => ({ name, to: originsOf(variant) }));
  });
  return merged([...ofVariants, ...judges.flatMap(variablesOfJudge)]);
}

function variablesOfJudge({ scorer, endpoint }: PreparedJudge): readonly Sent[] {
  const inScorer = [...JSON.stringify(scorer).matchAll(/\$\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const names = new Set([...inScorer, ...Object.keys(endpoint.target.environment)]);
  return [...names].map((name) => ({ name, to: originsOf(endpoint) }));
}

function withoutScorers(declared: Json): Json {
  if (!isObject(declared)) return declared;
  const { scorers: _scorers, ...sent } = declared;
  return sent;
}

/** Where requests of an endpoint may go: its base URL, and the origins for its credential and media. */
export function originsOf(endpoint: Endpoint): readonly string[] {
  const { auth, download } = endpoint.origins;
  return [baseOf(endpoint), ...[...auth, ...download].map((pattern) => originOf(pattern, endpoint))];
}

function filesOf({ suite, variants, judges }: SentSuite, cwd: string): readonly Sent[] {
  const targetOf = ({ target: { file, storedBodyFile } }: Endpoint) =>
    [file, storedBodyFile ?? file].map((path) => resolve(cwd, path));
  const sent = [
    ...variants.map((variant) => ({
      endpoint: variant,
      files: [...suite.files, ...(variant.twinOf === undefined ? targetOf(variant) : [])],
    })),
    ...judges.map(({ endpoint }) => ({ endpoint, files: targetOf(endpoint) })),
  ];
  return merged(
    sent.flatMap(({ endpoint, files }) =>
      files.filter((path) => !path.startsWith(BUILT_IN)).map((name) => ({ name, to: [baseOf(endpoint)] })),
    ),
  );
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

function baseOf({ baseUrl }: Endpoint): string {
  return baseUrl === EMBEDDED ? baseUrl : new URL(baseUrl).origin;
}

function originOf(pattern: OriginPattern, endpoint: Endpoint): string {
  return pattern.match === 'base' ? baseOf(endpoint) : originText(pattern);
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

import { type Diagnostic, Refused, refusal } from '../kit/diagnostic.ts';
import { visibleLine } from '../kit/visible.ts';
import { listed } from '../kit/wording.ts';
import { shownPath } from '../suite/named-file.ts';
import { EMBEDDED, parseOriginPattern } from '../targets/origins.ts';
import { originsOf, originText, type SentSuite, sourcesOf } from './sources.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/*
 * A run sends what the user named: a suite, values of `--set`, the environment. A stored baseline may come from somebody
 * else: what its variants add is only sent to origins that the user allows.
 */

/** What the variants of a stored baseline add to what is sent to an origin. */
export interface Addition {
  readonly origin: string;
  /** Such as `requests`, `OPENAI_API_KEY (key)`. */
  readonly what: readonly string[];
  /** The option that a run needs to send it; null: it was given. */
  readonly needs: string | null;
}

type AddingEdge = Pick<WorkflowEdge, 'env' | 'cwd'>;

/** @param allowed values of `--allow-origin` */
export function storedAdditions(sent: SentSuite, allowed: readonly string[], edge: AddingEdge): readonly Addition[] {
  const origins = readOrigins(allowed);
  const own = sendings(sent, false, edge);
  return [...sendings(sent, true, edge)].flatMap(([origin, what]) => {
    const added = [...what].filter((item) => own.get(origin)?.has(item) !== true);
    const flag = `--allow-origin ${/^[\w./:-]+$/.test(origin) ? origin : `'${origin}'`}`;
    return added.length === 0 ? [] : [{ origin, what: added, needs: origins.has(origin) ? null : flag }];
  });
}

/** Refuses additions that were not allowed; says the others. */
export function confirmAdditions(
  sent: SentSuite,
  allowed: readonly string[],
  edge: AddingEdge & Pick<WorkflowEdge, 'say'>,
): void {
  const additions = storedAdditions(sent, allowed, edge);
  const refused = additions.flatMap(({ needs, ...addition }): readonly Diagnostic[] => {
    if (needs === null) return [];
    const remedy = `if you trust this origin, add ${needs}`;
    return [{ place: null, cause: additionWords({ ...addition, needs: null }), remedy }];
  });
  if (refused.length > 0) throw new Refused(refused);
  for (const addition of additions) edge.say(additionWords(addition));
}

export function additionWords({ origin, what, needs }: Addition): string {
  const to = origin === '*' ? 'any origin' : origin;
  const adds = `the stored baseline adds ${listed(what)} to what is sent to ${to}`;
  return visibleLine(needs === null ? adds : `${adds}; a run needs ${needs}`);
}

/** What the suite's own variants send, or those of its stored baseline, by origin: without the reference service. */
function sendings(sent: SentSuite, ofStored: boolean, edge: AddingEdge): ReadonlyMap<string, ReadonlySet<string>> {
  const variants = sent.variants.filter(({ twinOf }) => (twinOf !== undefined) === ofStored);
  const byOrigin = new Map<string, Set<string>>();
  for (const { what, to } of [
    ...variants.map((variant) => ({ what: 'requests', to: originsOf(variant) })),
    ...sourcesOf({ ...sent, variants, judges: [] }, edge).map(({ kind, name, to }) => {
      return { what: `${kind === 'file' ? shownPath(name, edge.cwd) : name} (${kind})`, to };
    }),
  ]) {
    for (const origin of to) {
      if (origin !== EMBEDDED) byOrigin.set(origin, (byOrigin.get(origin) ?? new Set()).add(what));
    }
  }
  return byOrigin;
}

function readOrigins(allowed: readonly string[]): ReadonlySet<string> {
  const origins = new Set<string>();
  for (const text of allowed) {
    const pattern = parseOriginPattern(text);
    if (pattern === null || pattern.match === 'base') {
      throw refusal(`--allow-origin "${text}" is not a valid origin`, 'write https://host, https://*.host or "*"');
    }
    origins.add(originText(pattern));
  }
  return origins;
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import pLimit from 'p-limit';
import { levelOf } from '../../media/level.ts';
import type { PairDifference } from '../../page/pair-difference.ts';
import type { OutputFact, PairFact } from '../../record/fact.ts';
import { DIFFERENCE_ADDRESS, placeOfKey } from '../addresses.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import type { Makers } from '../reports.ts';
import type { Compared, ComparedOutputs, CompareRuns } from '../results/compared-runs.ts';
import type { Library } from '../results/library.ts';
import { refuseAbsent } from './absent.ts';
import { refuse } from './guards.ts';

const MOST_KEPT = 500;
/** Only one comparison is made at a time. */
const MOST_WAITING = 8;

interface DifferenceQuery {
  readonly Querystring: { readonly a?: unknown; readonly b?: unknown; readonly pair?: unknown };
}

export interface DifferenceMakers extends Pick<Makers, 'difference'> {
  readonly compared: CompareRuns;
}

/**
 * Adds how two outputs of two runs differ: found once somebody looks at them, in a process of its own, one pair at a
 * time.
 */
export function addDifference(
  app: FastifyInstance,
  library: Library,
  { compared, difference }: DifferenceMakers,
): void {
  const kept = new BoundedMap<string, PairFact>(MOST_KEPT);
  const one = pLimit(1);
  app.get<DifferenceQuery>(DIFFERENCE_ADDRESS, { exposeHeadRoute: false }, async ({ query }, reply) => {
    const [a, b] = [placeOfKey(query.a), placeOfKey(query.b)];
    if (a === null || b === null || !(await library.has(a)) || !(await library.has(b))) return refuseAbsent(reply);
    const made = await compared(a, b);
    const pair = made.ok ? made.value.pairs[numberOf(query.pair)] : undefined;
    if (!made.ok || pair === undefined) return refuseAbsent(reply);
    const known = knownDifference(pair, made.value);
    if (known !== null) return reply.send(known);
    const facts = [made.value.facts.get(pair.earlier.sha256), made.value.facts.get(pair.later.sha256)] as const;
    const key = `${pair.earlier.sha256} ${pair.later.sha256}`;
    const found = kept.get(key);
    if (found !== undefined) return reply.send(answerOf(found, pair, made.value));
    if (one.pendingCount >= MOST_WAITING) {
      const causes = ['Other outputs are compared now. Try again later.'];
      return refuse(reply.header('retry-after', '5'), 503, { title: 'Too many comparisons', causes });
    }
    const gone = goneSignal(reply);
    const folders = [library.folder(a), library.folder(b)];
    const fact = await one(() => (areDecoded(facts) && !gone.aborted ? difference(folders, facts, gone) : null));
    if (fact === null) return reply.send({ state: 'not_decoded' } satisfies PairDifference);
    // What kept two outputs from being compared may pass.
    if (fact.compared) kept.set(key, fact);
    return reply.send(answerOf(fact, pair, made.value));
  });
}

/** Null if the media must be compared. */
function knownDifference({ earlier, later }: ComparedOutputs, { facts }: Compared): PairDifference | null {
  if (earlier.sha256 === later.sha256) return { state: 'compared', level: 'byte', difference: null };
  const [one, other] = [facts.get(earlier.sha256), facts.get(later.sha256)];
  if (one?.decodes !== true || other?.decodes !== true) return { state: 'not_decoded' };
  const isSame = one.shown.pixelSha256 === other.shown.pixelSha256;
  return isSame ? { state: 'compared', level: 'pixel', difference: null } : null;
}

function answerOf(fact: PairFact, { variant }: ComparedOutputs, { levels }: Compared): PairDifference {
  if (!fact.compared) return { state: 'uncompared', reason: fact.reason };
  return { state: 'compared', level: levelOf(fact.difference, levels.get(variant)), difference: fact.difference };
}

function areDecoded(
  facts: readonly [OutputFact | undefined, OutputFact | undefined],
): facts is readonly [OutputFact, OutputFact] {
  return facts.every((fact) => fact !== undefined);
}

/** Aborted once the reader has gone. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

function numberOf(asked: unknown): number {
  return typeof asked === 'string' && /^\d{1,9}$/.test(asked) ? Number(asked) : -1;
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import pLimit from 'p-limit';
import type { TwoRuns } from '../../analysis/two-runs.ts';
import { accepted, type Checked, checked } from '../../kit/diagnostic.ts';
import { extensionOf } from '../../media/header.ts';
import {
  type ComparedOutputs,
  comparedOutputs,
  differenceSentence,
  foundDifference,
} from '../../page/compared-outputs.ts';
import { type PairMedia, SERVED_TWO_RUNS_POLICY, twoRunsPage } from '../../page/two-runs-page.ts';
import type { OutputFact, PairFact } from '../../record/fact.ts';
import { createdAt } from '../../record/find-run.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { hasMedia, mediaName, readHeatMap } from '../../record/output-files.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import {
  COMPARE_ADDRESS,
  DIFFERENCE_ADDRESS,
  fileAddress,
  keyOf,
  placeOfKey,
  type RunPlace,
  reportAddress,
} from '../addresses.ts';
import { BoundedMap } from '../bounded-map.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { suiteLinks } from '../pages/parts/page.ts';
import { type Makers, withLinks } from '../reports.ts';
import { type Library, recordFiles } from '../results/library.ts';
import { refuse, refuseAbsent, sendPage } from './guards.ts';

/** Kept, so that a difference needs no analysis. */
interface Compared {
  readonly comparison: TwoRuns;
  readonly earlier: StoredRun;
  readonly later: StoredRun;
  readonly pairs: readonly ComparedOutputs[];
}

export type CompareRuns = (a: RunPlace, b: RunPlace) => Promise<Checked<Compared>>;

const MOST_KEPT = 4;

export function comparedRuns({ folder }: Pick<Library, 'folder'>, compare: Makers['compare']): CompareRuns {
  const kept = cachedByStamp(
    MOST_KEPT,
    (key) => key.split('\n').flatMap(recordFiles),
    async (key): Promise<Compared> => {
      const [a = '', b = ''] = key.split('\n');
      const { found: comparison, earlier, later } = accepted(await compare(a, b));
      return { comparison, earlier, later, pairs: comparedOutputs(earlier, later) };
    },
  );
  return (a, b) => checked(() => kept(`${folder(a)}\n${folder(b)}`));
}

interface Query {
  /** `run` is there for each run that was chosen in the list. */
  readonly Querystring: { readonly run?: unknown; readonly pair?: unknown };
}

/** The run that began first is the earlier one. Null if they are not two. */
function runsOf({ run }: Query['Querystring'], library: Pick<Library, 'folder'>): readonly [RunPlace, RunPlace] | null {
  const [one = null, other = null, ...more] = [run].flat().map(placeOfKey);
  if (one === null || other === null || more.length > 0 || keyOf(one) === keyOf(other)) return null;
  const [began, ended] = [one, other].map((place) => createdAt(library.folder(place)));
  return ended !== '' && (began ?? '') > (ended ?? '') ? [other, one] : [one, other];
}

export function addCompare(app: FastifyInstance, library: Library, compared: CompareRuns): void {
  app.get<Query>(COMPARE_ADDRESS, async ({ query }, reply) => {
    const runs = runsOf(query, library);
    if (runs === null) return refuse(reply, 409, { title: 'Not two runs', causes: ['Choose two runs in the list.'] });
    for (const place of runs) if (!(await library.has(place))) return refuseAbsent(reply);
    const [earlier, later] = runs;
    const made = await compared(earlier, later);
    if (!made.ok) {
      const causes = library.reasons(made.diagnostics);
      return refuse(reply, 409, { title: `${later.run} and ${earlier.run} cannot be compared`, causes });
    }
    const places = { earlier, later };
    const found = twoRunsPage({
      ...made.value,
      mediaOf: (output, side, isLarge) => mediaIn(library, places[side], output, isLarge),
      heatMap: (one, other) => readHeatMap([earlier, later].map(library.folder), one, other),
      reportOf: (side) => reportAddress(places[side]),
      isServed: true,
    });
    const text = withLinks([...found].join(''), suiteLinks(later.suite).slice(0, 2));
    return sendPage(reply, { text, policy: SERVED_TWO_RUNS_POLICY });
  });
}

/** Addresses of what is there. */
function mediaIn(
  { folder }: Pick<Library, 'folder'>,
  place: RunPlace,
  { sha256, mime }: ComparedOutputs['outputs'][number],
  isLarge: boolean,
): PairMedia {
  const addressOf = (path: string) => (hasMedia(folder(place), path) ? fileAddress(place, path) : null);
  const extension = extensionOf(mime);
  const original = extension === null ? null : addressOf(mediaName(sha256, extension));
  const small = (isLarge ? addressOf(`thumbs/${sha256}.1024.webp`) : null) ?? addressOf(`thumbs/${sha256}.webp`);
  const isVideo = mime?.startsWith('video/') === true;
  return { image: small ?? (isVideo ? null : original), video: isVideo ? original : null, original };
}

const MOST_DIFFERENCES = 500;
/** Only one comparison is made at a time. */
const MOST_WAITING = 8;

/** Compares two outputs once somebody looks at them, in a process of its own, one pair at a time. Answers a sentence. */
export function addDifference(
  app: FastifyInstance,
  library: Library,
  { compared, difference }: Pick<Makers, 'difference'> & { readonly compared: CompareRuns },
): void {
  const kept = new BoundedMap<string, PairFact>(MOST_DIFFERENCES);
  const one = pLimit(1);
  app.get<Query>(DIFFERENCE_ADDRESS, { exposeHeadRoute: false }, async ({ query }, reply) => {
    const runs = runsOf(query, library);
    if (runs === null || !(await library.has(runs[0])) || !(await library.has(runs[1]))) return refuseAbsent(reply);
    const made = await compared(...runs);
    const pair = made.ok ? made.value.pairs[numberOf(query.pair)] : undefined;
    if (!made.ok || pair === undefined) return refuseAbsent(reply);
    reply.type('text/plain; charset=utf-8');
    if (pair.difference !== null) return reply.send(differenceSentence(pair.difference));
    const key = pair.outputs.map(({ sha256 }) => sha256).join(' ');
    const known = kept.get(key);
    if (known === undefined && one.pendingCount >= MOST_WAITING) {
      const causes = ['Other outputs are compared now. Try again later.'];
      return refuse(reply.header('retry-after', '5'), 503, { title: 'Too many comparisons', causes });
    }
    const gone = goneSignal(reply);
    const folders = runs.map(library.folder);
    const fact =
      known ?? (await one(() => (gone.aborted ? null : difference(folders, factsOf(pair, made.value), gone))));
    // Failures of a comparison are not kept: they may pass.
    if (fact?.compared) kept.set(key, fact);
    return reply.send(differenceSentence(foundDifference(fact, pair.limits)));
  });
}

function factsOf({ outputs }: ComparedOutputs, { earlier, later }: Compared): readonly (OutputFact | undefined)[] {
  const facts = factsByDigest([...earlier.facts, ...later.facts]);
  return outputs.map(({ sha256 }) => facts.get(sha256));
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

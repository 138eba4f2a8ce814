import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { compareCodeUnits } from '../../kit/grouping.ts';
import { GATE_VERDICTS, isRunName } from '../../record/codes.ts';
import {
  ALL_RUNS,
  historyAddress,
  type RunOrder,
  type RunPlace,
  reportAddress,
  SORT_KEYS,
  type SortKey,
  suiteAddress,
} from '../addresses.ts';
import { type IndexSource, indexPage, type ListingQuery, listingOf, suitePage } from '../pages/lists/list-pages.ts';
import type { ListedRun } from '../pages/lists/runs-table.ts';
import { type ListedSuite, lastDecided } from '../pages/lists/suite-row.ts';
import type { Part } from '../pages/parts/page.ts';
import { suiteLinks } from '../pages/parts/run-words.ts';
import { type Makers, TREND_POLICY, withLinks } from '../reports.ts';
import type { Library } from '../results/library.ts';
import { placeFrom, refuse, refuseAbsentPlace, sendIfChanged } from './guards.ts';

/** Suites with images and trend, and suites in a line each. */
const MOST_SUITES = 12;
const MOST_OTHERS = 100;
/** Runs of a lone suite, and of one of many. */
const LATEST_RUNS = 8;
const FEW_RUNS = 3;
const RUNS_OF_PART = 50;
const MOST_CHOICES = 200;
const MOST_FOUND = 50;

interface Asked {
  readonly Querystring: { readonly from?: unknown } & ListingQuery;
}

export function addLists(app: FastifyInstance, library: Library, { history }: Pick<Makers, 'history'>): void {
  app.get<Asked>('/', async ({ query }, reply) =>
    sendIfChanged(reply, indexPage(await indexSource(query.find, library))),
  );

  app.get<{ Params: { suite: string } } & Asked>('/suites/:suite/', async ({ params: { suite }, query }, reply) => {
    if (!(await library.has({ suite }))) return refuseAbsentPlace(reply, library, { suite });
    const all = library.runs(suite);
    const listing = listingOf(query);
    const { find, gate } = listing;
    const chosen = all.filter((place) => {
      const line = library.line(place);
      const isFound = isNamed(place.run, find) || isNamed(line?.label ?? '', find);
      return isFound && (gate === null || line?.verdict === gate);
    });
    const sortKeys = sortKeysOf(all);
    const from = placeFrom(query.from, chosen.length);
    const part = { from, size: RUNS_OF_PART, of: chosen.length };
    const order = sortKeys.includes(listing.order.by) ? listing.order : ALL_RUNS.order;
    const runs = await sortedPart(chosen, order, part, library);
    const choices = await library.choices(all.slice(0, MOST_CHOICES));
    const trends = library.trends(suite);
    const source = { suite, trends, listing, sortKeys, runs, part, of: all.length, choices, nowMs: Date.now() };
    return sendIfChanged(reply, suitePage(source));
  });

  app.get<{ Params: { suite: string } }>('/suites/:suite', async ({ params: { suite } }, reply) =>
    reply.redirect(suiteAddress(suite), 301),
  );

  app.get<{ Params: { suite: string } }>('/suites/:suite/history.html', async ({ params: { suite } }, reply) => {
    if (!(await library.has({ suite }))) return refuseAbsentPlace(reply, library, { suite });
    const reportOf = (run: string): string | null =>
      isRunName(run) && existsSync(join(library.folder({ suite, run }), 'run.json'))
        ? reportAddress({ suite, run })
        : null;
    const made = await history(library.suiteFolder(suite), reportOf);
    if (!made.ok) {
      const causes = library.reasons(made.diagnostics);
      return refuse(reply, 409, { title: `No trend of ${suite}`, causes, links: suiteLinks(suite) });
    }
    reply.type('text/html; charset=utf-8').header('content-security-policy', TREND_POLICY);
    return reply.send(Readable.from(withLinks(made.value, suiteLinks(suite), historyAddress(suite))));
  });
}

async function indexSource(asked: unknown, library: Library): Promise<IndexSource> {
  const { find } = listingOf({ find: asked });
  const names = library.suites();
  const runsOf = new Map(names.map((suite) => [suite, library.runs(suite)]));
  const shown = names.filter((suite) => find === '' || isNamed(suite, find));
  const most = shown.length === 1 ? LATEST_RUNS : FEW_RUNS;
  const suites: ListedSuite[] = [];
  for (const suite of shown) suites.push(await listedSuite(suite, runsOf.get(suite) ?? [], most, library));
  suites.sort((a, b) => urgency(a) - urgency(b) || compareCodeUnits(beganAt(b), beganAt(a)));
  const matching = find === '' ? [] : [...runsOf.values()].flat().filter(({ run }) => isNamed(run, find));
  return {
    folder: basename(library.root),
    isThere: existsSync(library.root),
    of: names.length,
    find,
    suites: suites.slice(0, MOST_SUITES),
    others: suites.slice(MOST_SUITES, MOST_SUITES + MOST_OTHERS).flatMap(({ latest }) => latest.slice(0, 1)),
    more: Math.max(0, suites.length - MOST_SUITES - MOST_OTHERS),
    running: suites.flatMap(({ latest }) => latest.filter(isRunning)),
    matchingRuns: await Promise.all(matching.slice(0, MOST_FOUND).map(library.listed)),
    nowMs: Date.now(),
  };
}

async function listedSuite(
  suite: string,
  runs: readonly RunPlace[],
  most: number,
  library: Library,
): Promise<ListedSuite> {
  const latest = await Promise.all(runs.slice(0, most).map(library.listed));
  const decided = lastDecided(latest);
  const shown = decided === null ? null : library.shown(decided);
  return { suite, runs: runs.length, trends: library.trends(suite), latest, shown };
}

/** Suites come first if their latest run failed, then if it is inconclusive, unfit or broken. */
function urgency({ latest: [newest] }: ListedSuite): number {
  const verdict = newest?.line?.verdict ?? null;
  if (verdict === 'fail') return 0;
  const isBroken = newest !== undefined && !newest.isInUse && newest.outline?.measuring.state !== 'ended';
  return verdict === 'inconclusive' || verdict === 'pass_unfit' || isBroken ? 1 : 2;
}

function isNamed(name: string, find: string): boolean {
  return name.toLowerCase().includes(find.trim().toLowerCase());
}

/** Empty if unknown, so that it comes last. */
function beganAt({ latest }: ListedSuite): string {
  return latest.reduce(
    (last, { outline }) => (outline !== null && outline.createdAt > last ? outline.createdAt : last),
    '',
  );
}

function isRunning({ isInUse, outline }: ListedRun): boolean {
  return isInUse && outline?.measuring.state !== 'ended';
}

/** Runs that can be sorted by values of journals, all of which must be read. */
const MOST_READ = 500;

const OF_JOURNAL: ReadonlySet<SortKey> = new Set(['took', 'requests', 'spend']);

export function sortKeysOf(runs: readonly RunPlace[]): readonly SortKey[] {
  return runs.length <= MOST_READ ? SORT_KEYS : SORT_KEYS.filter((key) => !OF_JOURNAL.has(key));
}

/** Unknown values come last in both directions; equal runs keep their order. @param runs the latest first */
export async function sortedPart(
  runs: readonly RunPlace[],
  { by, isDescending }: RunOrder,
  { from, size }: Part,
  library: Pick<Library, 'listed' | 'line'>,
): Promise<readonly ListedRun[]> {
  const listedPart = (sorted: readonly RunPlace[]) => Promise.all(sorted.slice(from, from + size).map(library.listed));
  if (by === 'began') return await listedPart(isDescending ? runs : runs.toReversed());
  if (by === 'run') return await listedPart(sortBy(runs, ({ run }) => run, isDescending));
  if (by === 'gate') return await listedPart(sortBy(runs, (place) => gateRank(place, library), isDescending));
  const listed = await Promise.all(runs.map(library.listed));
  return sortBy(listed, VALUES[by], isDescending).slice(from, from + size);
}

const VALUES: Readonly<Record<'took' | 'requests' | 'spend', (run: ListedRun) => number | null>> = {
  took: ({ outline }) => (outline === null || outline.durationMs === 0 ? null : outline.durationMs),
  requests: ({ outline }) => outline?.requests ?? null,
  spend: ({ outline }) => outline?.spend?.usd ?? null,
};

function gateRank(place: RunPlace, library: Pick<Library, 'line'>): number | null {
  const verdict = library.line(place)?.verdict;
  return verdict === undefined ? null : GATE_VERDICTS.indexOf(verdict);
}

function sortBy<T>(
  items: readonly T[],
  read: (item: T) => number | string | null,
  isDescending: boolean,
): readonly T[] {
  const sign = isDescending ? -1 : 1;
  return items
    .map((item) => ({ item, value: read(item) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a === b ? 0 : a < b ? -sign : sign;
    })
    .map(({ item }) => item);
}

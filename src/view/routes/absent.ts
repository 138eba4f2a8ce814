import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { visibleLine } from '../../kit/visible.ts';
import {
  fileAddress,
  INDEX_ADDRESS,
  indexAddress,
  type RunPlace,
  runAddress,
  suiteAddress,
} from '../pages/parts/addresses.ts';
import type { NavigationLink } from '../pages/parts/page.ts';
import { suiteLinks } from '../pages/parts/run-words.ts';
import type { Library } from '../results/library.ts';
import { refuse } from './guards.ts';

/** Stands in a short address for the latest run of a suite that has no run of this name. */
const LATEST = 'latest';

/** Characters of a name that somebody typed. */
const MOST_TYPED = 100;

/**
 * Adds what answers every address that no page has: the page that is meant by a short one, such as `/SUITE/RUN`, else
 * what to do.
 */
export function addAbsent(app: FastifyInstance, library: Library): void {
  app.setNotFoundHandler(async ({ url }, reply) => {
    const names = namesIn(url);
    if (names === null) return refuseAbsent(reply);
    const meant = await meantBy(names, library);
    if (meant !== null) return reply.redirect(meant, 302);
    const [suite = '', run] = withoutPrefix(names, library);
    return refuseAbsentPlace(reply, library, run === undefined ? { suite } : { suite, run });
  });
}

/** Does not say whether nothing is there or it is not handed out. */
export function refuseAbsent(reply: FastifyReply): FastifyReply {
  const causes = ['There is no such page.'];
  return refuse(reply, 404, { title: 'Not found', causes });
}

/** Says whether the suite, the run, or something of the run is missing, and leads to the nearest page that is there. */
export async function refuseAbsentPlace(
  reply: FastifyReply,
  library: Library,
  { suite, run }: { readonly suite: string; readonly run?: string },
): Promise<FastifyReply> {
  if (run !== undefined && (await library.has({ suite, run }))) {
    const causes = [`Run ${run} has no such page and no such file. The file may have been deleted.`];
    const actions = [{ href: runAddress({ suite, run }), title: `Files and media of ${run}` }];
    return refuse(reply, 404, { title: 'Not found', causes, links: suiteLinks(suite), actions });
  }
  if (await library.has({ suite })) {
    const cause = run === undefined ? `${suite} has no such page.` : `${suite} has no run ${typed(run)}.`;
    const [latest] = library.runs(suite);
    const actions = latest === undefined ? [] : [{ href: runAddress(latest), title: `Latest run: ${latest.run}` }];
    const causes = [`${cause} It may have been deleted or renamed.`];
    return refuse(reply, 404, { title: 'Not found', causes, links: suiteLinks(suite), actions });
  }
  const sought = typed(suite);
  const causes = [
    `There is no suite and no run ${sought} in ${basename(library.root)}. It may have been deleted or renamed.`,
    'A suite has the address /SUITE, a run /SUITE/RUN, and the latest run of a suite /SUITE/latest.',
  ];
  const actions: readonly NavigationLink[] = [
    { href: indexAddress(suite.slice(0, MOST_TYPED)), title: `Find ${sought}` },
  ];
  return refuse(reply, 404, { title: 'Not found', causes, actions });
}

function typed(name: string): string {
  const text = visibleLine(name);
  return `“${text.length > MOST_TYPED ? `${text.slice(0, MOST_TYPED)}…` : text}”`;
}

/** Null where it is not well-formed, or steps up. */
function namesIn(url: string): readonly string[] | null {
  const [path = ''] = url.split('?');
  try {
    const names = path
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent);
    return names.length === 0 || names.some((name) => /^\.|[/\\\0]/.test(name)) ? null : names;
  } catch {
    return null;
  }
}

/** Without the name of the folder of all results, and without what the address of every suite or run begins with. */
function withoutPrefix(names: readonly string[], library: Library): readonly string[] {
  const [first = '', ...others] = names;
  return ['runs', 'suites', basename(library.root)].includes(first) ? others : names;
}

/** Null where it stands for no address. */
async function meantBy(names: readonly string[], library: Library): Promise<string | null> {
  const short = withoutPrefix(names, library);
  return (await pageOf(names, library)) ?? (short.length < names.length ? await pageOf(short, library) : null);
}

async function pageOf([suite, run, ...path]: readonly string[], library: Library): Promise<string | null> {
  if (suite === undefined) return INDEX_ADDRESS;
  if (run === undefined) {
    if (await library.has({ suite })) return suiteAddress(suite);
    const [only, ...more] = await placesOf(suite, library);
    return only === undefined || more.length > 0 ? null : runAddress(only);
  }
  const place = await placeOf({ suite, run }, library);
  if (place === null) return null;
  return path.length === 0 ? runAddress(place) : fileAddress(place, path.join('/'));
}

async function placeOf(asked: RunPlace, library: Library): Promise<RunPlace | null> {
  if (await library.has(asked)) return asked;
  if (asked.run !== LATEST || !(await library.has({ suite: asked.suite }))) return null;
  return library.runs(asked.suite)[0] ?? null;
}

async function placesOf(run: string, library: Library): Promise<readonly RunPlace[]> {
  const found: RunPlace[] = [];
  for (const suite of library.suites()) if (await library.has({ suite, run })) found.push({ suite, run });
  return found;
}

import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { visibleLine } from '../../kit/visible.ts';
import { indexAddress, runAddress, suiteAddress } from '../addresses.ts';
import type { NavigationLink } from '../pages/parts/page.ts';
import { suiteLinks } from '../pages/parts/run-words.ts';
import type { Library } from '../results/library.ts';
import { refuse } from './guards.ts';

/** Characters of a name that somebody typed. */
const MOST_TYPED = 100;

/** Adds what answers every address without a page: the page that `/SUITE` or `/SUITE/RUN` means, else what to do. */
export function addAbsent(app: FastifyInstance, library: Library): void {
  app.setNotFoundHandler(async ({ url }, reply) => {
    const [suite, run, ...more] = namesIn(url);
    if (suite === undefined) return refuseAbsent(reply);
    const place = run === undefined ? { suite } : { suite, run };
    if (more.length > 0 || !(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    return reply.redirect(run === undefined ? suiteAddress(suite) : runAddress({ suite, run }), 302);
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
    'A suite has the address /SUITE, and a run /SUITE/RUN.',
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

/** Names of a suite, a run and a file; none if the address is not well-formed, or steps up. */
function namesIn(url: string): readonly string[] {
  const [path = ''] = url.split('?');
  try {
    const names = path
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent);
    if (names.some((name) => /^\.|[/\\\0]/.test(name))) return [];
    return ['runs', 'suites'].includes(names[0] ?? '') ? names.slice(1) : names;
  } catch {
    return [];
  }
}

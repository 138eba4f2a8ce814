import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isRunName } from '../../record/find/run-name.ts';
import { reportAddress, suiteAddress } from '../pages/addresses.ts';
import { indexPage, type ListedSuite } from '../pages/index-page.ts';
import { suitePage } from '../pages/suite-page.ts';
import type { Library } from '../results/library.ts';
import type { Makers } from '../results/makers.ts';
import { HISTORY_POLICY } from '../results/reports.ts';
import { refuse, refuseAbsent, sendPage } from './guards.ts';
import { placeFrom } from './place-from.ts';

const MOST_SUITES = 12;
const LATEST_RUNS = 8;
const RUNS_OF_PART = 50;
const MOST_TRENDS = 24;
const MOST_CHOICES = 200;

interface Paged {
  readonly Querystring: { readonly from?: unknown };
}

/** Adds the pages of all suites, of a suite, and of its trend. */
export function addLists(app: FastifyInstance, library: Library, { history }: Pick<Makers, 'history'>): void {
  app.get('/', async (_request, reply) => {
    const names = library.suites();
    const suites: ListedSuite[] = [];
    for (const suite of names.slice(0, MOST_SUITES)) suites.push(await listedSuite(suite, library));
    const others = names.slice(MOST_SUITES);
    return sendPage(reply, indexPage({ folder: basename(library.root), suites, others }));
  });

  app.get<{ Params: { suite: string } } & Paged>('/suites/:suite/', async ({ params: { suite }, query }, reply) => {
    if (!(await library.has({ suite }))) return refuseAbsent(reply);
    const all = library.runs(suite);
    const from = placeFrom(query.from, all.length);
    const runs = await Promise.all(all.slice(from, from + RUNS_OF_PART).map(library.listed));
    const part = { from, size: RUNS_OF_PART, of: all.length };
    const choices = all.slice(0, MOST_CHOICES);
    const trends = library.trends(suite).slice(0, MOST_TRENDS);
    return sendPage(reply, suitePage({ suite, trends, runs, part, choices }));
  });

  app.get<{ Params: { suite: string } }>('/suites/:suite/history.html', async ({ params: { suite } }, reply) => {
    if (!(await library.has({ suite }))) return refuseAbsent(reply);
    const reportOf = (run: string): string | null =>
      isRunName(run) && existsSync(join(library.folder({ suite, run }), 'run.json'))
        ? reportAddress({ suite, run })
        : null;
    const made = await history(library.suiteFolder(suite), reportOf);
    if (!made.ok) {
      const links = [{ href: suiteAddress(suite), title: suite }];
      return refuse(reply, 409, 'No trend', library.reasons(made.diagnostics), links);
    }
    return sendPage(reply, { text: [...made.value].join(''), policy: HISTORY_POLICY });
  });
}

async function listedSuite(suite: string, library: Library): Promise<ListedSuite> {
  const all = library.runs(suite);
  const latest = await Promise.all(all.slice(0, LATEST_RUNS).map(library.listed));
  return { suite, runs: all.length, trends: library.trends(suite).slice(0, MOST_TRENDS), latest };
}

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isRunName } from '../../record/codes.ts';
import { findAddress, historyAddress, INDEX_ADDRESS, reportAddress } from '../addresses.ts';
import { listPage } from '../pages/list-page.ts';
import { suiteLinks } from '../pages/parts/page.ts';
import { type Makers, TREND_POLICY, withLinks } from '../reports.ts';
import type { Library } from '../results/library.ts';
import { refuse, refuseAbsent, sendPage } from './guards.ts';

export function addLists(app: FastifyInstance, library: Library, { history }: Pick<Makers, 'history'>): void {
  const { root } = library;
  app.get(INDEX_ADDRESS, async (_request, reply) => {
    const source = { folder: basename(root), isThere: existsSync(root), runs: await library.listed() };
    return sendPage(reply, listPage({ ...source, nowMs: Date.now() }));
  });

  app.get<{ Params: { suite: string } }>('/suites/:suite/', async ({ params: { suite } }, reply) =>
    (await library.has({ suite })) ? reply.redirect(findAddress(suite), 302) : refuseAbsent(reply),
  );

  app.get<{ Params: { suite: string } }>('/suites/:suite/history.html', async ({ params: { suite } }, reply) => {
    if (!(await library.has({ suite }))) return refuseAbsent(reply);
    const reportOf = (run: string): string | null =>
      isRunName(run) && existsSync(join(library.folder({ suite, run }), 'run.json'))
        ? reportAddress({ suite, run })
        : null;
    const made = await history(library.suiteFolder(suite), reportOf);
    if (!made.ok)
      return refuse(reply, 409, { title: `No trend of ${suite}`, causes: library.reasons(made.diagnostics) });
    const text = withLinks([...made.value].join(''), suiteLinks(suite), historyAddress(suite));
    return sendPage(reply, { text, policy: TREND_POLICY });
  });
}

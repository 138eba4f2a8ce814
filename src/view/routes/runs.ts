import type { FastifyInstance, FastifyReply } from 'fastify';
import { accepted, checked } from '../../kit/diagnostic.ts';
import { reportAddress, runAddress } from '../addresses.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { openContained } from '../files/contained-files.ts';
import { sendFile, servedType } from '../files/send-file.ts';
import { livePage } from '../pages/live-page.ts';
import { suiteLinks } from '../pages/parts/page.ts';
import type { FollowRun } from '../progress/follow-runs.ts';
import { type Makers, REPORT_POLICY, withLinks } from '../reports.ts';
import { type Library, recordFiles } from '../results/library.ts';
import { refuse, refuseAbsent, sendIfChanged, sendPage } from './guards.ts';

interface OfRun {
  readonly Params: { readonly suite: string; readonly run: string };
}

interface RunMakers extends Pick<Makers, 'report' | 'reportFiles'> {
  readonly follow: FollowRun;
}

/** A run in progress is followed; every other one is its report, made from the record: the page of whoever wrote that is not shown. */
export function addRuns(app: FastifyInstance, library: Library, { report, reportFiles, follow }: RunMakers): void {
  const reportOf = cachedByStamp(1, recordFiles, async (folder) => {
    const pieces: string[] = [];
    for await (const piece of accepted(await report(folder))) pieces.push(piece);
    return pieces.join('');
  });

  app.get<OfRun>('/runs/:suite/:run/', async ({ params: { suite, run } }, reply) => {
    const place = { suite, run };
    if (!(await library.has(place))) return refuseAbsent(reply);
    if (!library.isInUse(place)) return reply.redirect(reportAddress(place), 302);
    const read = await follow(library.folder(place));
    if (!read.ok) return refuseRun(reply, run, library.reasons(read.diagnostics));
    const { createdAt, plan } = read.value.run;
    const { tally } = read.value;
    return sendIfChanged(reply, livePage({ place, createdAt, planned: plan.requests, tally, nowMs: Date.now() }));
  });

  app.get<OfRun>('/runs/:suite/:run/report.html', async ({ params: { suite, run } }, reply) => {
    const place = { suite, run };
    if (!(await library.has(place))) return refuseAbsent(reply);
    // A growing record is shown by the page that follows it.
    if (library.isInUse(place)) return reply.redirect(runAddress(place), 302);
    const made = await checked(() => reportOf(library.folder(place)));
    if (!made.ok) return refuseRun(reply, run, library.reasons(made.diagnostics));
    const here = { href: reportAddress(place), title: 'Report' };
    const text = withLinks(made.value, [...suiteLinks(suite), here], here.href);
    return sendPage(reply, { text, policy: REPORT_POLICY });
  });

  app.get<{ Params: { suite: string; run: string; '*': string } }>('/runs/:suite/:run/*', async (request, reply) => {
    const { suite, run, '*': path } = request.params;
    const type = servedType(path, reportFiles);
    if (type === null || !(await library.has({ suite, run }))) return refuseAbsent(reply);
    const names = path.split('/');
    const file = await openContained(library.root, [suite, run, ...names]);
    if (file === null) return refuseAbsent(reply);
    // Media are named by their digest: they do not change.
    if (names.length > 1) reply.header('cache-control', 'private, max-age=3600');
    return sendFile(file, type, names.at(-1) ?? '', request, reply);
  });
}

function refuseRun(reply: FastifyReply, run: string, causes: readonly string[]): FastifyReply {
  return refuse(reply, 409, { title: `Run ${run} cannot be shown`, causes });
}

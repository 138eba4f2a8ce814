import type { FastifyInstance, FastifyReply } from 'fastify';
import { accepted, checked } from '../../kit/diagnostic.ts';
import { type RunPlace, reportAddress, runAddress, savedReportAddress } from '../addresses.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { type ContainedFile, openContained } from '../files/contained-files.ts';
import { FILE_POLICY, sendFile, servedType } from '../files/send-file.ts';
import { livePage } from '../pages/live-page.ts';
import { suiteLinks } from '../pages/parts/page.ts';
import type { FollowRun } from '../progress/follow-runs.ts';
import { type Makers, REPORT_POLICY, withLinks } from '../reports.ts';
import { type Library, recordFiles } from '../results/library.ts';
import { refuse, refuseAbsent, sendIfChanged, sendPage } from './guards.ts';

interface OfRun {
  readonly Params: { readonly suite: string; readonly run: string };
  readonly Querystring: { readonly save?: unknown };
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
    if (!read.ok) return refuseRun(reply, place, library.reasons(read.diagnostics), library);
    const { createdAt, plan } = read.value.run;
    const { tally } = read.value;
    return sendIfChanged(reply, livePage({ place, createdAt, planned: plan.requests, tally, nowMs: Date.now() }));
  });

  app.get<OfRun>('/runs/:suite/:run/report.html', async ({ params: { suite, run }, query }, reply) => {
    const place = { suite, run };
    if (!(await library.has(place))) return refuseAbsent(reply);
    // A growing record is shown by the page that follows it.
    if (library.isInUse(place)) return reply.redirect(runAddress(place), 302);
    const made = await checked(() => reportOf(library.folder(place)));
    if (query.save !== undefined) {
      const page = made.ok ? made.value : await openContained(library.root, [suite, run, 'report.html']);
      if (page !== null) return sendToSave(reply, place, page);
    }
    if (!made.ok) return refuseRun(reply, place, library.reasons(made.diagnostics), library);
    const here = { href: reportAddress(place), title: 'Report' };
    const links = [...suiteLinks(suite), here, { href: savedReportAddress(place), title: 'Save as one file' }];
    return sendPage(reply, { text: withLinks(made.value, links, here.href), policy: REPORT_POLICY });
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

/** Offers the stored report as a file. */
async function refuseRun(
  reply: FastifyReply,
  place: RunPlace,
  causes: readonly string[],
  library: Library,
): Promise<FastifyReply> {
  const stored = await openContained(library.root, [place.suite, place.run, 'report.html']);
  await stored?.handle.close();
  const actions = stored === null ? [] : [{ href: savedReportAddress(place), title: 'Save the stored report' }];
  return refuse(reply, 409, { title: `Run ${place.run} cannot be shown`, causes, actions });
}

/** Sends the page, or the stored file if the record cannot be read. Its policy lets nothing in it run. */
async function sendToSave(
  reply: FastifyReply,
  { suite, run }: RunPlace,
  page: ContainedFile | string,
): Promise<FastifyReply> {
  const name = `${suite}-${run}.html`;
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': FILE_POLICY,
    'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, '_')}`,
  });
  if (typeof page === 'string') return reply.send(page);
  return reply.header('content-length', page.bytes).send(page.handle.createReadStream());
}

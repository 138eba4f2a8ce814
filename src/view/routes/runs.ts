import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Checked } from '../../kit/diagnostic.ts';
import { BARE_PAGE, type RunPlace, reportAddress, runAddress, savedReportAddress } from '../addresses.ts';
import { type ContainedFile, openContained, statOf } from '../files/contained-files.ts';
import { FILE_POLICY, sendFile, servedType } from '../files/send-file.ts';
import { livePage } from '../pages/live-page.ts';
import { shownOutput } from '../pages/parts/output-figure.ts';
import type { Page } from '../pages/parts/page.ts';
import { runLinks, suiteLinks } from '../pages/parts/run-words.ts';
import { type ListedFile, type ListedOutput, type RunSource, runPage } from '../pages/run-page.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import type { FollowedRuns } from '../progress/outline.ts';
import type { ArrivedOutput, Tally } from '../progress/tally.ts';
import { REPORT_POLICY, withLinks } from '../reports.ts';
import type { Library } from '../results/library.ts';
import { placeFrom, refuse, refuseAbsentPlace, sendIfChanged, sendPage } from './guards.ts';

const OUTPUTS_OF_PART = 60;
const MOST_CHOICES = 200;

export interface RunMakers {
  readonly report: (folder: string) => Promise<Checked<readonly string[]>>;
  readonly reportFiles: readonly string[];
  readonly live: (place: RunPlace) => Promise<Checked<Page>>;
  readonly runs: FollowedRuns;
}

interface OfRun {
  readonly Params: { readonly suite: string; readonly run: string };
  readonly Querystring: { readonly from?: unknown; readonly save?: unknown };
}

export function addRuns(app: FastifyInstance, library: Library, { report, reportFiles, live, runs }: RunMakers): void {
  app.get<OfRun>('/runs/:suite/:run/', async ({ params, query, headers }, reply) => {
    const place = { suite: params.suite, run: params.run };
    if (!(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    if (library.isInUse(place)) {
      const page = await live(place);
      return page.ok
        ? sendIfChanged(reply, page.value)
        : refuseRun(reply, place, library.reasons(page.diagnostics), library);
    }
    // The page that followed the run goes on to the report.
    if (headers[BARE_PAGE] !== undefined) return reply.code(204).header('location', reportAddress(place)).send();
    const listed = await library.listed(place);
    if (listed.outline === null) return refuseRun(reply, place, [listed.why], library);
    const read = await runs.read(library.folder(place));
    if (!read.ok) return refuseRun(reply, place, library.reasons(read.diagnostics), library);
    const outputs = distinctOutputs(read.value.tally);
    const from = placeFrom(query.from, outputs.length);
    const there = library.files(place);
    const shown = outputs
      .slice(from, from + OUTPUTS_OF_PART)
      .map((arrived) => listedOutput(place, arrived, (path) => there.has(path)));
    const all = library.runs(place.suite);
    const at = all.findIndex(({ run }) => run === place.run);
    return sendPage(
      reply,
      runPage({
        place,
        folder: basename(library.root),
        outline: listed.outline,
        state: { ...listed, measuring: listed.outline.measuring },
        answer: listed.answer,
        files: filesOf(library.folder(place), there, reportFiles),
        outputs: shown,
        part: { from, size: OUTPUTS_OF_PART, of: outputs.length },
        choices: await library.choices(all.slice(0, MOST_CHOICES)),
        neighbours: neighboursOf(place, all[at + 1], all[at - 1]),
        nowMs: Date.now(),
      }),
    );
  });

  app.get<OfRun>('/runs/:suite/:run', async ({ params: { suite, run } }, reply) =>
    reply.redirect(runAddress({ suite, run }), 301),
  );

  app.get<OfRun>('/runs/:suite/:run/report.html', async ({ params, query }, reply) => {
    const place = { suite: params.suite, run: params.run };
    if (!(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    // A growing record is shown by the page that follows it.
    if (library.isInUse(place)) return reply.redirect(runAddress(place), 302);
    const made = await report(library.folder(place));
    if (query.save !== undefined) {
      const page = made.ok ? made.value : await openContained(library.root, [place.suite, place.run, 'report.html']);
      if (page !== null) return sendToSave(reply, place, page);
    }
    if (!made.ok) return refuseRun(reply, place, library.reasons(made.diagnostics), library);
    reply.type('text/html; charset=utf-8').header('content-security-policy', REPORT_POLICY);
    return reply.send(Readable.from(withLinks(made.value, runLinks(place), reportAddress(place))));
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
  const links = suiteLinks(place.suite);
  return refuse(reply, 409, { title: `Run ${place.run} cannot be shown`, causes, links, actions });
}

/** Sends the page, or the stored file if the record cannot be read. Its policy lets nothing in it run. */
async function sendToSave(
  reply: FastifyReply,
  { suite, run }: RunPlace,
  page: ContainedFile | readonly string[],
): Promise<FastifyReply> {
  const name = `${suite}-${run}.html`;
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': FILE_POLICY,
    'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, '_')}`,
  });
  if (!('handle' in page)) return reply.send(page.join(''));
  return reply.header('content-length', page.bytes).send(page.handle.createReadStream());
}

/** The outputs of a run in the order they came, each of a prompt, seed and variant once. */
function distinctOutputs({ latest }: Pick<Tally, 'latest'>): readonly ArrivedOutput[] {
  const byKey = new Map<string, ArrivedOutput>();
  for (const arrived of latest()) {
    const { variant, prompt, seed, output } = arrived;
    const key = JSON.stringify([variant, prompt, seed, output.sha256]);
    if (!byKey.has(key)) byKey.set(key, arrived);
  }
  return [...byKey.values()];
}

function listedOutput(
  place: RunPlace,
  { output, variant, prompt, seed, repeat }: ArrivedOutput,
  has: (path: string) => boolean,
): ListedOutput {
  return { ...shownOutput(place, output, has), variant, prompt, seed, repeat };
}

function filesOf(folder: string, there: ReadonlySet<string>, reportFiles: readonly string[]): readonly ListedFile[] {
  return reportFiles
    .filter((name) => there.has(name) && servedType(name, reportFiles) !== null)
    .flatMap((name) => {
      // It may have been deleted since its folder was read.
      const stats = statOf(join(folder, name));
      return stats === null ? [] : [{ name, bytes: stats.size }];
    });
}

function neighboursOf(place: RunPlace, before?: RunPlace, after?: RunPlace): RunSource['neighbours'] {
  if (before !== undefined) return [before, place];
  return after === undefined ? null : [place, after];
}

export function addFiles(app: FastifyInstance, library: Library, reportFiles: readonly string[]): void {
  app.get<{ Params: { suite: string; run: string; '*': string } }>('/runs/:suite/:run/*', async (request, reply) => {
    const { suite, run, '*': path } = request.params;
    const type = servedType(path, reportFiles);
    if (type === null || !(await library.has({ suite, run }))) return refuseAbsentPlace(reply, library, { suite, run });
    const names = path.split('/');
    const file = await openContained(library.root, [suite, run, ...names]);
    if (file === null) return refuseAbsentPlace(reply, library, { suite, run });
    // Media are named by their digest: they do not change.
    if (names.length > 1) reply.header('cache-control', 'private, max-age=3600');
    return sendFile(file, type, names.at(-1) ?? '', request, reply);
  });
}

const LOOK_EVERY_MS = 500;
const MOST_FOLLOWED = 8;

/** All readers of a run share one page, which is made again when it is older than a look. */
export function livePages(
  library: Pick<Library, 'folder'>,
  runs: Pick<FollowedRuns, 'read'>,
): (place: RunPlace) => Promise<Checked<Page>> {
  const made = new BoundedMap<string, { readonly atMs: number; readonly page: Promise<Checked<Page>> }>(MOST_FOLLOWED);
  const make = async (place: RunPlace): Promise<Checked<Page>> => {
    const read = await runs.read(library.folder(place));
    if (!read.ok) return read;
    const { run, tally } = read.value;
    const { createdAt, plan } = run;
    return { ok: true, value: livePage({ place, createdAt, planned: plan.requests, tally, nowMs: Date.now() }) };
  };
  return (place) => {
    const folder = library.folder(place);
    const known = made.get(folder);
    const atMs = Date.now();
    if (known !== undefined && atMs - known.atMs < LOOK_EVERY_MS) return known.page;
    const page = make(place);
    made.set(folder, { atMs, page });
    return page;
  };
}

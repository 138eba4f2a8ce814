import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Foreign, hostCheck, isLoadedByForeignSite } from '../../kit/loopback.ts';
import { visibleLine } from '../../kit/visible.ts';
import { html } from '../../markup/markup.ts';
import { BARE_PAGE, indexAddress, runAddress, suiteAddress } from '../addresses.ts';
import { type NavigationLink, type Page, page } from '../pages/parts/page.ts';
import { INDEX_LINK, suiteLinks } from '../pages/parts/run-words.ts';
import type { Library } from '../results/library.ts';

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export type Unwanted = Foreign | 'foreign_site' | 'other_method';

interface Guarding {
  readonly methods: readonly string[];
  readonly refuse: (reply: FastifyReply, status: number, why: Unwanted) => FastifyReply;
}

/** Null if the request may pass. Sets the headers that every answer has. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Refuses requests of other sites, and of hosts not meant. @param host the IP address that is listened on */
export function guardOf(host: string, { methods, refuse: refuseUnwanted }: Guarding): Guard {
  const check = hostCheck({ names: [], addresses: EVERY_ADDRESS.has(host) ? 'any' : [host] });
  return (request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
    const foreign = hasTwoHosts(request.raw.rawHeaders)
      ? 'foreign_host'
      : (check(request.headers) ?? (isLoadedByForeignSite(request.headers) ? 'foreign_site' : null));
    if (foreign !== null) return refuseUnwanted(reply, 403, foreign);
    if (methods.includes(request.method)) return null;
    return refuseUnwanted(reply.header('allow', methods.join(', ')), 405, 'other_method');
  };
}

const UNWANTED: Readonly<Record<Unwanted, string>> = {
  foreign_host: 'The address names another server. Open the address that retake view printed.',
  foreign_origin: 'Pages of other sites may not read these results.',
  foreign_site: 'Pages of other sites may not load these results.',
  other_method: 'Results can only be read.',
};

/** For servers of results, which are only read. */
export const READING: Guarding = {
  methods: ['GET', 'HEAD'],
  refuse: (reply, status, why) => refuse(reply, status, { title: 'Refused', causes: [UNWANTED[why]] }),
};

/** One part may check another name than the next one reads (RFC 9112, section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** Limited, since each connection may hold an open file. */
const MOST_CONNECTIONS = 256;

/**
 * Cuts the connection that was silent for longest to accept another, so that idle ones keep no reader out. If all
 * others are being answered, the new one is cut.
 */
export function limitConnections(server: Server): void {
  const open = new Set<Socket>();
  // Ordered by the end of their last answer, or by arrival. An unfinished request counts as none.
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
    if (open.size > MOST_CONNECTIONS) for (const oldest of silent) return cut(oldest);
  });
  server.on('request', ({ socket }, response) => {
    silent.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) silent.add(socket);
    });
  });
  const cut = (socket: Socket): void => {
    // The close event comes later; meanwhile others may connect.
    open.delete(socket);
    silent.delete(socket);
    socket.destroy();
  };
}

export function sendPage(reply: FastifyReply, { text, policy }: Pick<Page, 'text' | 'policy'>): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
}

/** Sends only a changed page (RFC 9110, section 13.1.2): its script asks for it again and again, bare. */
export function sendIfChanged(reply: FastifyReply, { text, bare, policy }: Page): FastifyReply {
  const { headers } = reply.request;
  const sent = headers[BARE_PAGE] === undefined ? text : bare;
  const tag = `"${createHash('sha256').update(sent).digest('base64url')}"`;
  reply.header('etag', tag);
  return headers['if-none-match'] === tag ? reply.code(304).send() : sendPage(reply, { text: sent, policy });
}

export function refuse(reply: FastifyReply, status: number, refusal: PageRefusal): FastifyReply {
  return sendPage(reply.code(status), refusalPage(refusal));
}

/** From 0; 0 if the query has no valid number. */
export function placeFrom(asked: unknown, of: number): number {
  if (typeof asked !== 'string' || !/^\d{1,9}$/.test(asked)) return 0;
  return Math.min(Number(asked), Math.max(0, of - 1));
}

/** Characters of a name that somebody typed. */
const MOST_TYPED = 100;

/** Redirects `/SUITE` and `/SUITE/RUN` to their pages; any other address without a page says what to do. */
export function addAbsent(app: FastifyInstance, library: Library): void {
  app.setNotFoundHandler(async ({ url }, reply) => {
    const [suite, run, ...more] = namesIn(url);
    if (suite === undefined) return refuseAbsent(reply);
    const place = run === undefined ? { suite } : { suite, run };
    if (more.length > 0 || !(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    return reply.redirect(run === undefined ? suiteAddress(suite) : runAddress({ suite, run }), 302);
  });
}

/** Does not reveal whether something is there that is not handed out. */
export function refuseAbsent(reply: FastifyReply): FastifyReply {
  const causes = ['There is no such page.'];
  return refuse(reply, 404, { title: 'Not found', causes });
}

/** Says what of suite, run and file is missing, and links to the nearest page. */
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

interface PageRefusal {
  readonly title: string;
  readonly causes: readonly string[];
  /** The outermost first; without any, the list of all suites. */
  readonly links?: readonly NavigationLink[];
  readonly actions?: readonly NavigationLink[];
}

function refusalPage({ title, causes, links = [INDEX_LINK], actions = [] }: PageRefusal): Page {
  const offered = [...actions, ...links.slice(0, 2)];
  return page({
    title,
    links,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${title}</h1>
</header>
${causes.map((cause) => html`<p class="lede">${cause}</p>`)}
<ul class="actions">${offered.map(({ href, title: name }) => html`<li><a href="${href}">${name}</a></li>`)}</ul>
`,
  });
}

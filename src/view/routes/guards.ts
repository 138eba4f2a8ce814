import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Foreign, hostCheck, isLoadedByForeignSite } from '../../kit/loopback.ts';
import { html } from '../../markup/markup.ts';
import { INDEX_LINK, type Page, page } from '../pages/parts/page.ts';

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

export function sendPage(reply: FastifyReply, { text, policy }: Pick<Page, 'text' | 'policy'>): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
}

/** Sends only a changed page (RFC 9110, section 13.1.2): its script asks for it again and again. */
export function sendIfChanged(reply: FastifyReply, made: Page): FastifyReply {
  const tag = `"${createHash('sha256').update(made.text).digest('base64url')}"`;
  reply.header('etag', tag);
  return reply.request.headers['if-none-match'] === tag ? reply.code(304).send() : sendPage(reply, made);
}

export function refuse(reply: FastifyReply, status: number, refusal: PageRefusal): FastifyReply {
  return sendPage(reply.code(status), refusalPage(refusal));
}

/** Does not reveal whether something is there that is not handed out. */
export function refuseAbsent(reply: FastifyReply): FastifyReply {
  const causes = ['There is no such page. Its run may have been deleted or renamed.'];
  return refuse(reply, 404, { title: 'Not found', causes });
}

interface PageRefusal {
  readonly title: string;
  readonly causes: readonly string[];
}

function refusalPage({ title, causes }: PageRefusal): Page {
  return page({
    title,
    links: [INDEX_LINK],
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${title}</h1>
</header>
${causes.map((cause) => html`<p class="lede">${cause}</p>`)}
<ul class="actions"><li><a href="${INDEX_LINK.href}">${INDEX_LINK.title}</a></li></ul>
`,
  });
}

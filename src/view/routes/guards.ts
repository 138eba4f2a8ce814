import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Foreign, hostCheck } from '../../access/host-check.ts';
import { isLoadedByForeignSite } from '../../access/site-check.ts';
import type { NavigationLink, Page } from '../pages/page.ts';
import { refusalPage } from '../pages/refusal-page.ts';

/** Addresses that stand for every address of this machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const FOREIGN: Readonly<Record<Foreign | 'foreign_site', string>> = {
  foreign_host: 'The Host header of the request names another server.',
  foreign_origin: 'Pages of other sites may not read these results.',
  foreign_site: 'Pages of other sites may not load these results.',
};

/**
 * Sets what every answer has in common, and refuses what only a page of another site, or no reader, asks for.
 *
 * @param host the IP address that is listened on
 */
export function addGuards(app: FastifyInstance, host: string): void {
  const check = hostCheck({ names: [], addresses: EVERY_ADDRESS.has(host) ? 'any' : [host] });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
    const foreign = check(request.headers) ?? (isLoadedByForeignSite(request.headers) ? 'foreign_site' : null);
    if (foreign !== null) return refuse(reply, 403, 'Refused', [FOREIGN[foreign]]);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(reply.header('allow', 'GET, HEAD'), 405, 'Refused', ['Results can only be read.']);
    }
  });
}

/** Sends a page under its policy. */
export function sendPage(reply: FastifyReply, { text, policy }: Page): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
}

/** Sends a page that says why there is no other. */
export function refuse(
  reply: FastifyReply,
  status: number,
  title: string,
  causes: readonly string[],
  links: readonly NavigationLink[] = [],
): FastifyReply {
  return sendPage(reply.code(status), refusalPage(title, causes, links));
}

/** Nothing is there, or nothing that is handed out: which of the two is not said. */
export function refuseAbsent(reply: FastifyReply): FastifyReply {
  return refuse(reply, 404, 'Not found', ['There is no such page.']);
}

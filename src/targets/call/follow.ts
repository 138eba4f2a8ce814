import { downloadAddresses, mayAsk, mayDownloadFrom } from '../origins.ts';
import { outgoingGet } from '../outgoing.ts';
import { absoluteUrl } from '../request/follow-up-request.ts';
import type { TransportFailure, TransportReply } from '../wire.ts';
import type { CallContext } from './context.ts';
import { send } from './send.ts';

/** Redirects are followed by hand: each hop is checked, and gets only what its origin may have. */
const MOST_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export interface Get {
  /** Decides which origins are allowed; errors name it. */
  readonly step: 'download' | 'poll' | 'fetch';
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether the credential is sent, if `origins.auth` allows it. */
  readonly auth: boolean;
  /** Whether a reply with that status is final even if it redirects. */
  readonly answers: (status: number) => boolean;
}

export type Pass =
  | { readonly ended: 'reply'; readonly reply: TransportReply }
  | { readonly ended: 'broken'; readonly failure: TransportFailure }
  | { readonly ended: 'refused'; readonly code: string; readonly message: string };

/**
 * Sends a GET and follows its redirects, calling `count` for each. Media come only from `origins.download`, earlier
 * requests also from the base and `origins.auth`; only `origins.auth` gets the credential.
 */
export async function follow(
  get: Get,
  context: Pick<CallContext, 'addressing' | 'deadline' | 'redact' | 'edge'>,
  count: () => void,
): Promise<Pass> {
  const { addressing, edge } = context;
  const { origins, baseUrl } = addressing;
  const may = get.step === 'download' ? mayDownloadFrom : mayAsk;
  let url: URL | null = get.url;
  for (let redirects = 0; ; redirects += 1) {
    if (url === null) return refused('bad_url', 'the redirect URL is not http or https');
    if (!may(url, origins, baseUrl)) {
      const where = get.step === 'download' ? 'origins.download' : 'origins.auth or origins.download';
      const remedy =
        get.step === 'download'
          ? `; to trust it, add origins: { download: [${url.origin}] } to the variant, or run retake try with --download-origin ${url.origin}`
          : '';
      return refused(`${get.step}_refused`, `${url.origin} is not among ${where}${remedy}`);
    }
    count();
    const beganMs = edge.now();
    const request = outgoingGet(url, downloadAddresses(url, origins, baseUrl), addressing, get);
    const reply = await send(request, { step: get.step, redirect: redirects, beganMs }, context);
    if (!reply.ok) return { ended: 'broken', failure: reply };
    if (!REDIRECTS.includes(reply.status) || get.answers(reply.status)) return { ended: 'reply', reply };
    if (redirects === MOST_REDIRECTS) return refused('too_many_redirects', `more than ${MOST_REDIRECTS} redirects`);
    const [, location = ''] = reply.headers.find(([name]) => name === 'location') ?? [];
    url = absoluteUrl(location, url.href);
  }
}

function refused(code: string, message: string): Pass {
  return { ended: 'refused', code, message };
}

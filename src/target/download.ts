import type { Deadline } from './deadline.ts';
import { downloadAddresses, httpUrl, mayDownloadFrom } from './origins.ts';
import { type Addressing, BODY_BYTES, outgoingGet } from './outgoing.ts';
import type { Redact } from './redact.ts';
import { brokenOff, exchangeFailure, type StepEdge } from './submit.ts';
import { growingWaitMs } from './throttle.ts';
import type { CallFailure } from './trace.ts';
import type { TransportFailure, TransportReply } from './wire.ts';

/** The redirects that are followed, by hand: each hop is checked anew and gets only what its origin may have. */
const MOST_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** What another try may mend. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
const PASSING_FAILURES: readonly TransportFailure['code'][] = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'connection_dropped',
  'truncated_body',
];

export type Downloaded = { readonly requests: number } & (
  | { readonly ok: true; readonly reply: TransportReply }
  | ({ readonly ok: false; readonly httpStatus: number | null } & CallFailure)
);

/** One pass over a URL and its redirects. */
type Pass =
  | { readonly ended: 'reply'; readonly reply: TransportReply }
  | { readonly ended: 'broken'; readonly failure: TransportFailure }
  | { readonly ended: 'refused'; readonly code: string; readonly message: string };

/**
 * Gets media from a URL that a reply gave. A failure that may pass is tried again up to `retries` times, after waits
 * that grow with jitter, within the deadline.
 *
 * @param text the URL as written; a relative one is taken from the base
 */
export async function download(
  text: string,
  addressing: Addressing,
  retries: number,
  deadline: Deadline,
  redact: Redact,
  edge: StepEdge,
): Promise<Downloaded> {
  let requests = 0;
  const count = () => {
    requests += 1;
  };
  for (let attempt = 1; ; attempt += 1) {
    const pass = await follow(text, addressing, deadline, edge, count);
    if (pass.ended === 'refused') {
      return failed(requests, null, pass.code, redact(pass.message));
    }
    const status = pass.ended === 'reply' ? pass.reply.status : pass.failure.status;
    if (pass.ended === 'reply' && pass.reply.status >= 200 && pass.reply.status < 300) {
      if (pass.reply.body.byteLength > 0) return { ok: true, requests, reply: pass.reply };
      return failed(requests, status, 'empty_body', 'the media has no bytes');
    }
    if (attempt > retries || !mayPass(pass)) {
      if (pass.ended === 'broken') {
        return {
          ok: false,
          requests,
          httpStatus: status,
          ...prefixed(exchangeFailure(pass.failure, deadline, redact)),
        };
      }
      return failed(requests, status, `download_http_${status}`, `the media was answered with HTTP ${status}`);
    }
    await edge.sleep(growingWaitMs(attempt, edge.random), deadline.signal);
    const broken = brokenOff(deadline);
    if (broken !== null) return { ok: false, requests, httpStatus: status, ...broken };
  }
}

async function follow(
  text: string,
  addressing: Addressing,
  deadline: Deadline,
  edge: StepEdge,
  count: () => void,
): Promise<Pass> {
  const { origins, baseUrl } = addressing;
  let url = resolve(text, baseUrl);
  for (let redirects = 0; ; redirects += 1) {
    if (url === null) return refused('bad_url', 'the media stands behind something that is no http or https URL');
    if (!mayDownloadFrom(url, origins, baseUrl)) {
      return refused('download_refused', `${url.origin} is not among origins.download`);
    }
    count();
    const request = outgoingGet(url, downloadAddresses(url, origins, baseUrl), addressing);
    const reply = await edge.transport.send(request, { signal: deadline.signal, limits: { bodyBytes: BODY_BYTES } });
    if (!reply.ok) return { ended: 'broken', failure: reply };
    if (!REDIRECTS.includes(reply.status)) return { ended: 'reply', reply };
    if (redirects === MOST_REDIRECTS) return refused('too_many_redirects', `more than ${MOST_REDIRECTS} redirects`);
    const [, location = ''] = reply.headers.find(([name]) => name === 'location') ?? [];
    url = location === '' ? null : resolve(location, url.href);
  }
}

function resolve(text: string, against: string): URL | null {
  return URL.canParse(text, against) ? httpUrl(new URL(text, against).href) : null;
}

function refused(code: string, message: string): Pass {
  return { ended: 'refused', code, message };
}

function mayPass(pass: Exclude<Pass, { ended: 'refused' }>): boolean {
  return pass.ended === 'reply'
    ? PASSING_STATUSES.includes(pass.reply.status)
    : PASSING_FAILURES.includes(pass.failure.code);
}

function failed(requests: number, httpStatus: number | null, code: string, message: string): Downloaded {
  return { ok: false, requests, httpStatus, outcome: 'error', error: { code, message } };
}

/** Says of an error that it came from the download. */
function prefixed(failure: CallFailure): CallFailure {
  if (failure.outcome !== 'error') return failure;
  return { ...failure, error: { ...failure.error, code: `download_${failure.error.code}` } };
}

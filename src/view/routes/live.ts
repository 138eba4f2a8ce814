import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { type LiveSource, livePage, liveState } from '../pages/live/live-page.ts';
import type { LiveState } from '../pages/live/live-state.ts';
import { type RunPlace, reportAddress } from '../pages/parts/addresses.ts';
import type { Page } from '../pages/parts/page.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import type { FollowedRuns } from '../progress/run-progress.ts';
import type { Library } from '../results/library.ts';
import { refuseAbsentPlace } from './absent.ts';
import { refuse } from './guards.ts';

const LOOK_EVERY_MS = 500;
/** Proxies and browsers end a connection on which nothing comes. */
const SIGN_OF_LIFE_MS = 15_000;
const RECONNECT_AFTER_MS = 2000;

const SLOWEST_READER_MS = 30_000;

/** Each follows a journal, and holds a connection. */
const MOST_STREAMS = 64;
const MOST_FOLLOWED = 8;

/** Runs in progress: all readers of one share what is made of its journal. */
export interface LiveRuns {
  readonly page: (place: RunPlace) => Promise<Checked<Page>>;
  /** Made again when it is older than a look. */
  readonly state: (place: RunPlace) => Promise<Checked<LiveState>>;
}

/** The pages of runs in progress. */
export function liveRuns(library: Library, runs: FollowedRuns): LiveRuns {
  const states = new BoundedMap<string, { readonly atMs: number; readonly state: Promise<Checked<LiveState>> }>(
    MOST_FOLLOWED,
  );
  const read = async <T>(place: RunPlace, make: (source: LiveSource) => T): Promise<Checked<T>> => {
    // Asked first: a run that ends meanwhile has written all that is read then.
    const isInUse = library.isInUse(place);
    const found = await runs.read(library.folder(place));
    if (!found.ok) return found;
    const { run, tally } = found.value;
    const report = isInUse ? null : reportAddress(place);
    const { createdAt, plan } = run;
    return {
      ok: true,
      value: make({ place, createdAt, planned: plan.requests, tally, report, nowMs: Date.now() }),
    };
  };
  return {
    page: (place) => read(place, livePage),
    state: (place) => {
      const folder = library.folder(place);
      const known = states.get(folder);
      const atMs = Date.now();
      if (known !== undefined && atMs - known.atMs < LOOK_EVERY_MS) return known.state;
      const state = read(place, liveState);
      states.set(folder, { atMs, state });
      return state;
    },
  };
}

/** Adds the stream of server-sent events (WHATWG HTML, section 9.2) that the page of a run in progress follows. */
export function addLiveStream(app: FastifyInstance, library: Library, live: LiveRuns): void {
  let streams = 0;
  app.get<{ Params: { suite: string; run: string } }>(
    '/runs/:suite/:run/events',
    { exposeHeadRoute: false },
    async ({ params }, reply) => {
      const place = { suite: params.suite, run: params.run };
      if (!(await library.has(place))) return refuseAbsentPlace(reply, library, place);
      if (streams >= MOST_STREAMS) {
        return refuse(reply, 503, { title: 'Too many readers', causes: ['Close other pages of runs in progress.'] });
      }
      // Counted before anything is waited for: many may ask at once.
      streams += 1;
      try {
        const first = await live.state(place);
        if (!first.ok) return refuse(reply, 409, { title: place.run, causes: library.reasons(first.diagnostics) });
        await stream(reply, first.value, () => live.state(place));
      } finally {
        streams -= 1;
      }
      return reply;
    },
  );
}

/** Sends a state, and every other that follows, until the run has its report or the reader has gone. */
async function stream(reply: FastifyReply, first: LiveState, next: () => Promise<Checked<LiveState>>): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  await write(raw, `retry: ${RECONNECT_AFTER_MS}\n\n`, gone.signal);
  let state = first;
  let sent = '';
  let silentMs = 0;
  while (!gone.signal.aborted) {
    const text = JSON.stringify(state);
    if (text !== sent) await write(raw, `data: ${text}\n\n`, gone.signal);
    else if (silentMs >= SIGN_OF_LIFE_MS) await write(raw, ':\n\n', gone.signal);
    silentMs = text !== sent || silentMs >= SIGN_OF_LIFE_MS ? 0 : silentMs + LOOK_EVERY_MS;
    sent = text;
    if (state.report !== null) break;
    await sleep(LOOK_EVERY_MS, undefined, { signal: gone.signal }).catch(() => {});
    const found = await next();
    // The reader connects again, and is told then why there is no more.
    if (!found.ok) break;
    state = found.value;
  }
  raw.end();
}

/** Waits for a reader that is slower than what it is sent. */
async function write(raw: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted || raw.write(text)) return;
  const waits = AbortSignal.any([gone, AbortSignal.timeout(SLOWEST_READER_MS)]);
  // A reader that takes nothing would hold one of few streams.
  await once(raw, 'drain', { signal: waits }).catch(() => raw.destroy());
}

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fitsExpectation, sniff } from '../../src/media/header.ts';
import { EMBEDDED } from '../../src/targets/origins.ts';
import type { Target } from '../../src/targets/target.ts';
import { callPreset, PRESETS } from '../fixtures/called-preset.ts';
import {
  type PresetRecording,
  RECORDINGS,
  type RecordedReply,
  type Replies,
  repliesOf,
} from '../fixtures/preset-recording.ts';
import { MEDIA, readRequest, withImage } from '../fixtures/recorded-provider.ts';
import { bytesOf } from '../targets/call/calling.ts';
import type { Seen } from '../targets/loopback.ts';

const HOUR_MS = 3_600_000;

/** What a call reads of its replies, but for names and values: presets of one shape differ only in these. */
export function shapeOf({ wait, hops, result }: Target): string {
  const until = wait?.until ?? null;
  const shape = [until === null ? 'an answer at once' : until.by === 'events' ? 'a stream of events' : 'a job'];
  if (until?.by === 'poll') {
    shape.push(`polled by ${until.request.at}`);
    if (until.state.absent !== null) shape.push(`${until.state.absent} without a state`);
    if (until.capture.length > 0) shape.push('values of its last poll');
  }
  return [...shape, ...hops.map(({ request }) => `fetched by ${request.at}`), `output in ${result.from}`].join(', ');
}

/** What every preset keeps: what it sends, and what it reads of replies. */
export function presetContract(recording: PresetRecording, target: Target): void {
  citesItsSource(recording, target);
  keepsToItsProvider(recording, target);
  sendsAndReads(recording, target);
  waits(recording, target);
  isRefused(recording);
}

function citesItsSource({ preset }: PresetRecording, target: Target): void {
  test(`${preset} is named as its file, cites what it was written from, and says what is not known`, () => {
    expect(target.id).toBe(preset);
    const comments = readFileSync(`${PRESETS}/${preset}.yaml`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n');
    // Our own service is described beside its code.
    if (preset.startsWith('reference/')) return expect(comments).toContain('src/service/README.md');
    expect(comments).toMatch(/^# Written from: .*https:\/\/.* \(20\d\d-\d\d-\d\d\)/m);
    expect(comments).toMatch(/^# Not known: ./m);
  });
}

function keepsToItsProvider({ preset }: PresetRecording, { baseUrl, origins, wait }: Target): void {
  test(`${preset} gives its key to hosts of its provider, and knows the states that are recorded of it`, () => {
    const domain = new URL(baseUrl).hostname.split('.').slice(-2).join('.');
    for (const pattern of origins.auth) {
      if (pattern.match === 'base') continue;
      const url = new URL(pattern.match === 'origin' ? pattern.origin : `no-host:${pattern.match}`);
      expect(`${url.protocol} ${url.hostname.split('.').slice(-2).join('.')}`).toBe(`https: ${domain}`);
    }
    for (const pattern of origins.download) {
      if (pattern.match === 'origin') expect(pattern.origin).toMatch(/^https:/);
      if (pattern.match === 'below') expect(pattern.protocol).toBe('https:');
    }
    const states = wait?.until?.by === 'poll' ? wait.until.state.listed : [];
    const listed = states.flatMap(({ test: kind, values }) => (kind === 'in' ? values : []));
    const provider = RECORDINGS.filter((other) => other.preset.startsWith(`${preset.split('/')[0]}/`));
    const replies = JSON.stringify(provider.map(({ polls, failures }) => [polls, failures.map((each) => each.polls)]));
    expect(listed.filter((state) => !replies.includes(JSON.stringify(state)))).toEqual([]);
  });
}

function sendsAndReads(recording: PresetRecording, target: Target): void {
  const { preset, polls, reported, secrets } = recording;

  test(`${preset} sends what the provider documents, and reads what it answers`, async () => {
    const { result, provider } = await callPreset(recording, repliesOf(recording));
    const [seen] = provider.api.seen;
    const sent = seen && (await readRequest(seen, Object.keys(recording.headers)));
    const wanted = documented(recording);
    for (const part of ['method', 'path', 'headers', 'body'] as const) {
      expect(sent?.[part], `${preset}: ${part} of the request`).toEqual(wanted[part]);
    }
    expect(result.outcome, `${preset}: ${errorOf(result)}`).toBe('ok');
    const read = [
      'seedEcho',
      'requestId',
      'serverMs',
      'costUsd',
      'model',
      'prompt',
      'memoryMb',
      'stages',
      'usage',
    ] as const;
    for (const name of read) {
      const value = reported[name] ?? null;
      const close = typeof value === 'number' ? expect.closeTo(value, 9) : value;
      expect(result.reported[name] ?? null, `${preset}: meta, ${name}`).toEqual(close);
    }
    const { bytes } = MEDIA[recording.media];
    expect(bytesOf(result), `${preset}: outputs`).toEqual(Array(recording.outputs).fill([...bytes]));
    if (recording.media === 'text') expect(target.result).toMatchObject({ from: 'text', expect: null });
    else expect(fitsExpectation(sniff(bytes), target.result.expect), `${preset}: result.expect`).toBe(true);
    expect(result.polls, `${preset}: polls`).toBe(polls?.length ?? 0);
    expect(result.marks.runningMs !== undefined, `${preset}: states that mean running`).toBe(recording.running);
    const told = JSON.stringify([provider.media.seen, result.captured, result.reported]);
    for (const secret of Object.values(secrets)) expect(told, `${preset}: key`).not.toContain(secret);
    expectCredentials(target, provider.api.seen);
  });

  // Where a reply names an address of the API, another address may stand there.
  if (JSON.stringify(repliesOf(recording)).includes('{origin}')) {
    test(`${preset} gives its key to no host that a reply names`, async () => {
      const foreign = replaced(repliesOf(recording), '{origin}', '{media}');
      // What is polled there has no state: once is enough.
      const options = JSON.stringify(recording.reply).includes('{origin}') ? { mostPolls: 1 } : {};
      const { provider } = await callPreset(recording, foreign, options);
      expect(provider.media.seen).not.toEqual([]);
      for (const seen of provider.media.seen) expect(credentialOf(target, seen), `${preset}: auth`).toBeUndefined();
      const told = JSON.stringify(provider.media.seen);
      for (const secret of Object.values(secrets)) expect(told, `${preset}: key`).not.toContain(secret);
    });
  }
}

function waits(recording: PresetRecording, target: Target): void {
  const { preset, polls, cancel } = recording;
  const until = target.wait?.until?.by === 'poll' ? target.wait.until : null;

  test(`${preset} is polled as often as the provider bears, or not at all`, () => {
    expect(until !== null, `${preset}: wait.poll`).toBe(recording.poll !== null);
    if (until === null) return;
    // Videos of the reference service take a few hundred milliseconds: 50 ms would be more than a tenth of that.
    const own = preset.startsWith('reference/') ? 20 : 50;
    const [least, most] = isOwn(target) ? [own, own] : [250, 15_000];
    expect(until.minEveryMs, `${preset}: wait.poll.min_every`).toBeGreaterThanOrEqual(least);
    expect(until.minEveryMs, `${preset}: wait.poll.min_every`).toBeLessThanOrEqual(most);
    expect(until.cancel.length, `${preset}: wait.cancel`).toBe(cancel.length);
  });

  if (cancel.length > 0) {
    test(`${preset} is ended at the service where it is abandoned`, async () => {
      const ended = [{ status: 200, json: {} }];
      const ends = { 'POST *': ended, 'PUT *': ended, 'DELETE *': ended };
      const unending = repliesOf(recording, { polls: polls?.slice(0, 1) });
      const { result, provider } = await callPreset(recording, { ...ends, ...unending }, { mostPolls: 1 });
      const asked = provider.api.seen.slice(1).filter(({ method }) => method !== 'GET');
      expect(
        asked.map(({ method, url }) => `${method} ${url}`),
        `${preset}: wait.cancel`,
      ).toEqual(cancel);
      expect(result.cancel, `${preset}: wait.cancel`).toMatchObject({ cancelled: true, code: null });
      for (const seen of asked) expect(credentialOf(target, seen) !== undefined).toBe(target.auth !== undefined);
    });
  }
}

function isRefused(recording: PresetRecording): void {
  const { preset, submit, failures, throttled } = recording;

  for (const { is, code, message, ...replies } of failures) {
    test(`${preset} is ${is} with ${code}, "${message}"`, async () => {
      const { result } = await callPreset(recording, repliesOf(recording, replies), { onThrottle: 'fail' });
      const said = 'error' in result ? result.error : null;
      const read = { is: result.outcome, code: said?.code, message: said?.message };
      expect(read, `${preset}: fail`).toEqual({ is, code, message });
    });
  }

  test(`${preset} does not retry when credit is missing`, async () => {
    const unpaid = { status: 402, json: { elsewhere: true } };
    const { result, provider } = await callPreset(recording, { [submit]: [unpaid] });
    expect(['no_credit', 'rejected']).toContain(result.outcome);
    expect(provider.api.seen).toHaveLength(1);
  });

  for (const { reply, waitMs } of throttled) {
    const wait = waitMs === null ? 'for a while of its own' : `the ${waitMs} ms of the reply`;
    test(`${preset} waits ${wait} where it is throttled`, async () => {
      // Nothing is waited for here: the call is told not to go on.
      const { waitsMs, provider } = await callPreset(recording, { [submit]: [reply] }, { timeoutMs: HOUR_MS });
      expect(waitsMs, `${preset}: fail`).toEqual([waitMs ?? expect.any(Number)]);
      expect(provider.api.seen).toHaveLength(1);
    });
  }
}

/** What follows from the shape of the replies, whatever their names: for one preset of each shape. */
export function shapeContract(recording: PresetRecording, target: Target): void {
  const { preset, poll, polls = [], secrets } = recording;
  const success = repliesOf(recording);

  describe(shapeOf(target), () => {
    test(`${preset} takes media from a server that stands in for the provider`, async () => {
      const replies: Replies = { 'GET *': [{ status: 200, media: true }], ...success };
      const { result, provider } = await callPreset(recording, replaced(replies, '{media}', '{origin}'));
      expect(result.outcome).toBe('ok');
      expect(provider.media.seen).toEqual([]);
    });

    const lacking = withoutFields(success);
    if (lacking.length > 0) {
      test(`${preset} fails with the place and the reply where a reply lacks what it needs`, async () => {
        for (const replies of lacking) {
          const { result } = await callPreset(recording, replies, { mostPolls: polls.length + 1 });
          expect(result.outcome).not.toBe('ok');
          for (const secret of Object.values(secrets)) expect(JSON.stringify(result)).not.toContain(secret);
          // Where a job that says nothing is a job not done, the call goes on until it is cancelled.
          if (result.outcome !== 'cancelled') {
            expect(errorOf(result)).toMatch(/(\$|header:|status|body|event).*"elsewhere"/s);
          }
        }
      });
    }

    if (poll === null) return;

    test(`${preset} goes on where a poll is refused for the moment`, async () => {
      const busy: RecordedReply = { status: 429, headers: { 'retry-after-ms': '1' }, text: 'busy' };
      const { result } = await callPreset(recording, { ...success, [poll]: [busy, ...polls] });
      expect(result.outcome).toBe('ok');
    });

    test(`${preset} fails by a state that the provider does not document, and says which`, async () => {
      const { result } = await callPreset(recording, { ...success, [poll]: withUnheardState(polls, target) });
      expect(result).toMatchObject({ outcome: 'error', error: { code: 'unlisted_state' } });
      expect(errorOf(result)).toMatch(/"unheard-of" at .* is not listed: /);
    });
  });
}

/** The request as `readRequest` reads it. */
function documented({ submit, headers, json, multipart }: PresetRecording) {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const [method, path] = submit.split(' ');
  return { method, path, headers: { ...headers, ...type }, body: withImage({ json, multipart }) };
}

/** Whether every request proves who asks that the target says does; the submit always. */
function expectCredentials(target: Target, asked: readonly Seen[]): void {
  const { id, auth, wait, hops } = target;
  const bare = asked.filter((seen) => credentialOf(target, seen) === undefined).map(({ method }) => method);
  const later = [...(wait?.until?.by === 'poll' ? [wait.until.request] : []), ...hops.map(({ request }) => request)];
  if (auth === undefined) expect(bare, `${id}: auth`).toHaveLength(asked.length);
  else if (later.every((request) => request.auth)) expect(bare, `${id}: auth`).toEqual([]);
  else expect(bare, `${id}: auth`).not.toContain('POST');
}

/** Whether it is for a server on a machine of one's own, which nobody else asks. */
function isOwn({ baseUrl }: Target): boolean {
  return baseUrl === EMBEDDED || new URL(baseUrl).hostname === '127.0.0.1';
}

function errorOf(result: Awaited<ReturnType<typeof callPreset>>['result']): string {
  return 'error' in result ? result.error.message : '';
}

function replaced(replies: Replies, from: string, to: string): Replies {
  return JSON.parse(JSON.stringify(replies).replaceAll(from, to)) as Replies;
}

/** What proves who asks, where the target says it goes. */
function credentialOf({ auth }: Target, { headers, url }: Seen): string | undefined {
  if (auth === undefined) return undefined;
  if (auth.in === 'query') return new URL(url, 'http://x').searchParams.get(auth.name) ?? undefined;
  return headers[auth.name.toLowerCase()]?.toString();
}

/** The replies over and over, each time with another one empty, and those after it. */
function withoutFields(replies: Replies): readonly Replies[] {
  return Object.entries(replies).flatMap(([key, list]) =>
    list.flatMap((reply, index) => {
      if ('media' in reply) return [];
      const { status, headers } = reply;
      const empty: RecordedReply =
        'json' in reply
          ? { status, headers, json: { elsewhere: true } }
          : { status, headers, text: 'event: elsewhere\ndata: {"elsewhere":true}\n\n' };
      // Not that one alone: where a job that says nothing is a job not done, the next would save it.
      return [{ ...replies, [key]: list.map((each, at) => (at < index ? each : empty)) }];
    }),
  );
}

/** The replies with a state that nobody has heard of. */
function withUnheardState(replies: readonly RecordedReply[], { wait }: Target): readonly RecordedReply[] {
  const listed = wait?.until?.by === 'poll' ? wait.until.state.listed.flatMap(({ values }) => values) : [];
  const known = new Set<unknown>(listed);
  return JSON.parse(JSON.stringify(replies), (_key, value: unknown) => (known.has(value) ? 'unheard-of' : value));
}

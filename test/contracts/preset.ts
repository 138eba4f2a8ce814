import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/media/compare/level.ts';
import { fitsExpectation, sniff } from '../../src/media/sniff.ts';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import { formatDiagnostic } from '../../src/suite/document/diagnostic.ts';
import type { Json, JsonObject } from '../../src/suite/document/json.ts';
import type { Case } from '../../src/suite/format/suite.ts';
import { type Call, performCall } from '../../src/targets/call/call.ts';
import { EMBEDDED, type Target, type Variant } from '../../src/targets/model/target.ts';
import { encodeBody } from '../../src/targets/request/encode-body.ts';
import { renderSubmit } from '../../src/targets/request/request.ts';
import { resolveVariants } from '../../src/targets/resolve.ts';
import { createCredentials } from '../../src/targets/secrets/credential.ts';
import { knowSecrets } from '../../src/targets/secrets/known-secrets.ts';
import { createTransport } from '../../src/targets/transport/transport.ts';
import type { PresetRecording, RecordedReply, Replies, SuccessScene } from '../fixtures/preset-recording.ts';
import { MEDIA, type RecordedProvider, readRequest, serveRecorded, withImage } from '../fixtures/recorded-provider.ts';
import { bytesOf, sleep } from '../targets/call/calling.ts';
import type { Seen } from '../targets/loopback.ts';
import { caseWith } from '../targets/target-fixture.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));
const PLACE = { file: 'suite.yaml', line: 1, column: 1 };
const LIMIT_MS = 5000;
const HOUR_MS = 3_600_000;

/** What every preset keeps, for every provider. */
export function presetContract(recording: PresetRecording): void {
  const { preset, submit, success, pending, failure, moderated, throttled } = recording;
  const file = `${PRESETS}/${preset}.yaml`;
  // Our own service is described beside its code, and runs on this machine.
  const ours = preset.startsWith('reference/');

  describe(preset, () => {
    let target: Target;
    beforeAll(async () => {
      target = await loadPreset(file);
    });

    test(`${preset} is named as its file, cites what it was written from, and says what is not known`, () => {
      expect(target.id).toBe(preset);
      const comments = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('#'))
        .join('\n');
      if (ours) return expect(comments).toContain('src/service/README.md');
      expect(comments).toMatch(/^# Written from: .*https:\/\/.* \(20\d\d-\d\d-\d\d\)/m);
      expect(comments).toMatch(/^# Not known: ./m);
    });

    test(`${preset} sends what the provider documents, and gives what it answers`, async () => {
      const provider = await serveRecorded(success.replies, recording.media);
      const { result } = await callPreset(recording, target, provider);
      expect(result).toMatchObject({ outcome: 'ok', reported: saidBy(success) });
      const [seen] = provider.api.seen;
      const read = seen === undefined ? null : await readRequest(seen, Object.keys(submit.headers));
      expect(read).toEqual({ ...submit, body: withImage(submit.body) });
      const { bytes } = MEDIA[recording.media];
      expect(fitsExpectation(sniff(bytes), target.result.expect)).toBe(true);
      expect(bytesOf(result)).toEqual(Array.from({ length: recording.outputs ?? 1 }, () => [...bytes]));
    });

    test(`${preset} tells nobody but the API its key`, async () => {
      const provider = await serveRecorded((pending ?? success).replies, recording.media);
      const { result } = await callPreset(recording, target, provider);
      const told = JSON.stringify([provider.media.seen, result.captured, result.reported]);
      for (const secret of Object.values(recording.secrets)) expect(told).not.toContain(secret);
    });

    if (pending === null) {
      test(`${preset} is answered at once`, () => expect(target.wait?.until?.by === 'poll').toBe(false));
    } else {
      test(`${preset} is polled until it is done`, async () => {
        const provider = await serveRecorded(pending.replies, recording.media);
        const { result } = await callPreset(recording, target, provider);
        expect(result).toMatchObject({ outcome: 'ok', reported: saidBy(pending) });
        expect(result.polls).toBeGreaterThanOrEqual(pending.polls);
        expect(result.marks.runningMs !== undefined).toBe(pending.running);
        expect(Object.keys(result.captured).length).toBeGreaterThan(0);
      });

      test(`${preset} proves who asks with every request to the API that it says needs it`, async () => {
        const provider = await serveRecorded(pending.replies, recording.media);
        await callPreset(recording, target, provider);
        const bare = provider.api.seen.filter((seen) => credentialOf(target, seen) === undefined);
        const until = target.wait?.until;
        const later = [...(until?.by === 'poll' ? [until.request] : []), ...target.hops.map(({ request }) => request)];
        const without = target.auth === null ? provider.api.seen : [];
        if (later.every(({ auth }) => auth)) expect(bare).toEqual(without);
        else expect(bare.map(({ method }) => method)).not.toContain(submit.method === 'POST' ? 'POST' : 'PUT');
      });

      test(`${preset} is polled no more than a provider bears, as often as a server on this machine can be, and once in 15 s`, () => {
        const until = target.wait?.until;
        expect(until).toMatchObject({ by: 'poll' });
        if (until?.by === 'poll' && isOwn(target)) {
          // Videos of the reference service take a few hundred milliseconds: 50 ms would be more than a tenth of that.
          return expect(until.minEveryMs).toBe(target.id.startsWith('reference/') ? 20 : 50);
        }
        expect(until?.by === 'poll' ? until.minEveryMs : 0).toBeGreaterThanOrEqual(250);
        expect(until?.by === 'poll' ? until.minEveryMs : 0).toBeLessThanOrEqual(15_000);
      });

      test(`${preset} is ended at the service where it is abandoned, if the provider has a way`, async () => {
        const [[poll = '', list = []] = []] = Object.entries(pending.replies).filter(([key]) => key.startsWith('GET'));
        const ended = [{ status: 200, json: {} }] as const;
        const unending = {
          ...pending.replies,
          [poll]: list.slice(0, 1),
          'POST *': ended,
          'PUT *': ended,
          'DELETE *': ended,
        };
        const provider = await serveRecorded(unending, recording.media);
        const { result } = await callPreset(recording, target, provider, { timeoutMs: 400 });
        expect(result.outcome).toBe('timed_out');
        const asked = provider.api.seen.slice(1).filter(({ method }) => method !== 'GET');
        expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(pending.cancel ?? []);
        if (pending.cancel === undefined) return expect(result.cancel).toBeNull();
        expect(result.cancel).toMatchObject({ cancelled: true, code: null });
        for (const seen of asked) expect(credentialOf(target, seen) !== undefined).toBe(target.auth !== null);
      });

      test(`${preset} goes on where a poll is refused for the moment`, async () => {
        const [[poll = '', list = []] = []] = Object.entries(pending.replies).filter(([key]) => key.startsWith('GET'));
        const busy = { status: 429, headers: { 'retry-after-ms': '1' }, text: 'busy' } as const;
        const provider = await serveRecorded({ ...pending.replies, [poll]: [busy, ...list] }, recording.media);
        const { result } = await callPreset(recording, target, provider);
        expect(result.outcome).toBe('ok');
      });

      test(`${preset} fails by a state that the provider does not document, and says which`, async () => {
        const unheard = withUnheardState(pending.replies, target);
        const provider = await serveRecorded(unheard, recording.media);
        const { result } = await callPreset(recording, target, provider);
        expect(result).toMatchObject({ outcome: 'error', error: { code: 'unlisted_state' } });
        expect(errorOf(result)).toMatch(/"unheard-of" at .* is not listed: /);
      });
    }

    test(`${preset} fails with the reason that the provider gives`, async () => {
      const { result } = await callPreset(recording, target, await serveRecorded(failure.replies, recording.media));
      const { outcome, code, message } = failure;
      expect(result).toMatchObject({ outcome, error: { code, message: expect.stringContaining(message) } });
    });

    if ('undocumented' in moderated) {
      test.skip(`${preset} refuses for its content: ${moderated.undocumented}`, () => {});
    } else {
      test(`${preset} is moderated where the provider refuses for content`, async () => {
        const { result } = await callPreset(recording, target, await serveRecorded(moderated.replies, recording.media));
        const { outcome, code, message } = moderated;
        expect(outcome).toBe('moderated');
        expect(result).toMatchObject({ outcome, error: { code, message: expect.stringContaining(message) } });
      });
    }

    test(`${preset} does not retry when credit is missing`, async () => {
      const replies = { [`${submit.method} ${submit.path}`]: [{ status: 402, json: { elsewhere: true } }] };
      const { result } = await callPreset(recording, target, await serveRecorded(replies, recording.media));
      expect(['no_credit', 'rejected']).toContain(result.outcome);
    });

    test(`${preset} takes media from a server that stands in for the provider`, async () => {
      const replies = { 'GET *': [{ status: 200, media: true } as const], ...atTheApi(success.replies) };
      const provider = await serveRecorded(replies, recording.media);
      const { result } = await callPreset(recording, target, provider);
      expect(result.outcome).toBe('ok');
      expect(provider.media.seen).toEqual([]);
    });

    test(`${preset} gives its key to no host that a reply names`, async () => {
      const foreign = elsewhere((pending ?? success).replies);
      const provider = await serveRecorded(foreign, recording.media);
      await callPreset(recording, target, provider, { timeoutMs: 400 });
      for (const seen of provider.media.seen) expect(credentialOf(target, seen)).toBeUndefined();
      const told = JSON.stringify(provider.media.seen);
      for (const secret of Object.values(recording.secrets)) expect(told).not.toContain(secret);
    });

    test(`${preset} is throttled where the provider asks to wait, and waits as asked`, async () => {
      const replies = { [`${submit.method} ${submit.path}`]: [throttled.reply] };
      const provider = await serveRecorded(replies, recording.media);
      const refused = await callPreset(recording, target, provider, { onThrottle: 'fail' });
      expect(refused.result.outcome).toBe('throttled');
      expect(provider.api.seen.length).toBe(1);
      // Nothing is waited for here: the call is told not to go on.
      const { waitsMs } = await callPreset(recording, target, provider, { timeoutMs: HOUR_MS });
      expect(waitsMs).toEqual([throttled.asksMs ?? expect.any(Number)]);
    });

    test(`${preset} fails with the place and the reply where a reply lacks what it needs`, async () => {
      const scenes = pending === null ? [success.replies] : [success.replies, pending.replies];
      for (const replies of scenes.flatMap(withoutFields)) {
        const provider = await serveRecorded(replies, recording.media);
        const { result } = await callPreset(recording, target, provider, { timeoutMs: 400 });
        expect(result.outcome).not.toBe('ok');
        const { secrets } = recording;
        for (const secret of Object.values(secrets)) expect(JSON.stringify(result)).not.toContain(secret);
        // Where a job that says nothing is a job not done, it is waited for until the time is over.
        if (result.outcome !== 'timed_out') {
          expect(errorOf(result)).toMatch(/(\$|header:|status|body|event).*"elsewhere"/s);
        }
      }
    });
  });
}

/** Whether it is for a server on a machine of one's own, which nobody else asks. */
function isOwn({ baseUrl }: Target): boolean {
  return baseUrl === EMBEDDED || new URL(baseUrl).hostname === '127.0.0.1';
}

async function loadPreset(file: string): Promise<Target> {
  const loaded = await loadTargetFile(file, { env: {}, cwd: PRESETS });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  return loaded.value;
}

/** One call of a preset as the wire would make it, sent to the recorded provider in place of the real one. */
export async function callPreset(
  recording: PresetRecording,
  target: Target,
  { api, media }: RecordedProvider,
  { timeoutMs = LIMIT_MS, onThrottle = 'wait' }: Partial<Pick<Call, 'timeoutMs' | 'onThrottle'>> = {},
) {
  const variant = variantFor(recording, target, api.url);
  const { seed } = recording.asks;
  const scope = { baseUrl: variant.baseUrl, secrets: recording.secrets, unique: '{unique}', digest: 'ab'.repeat(32) };
  const submit = renderSubmit(variant, { case: caseOf(recording, target), seed }, scope);
  const transport = createTransport({ now: () => performance.now(), connections: 2 });
  const waitsMs: number[] = [];
  try {
    const secrets = knowSecrets(Object.values(recording.secrets));
    const result = await performCall(
      {
        target: hastened(withMediaHost(target, media.url)),
        submit: { ...submit, body: encodeBody(submit.body) },
        baseUrl: variant.baseUrl,
        timeoutMs,
        onThrottle,
      },
      {
        transport,
        now: () => performance.now(),
        sleep,
        random: () => 0.5,
        signal: new AbortController().signal,
        held: new AbortController().signal,
        secrets,
        credentials: createCredentials(() => Date.parse('2026-01-01T00:00:00Z'), secrets),
        uniqueKey: () => 'a-key-of-its-own',
        accepted: async () => {},
        refused: async ({ waitMs }) => {
          waitsMs.push(waitMs);
          return false;
        },
      },
    );
    return { result, waitsMs };
  } finally {
    await transport.close();
  }
}

/** The variant that a suite would make of the preset, at another server. */
function variantFor(recording: PresetRecording, target: Target, url: string): Variant {
  const { pathname } = new URL(target.baseUrl === 'embedded:' ? 'http://x' : target.baseUrl);
  const declared = {
    name: 'standard',
    target: target.id,
    targetSource: { place: PLACE, setBy: null, filled: false },
    place: PLACE,
    constants: recording.const ?? {},
    constantSources: {},
    baseline: true,
    optional: false,
    price: null,
    baseUrl: { text: `${url}${pathname}`, source: { place: PLACE, setBy: null, filled: false } },
    levels: DEFAULT_LIMITS,
  };
  const { seed } = recording.asks;
  const resolved = resolveVariants(
    {
      variants: [declared],
      cases: [caseOf(recording, target)],
      inputSources: {},
      seeds: seed === null ? [] : [seed],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 0.5 },
    },
    new Map([[target.id, target]]),
  );
  if (!resolved.ok) throw new Error(resolved.diagnostics.map(formatDiagnostic).join('\n'));
  const [variant] = resolved.value;
  if (variant === undefined) throw new Error('one variant was declared');
  return variant;
}

function caseOf({ asks }: PresetRecording, { kind }: Target): Case {
  const { bytes, mime } = MEDIA.png;
  return caseWith({
    text: asks.prompt,
    kinds: [kind],
    inputs: asks.inputs ?? {},
    image: asks.image === true ? { fileName: 'in.png', sha256: 'ab'.repeat(32), mime, bytes } : null,
  });
}

/** The recorded media host stands for the real ones, which the preset names. */
function withMediaHost(target: Target, origin: string): Target {
  const { origins } = target;
  return { ...target, origins: { ...origins, download: [...origins.download, { match: 'origin', origin }] } };
}

/** The same polls, one after the other. */
function hastened(target: Target): Target {
  const { wait } = target;
  if (wait === null || wait.until?.by !== 'poll') return target;
  return { ...target, wait: { ...wait, until: { ...wait.until, minEveryMs: 1 } } };
}

/** What of the server's own words the recording speaks of. */
function saidBy({ says }: SuccessScene): Readonly<Record<string, unknown>> {
  return says ?? {};
}

function errorOf(result: Awaited<ReturnType<typeof callPreset>>['result']): string {
  return 'error' in result ? result.error.message : '';
}

/** The scene with media where the API is. */
function atTheApi(replies: Replies): Replies {
  return JSON.parse(JSON.stringify(replies).replaceAll('{media}', '{origin}')) as Replies;
}

/** The scene with everything that replies lead to at another host. */
function elsewhere(replies: Replies): Replies {
  return JSON.parse(JSON.stringify(replies).replaceAll('{origin}', '{media}')) as Replies;
}

/** What proves who asks, where the target says it goes. */
function credentialOf({ auth }: Target, { headers, url }: Seen): string | undefined {
  if (auth === null) return undefined;
  if (auth.in === 'query') return new URL(url, 'http://x').searchParams.get(auth.name) ?? undefined;
  return headers[auth.name.toLowerCase()]?.toString();
}

/** The scene over and over, each time with another of its JSON replies or streams of events, and those after it, holding nothing it should. */
function withoutFields(replies: Replies): readonly Replies[] {
  return Object.entries(replies).flatMap(([key, list]) =>
    list.flatMap((reply, index) => {
      if ('media' in reply) return [];
      const { status, headers = {} } = reply;
      const empty: RecordedReply =
        'json' in reply
          ? { status, headers, json: { elsewhere: true } }
          : { status, headers, text: 'event: elsewhere\ndata: {"elsewhere":true}\n\n' };
      // Not that one alone: where a job that says nothing is a job not done, the next would save it.
      const blank = list.map((each, at) => (at < index ? each : empty));
      return [{ ...replies, [key]: blank }];
    }),
  );
}

/** The scene with a state that nobody has heard of, wherever its replies have one. */
function withUnheardState(replies: Replies, target: Target): Replies {
  const { wait } = target;
  const at = wait?.until?.by === 'poll' ? wait.until.state.at : [];
  const [place] = at;
  if (place === undefined) return replies;
  const change = (reply: RecordedReply): RecordedReply => {
    if (place.at === 'status') return { ...reply, status: 299 };
    if (!('json' in reply) || place.at !== 'json') return reply;
    return { ...reply, json: withValue(reply.json, (place.paths[0] ?? '').split(/[.[\]'"$]+/).filter(Boolean)) };
  };
  return Object.fromEntries(
    Object.entries(replies).map(([key, list]) => [key, key.startsWith('GET') ? list.map(change) : list]),
  );
}

/** The value with "unheard-of" at a path of member names, where that leads to something. */
function withValue(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return 'unheard-of';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === step ? withValue(item, rest) : item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [
      name,
      name === step || step === '*' ? withValue(member, rest) : member,
    ]),
  );
}

import { TIMINGS, timingOf, timingsOf } from '../../analysis/effective-sample.ts';
import { connectionRemedy, keyRemedy } from '../../analysis/incomplete.ts';
import { MOST_LEFT_OPEN, pollRemedy } from '../../analysis/sample-times.ts';
import { isSameNumber } from '../../kit/decimal.ts';
import type { JsonObject } from '../../kit/json.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, duration, plural, bytes as sayBytes, share } from '../../kit/wording.ts';
import type { CallResult } from '../../targets/call.ts';
import type {
  CallEvent,
  Reading,
  RequestEnded,
  ShownBody,
  ShownField,
  ShownHeaders,
  ShownReply,
  ShownRequest,
  Step,
} from '../../targets/call-event.ts';
import type { Marks } from '../../targets/recorded.ts';
import type { KeyNames } from '../../targets/secrets.ts';
import type { Target } from '../../targets/target.ts';

/** @param seed null: the target takes none */
export function describeRequest({ id, kind, submit }: Target, baseUrl: string, seed: number | null): string {
  const sent = seed === null ? 'no seed (the target takes none)' : `seed ${seed}`;
  const body =
    submit.body.encoding === 'multipart' || submit.body.encoding === 'form'
      ? `: ${submit.body.fields.map(([name]) => name).join(', ')}`
      : '';
  return visibleLine(`${id} (${kind}) at ${baseUrl}, ${sent}, ${submit.method} ${submit.body.encoding}${body}`);
}

/** `ok, HTTP 200 in 219 ms`. */
function describeOutcome({ outcome, httpStatus, marks }: CallResult): string {
  const took = outcome === 'ok' && marks.doneMs !== undefined ? ` in ${duration(marks.doneMs - marks.startedMs)}` : '';
  return `${outcome}${httpStatus === null ? '' : `, HTTP ${httpStatus}`}${took}`;
}

/**
 * @param zeroMs zero of the timestamps: the first request of the call
 * @param seed that was sent; null: none
 */
export function describeResult(
  result: CallResult,
  zeroMs: number,
  { seed, keys }: { readonly seed: number | null; readonly keys: KeyNames },
): readonly string[] {
  const { marks, attempts, throttleWaitMs, reported } = result;
  const lines = [describeOutcome(result)];
  if (result.outcome !== 'ok') {
    const { code, message } = result.error;
    lines.push(message === '' ? `  ${code}` : `  ${code}: ${message}`);
    const remedy = connectionRemedy(code);
    if (remedy !== null) lines.push(`  ${remedy}, or name another server with --base-url`);
    lines.push(...[keyRemedy(result.httpStatus, keys) ?? []].flat().map((key) => `  ${key}`));
  }
  for (const [name, at] of orderedMarks(marks)) {
    lines.push(`  ${name.padEnd(12)} ${(at - zeroMs).toFixed(1).padStart(10)} ms`);
  }
  lines.push(...describeTimings(result).map((line) => `  ${line}`));
  if (result.outcome === 'ok') lines.push(...pollLines(result).map((line) => `  ${line}`));
  if (attempts > 1) {
    const waited = throttleWaitMs > 0 ? `, ${duration(throttleWaitMs)} of waiting because rate-limited` : '';
    lines.push(`  ${plural(attempts, 'attempt')}${waited}; the timestamps are of the last one`);
  }
  if (reported.serverMs !== null) lines.push(`  the server reports that it took ${duration(reported.serverMs)}`);
  if (reported.seedEcho !== null) {
    const asked = seed !== null && isSameNumber(reported.seedEcho, seed) ? '' : ` (sent: ${seed ?? 'none'})`;
    lines.push(`  the server reports seed ${reported.seedEcho}${asked}`);
  }
  if (reported.cached !== null) {
    lines.push(`  the server reports that it was ${reported.cached ? '' : 'not '}served from a cache`);
  }
  if (reported.requestId !== null) lines.push(`  the server's request id is ${reported.requestId}`);
  return lines.map(visibleLine);
}

/** `submit 21.0 + download 2.0 = total 23.0 ms`, as in samples.csv; then the ranges that polls leave. */
function describeTimings({ marks, polls, attempts }: CallResult): readonly string[] {
  const timings = timingsOf({ marks, polls, flags: [], attempts });
  const { totalMs } = timings;
  const known = TIMINGS.flatMap((name) => {
    const ms = timingOf(timings, name);
    return ms === null ? [] : [`${name} ${ms.toFixed(1)}`];
  });
  if (known.length === 0) return [];
  const sum = totalMs === null ? `${known.join(', ')} ms` : `${known.join(' + ')} = total ${totalMs.toFixed(1)} ms`;
  return [sum, ...rangesOf(timings)];
}

function rangesOf({ queueMs, queueLowMs, runMs, runHighMs }: ReturnType<typeof timingsOf>): readonly string[] {
  if (queueMs === null || queueLowMs === null || runMs === null || runHighMs === null) return [];
  const run = `run ${runMs.toFixed(1)} to ${runHighMs.toFixed(1)} ms`;
  return [`by the polls: queue at least ${queueLowMs.toFixed(1)}, ${run}`];
}

/** Where polls leave more of this call open than a report lets pass: a gap that leaves half of that. */
function pollLines({ marks, polls, attempts }: CallResult): readonly string[] {
  const { totalMs, generationMs, generationLowMs } = timingsOf({ marks, polls, flags: [], attempts });
  if (polls === 0 || totalMs === null || generationMs === null || generationLowMs === null) return [];
  const gapMs = generationMs - generationLowMs;
  if (gapMs <= MOST_LEFT_OPEN * totalMs) return [];
  const remedy = pollRemedy(totalMs);
  const apart = `the last polls were ${duration(gapMs)} apart, ${share(gapMs / totalMs)} of this call`;
  return [remedy === null ? apart : `${apart}: ${remedy} in the target`];
}

/** `last pending` for `lastPendingMs`; the earliest first. */
function orderedMarks(marks: Marks): readonly (readonly [string, number])[] {
  const named = Object.entries(marks).map(
    ([key, at]) => [key.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), at] as const,
  );
  return named.sort(([, a], [, b]) => a - b);
}

export function describeSent({ method, url, headers, body }: ShownRequest): readonly string[] {
  return marked('>', [`${method} ${url}`, ...describeHeaders(headers), ...describeBody(body)]);
}

function describeReceived({ status, headers, body }: ShownReply): readonly string[] {
  return marked('<', [`HTTP ${status}`, ...describeHeaders(headers), ...describeBody(body)]);
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(/\r\n|\n|\r/)).map((line) => `    ${mark} ${visibleLine(line)}`.trimEnd());
}

function describeHeaders(headers: ShownHeaders): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

function describeBody(body: ShownBody): readonly string[] {
  switch (body.is) {
    case 'none':
      return [];
    case 'json':
    case 'text':
      return ['', body.text];
    case 'multipart':
    case 'form':
      return ['', ...body.fields.map((field) => `${field.name}: ${describeField(field)}`)];
    case 'bytes':
      return ['', `(${body.mime ?? 'no media type'}, ${sayBytes(body.bytes)})`];
  }
}

function describeField(field: ShownField): string {
  return 'value' in field ? field.value : `file ${field.fileName} (${field.mime}, ${sayBytes(field.bytes)})`;
}

/** The header of a credential, in lower case, as the target writes it: `Bearer ${secret.API_KEY}`. */
export interface WrittenCredential {
  readonly header: string;
  readonly written: string;
}

interface LogTurn {
  readonly step: Step;
  readonly requests: readonly RequestEnded[];
  readonly reading: Reading | null;
}

/** Polls in a row with one reply that are shown; of more, only the number is. */
const SHOWN_POLLS = 3;

const STEP_WIDTH = 'download'.length;
const HEAD = `  ${'at ms'.padStart(9)} ${'took ms'.padStart(9)}`;
const NO_TIMES = ' '.repeat(HEAD.length);

/**
 * Gives lines about a call while it is made; times in milliseconds from its first request. URLs at the origin of
 * `baseUrl` are shortened to their path.
 */
export function createCallLog(baseUrl: string, credential: WrittenCredential | null = null) {
  const { origin } = new URL(baseUrl);
  let zeroMs: number | null = null;
  let requests: RequestEnded[] = [];
  let streak = { kind: '', shown: 0, hidden: 0, lastMs: 0 };

  const endStreak = (): readonly string[] => {
    const { hidden, lastMs } = streak;
    streak = { kind: '', shown: 0, hidden: 0, lastMs: 0 };
    if (hidden === 0) return [];
    const more =
      hidden === 1 ? '1 more poll with the same reply, at' : `${count(hidden)} more polls with the same reply, to`;
    return [`${NO_TIMES}  ${'poll'.padEnd(STEP_WIDTH)}  … ${more} ${lastMs.toFixed(1)} ms`];
  };
  const showTurn = (turn: LogTurn): readonly string[] => {
    const kind = turn.step === 'poll' ? kindOf(turn) : '';
    const before = kind === '' || kind !== streak.kind ? endStreak() : [];
    if (kind !== '' && streak.shown >= SHOWN_POLLS) {
      streak = { ...streak, hidden: streak.hidden + 1, lastMs: (turn.requests[0]?.beganMs ?? 0) - (zeroMs ?? 0) };
      return before;
    }
    streak = { kind, shown: streak.shown + 1, hidden: 0, lastMs: 0 };
    return [...before, ...describeTurn(turn, origin, zeroMs ?? 0, credential)];
  };
  const endTurn = (step: Step, reading: Reading | null): readonly string[] => {
    const turn = { step, requests, reading };
    requests = [];
    return showTurn(turn);
  };

  return {
    add: (event: CallEvent): readonly string[] => {
      switch (event.event) {
        case 'request': {
          const heading = zeroMs === null ? [HEAD] : [];
          zeroMs ??= event.beganMs;
          requests.push(event);
          return heading;
        }
        case 'read':
          return endTurn(event.step, event.reading);
        case 'captured':
          return [...endStreak(), ...describeCaptured(event.values)];
      }
    },
    end: (): readonly string[] => {
      const [first] = requests;
      return [...(first === undefined ? [] : endTurn(first.step, null)), ...endStreak()];
    },
    zeroMs: () => zeroMs,
  };
}

function kindOf({ requests, reading }: LogTurn): string {
  const sent = requests.map(({ url, credential, status, failure }) => [url, credential, status, failure]);
  const read = reading === null ? null : reading.is === 'good' ? reading.state : reading.is;
  return JSON.stringify([sent, read]);
}

function describeTurn(
  { step, requests, reading }: LogTurn,
  origin: string,
  zeroMs: number,
  credential: WrittenCredential | null,
): readonly string[] {
  const lines = requests.flatMap((request, index) => {
    const { redirect, beganMs, endedMs, method, url } = request;
    const where = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    const read = index === requests.length - 1 ? describeReading(reading, request) : [];
    const label = (redirect > 0 ? 'redirect' : step).padEnd(STEP_WIDTH);
    const times = `  ${ms(beganMs - zeroMs)} ${ms(endedMs - beganMs)}`;
    const came = [...describeEnd(request), ...read].join(', ');
    const transfer = describeTransfer(request).join(', ');
    const line = `${times}  ${label}  ${came}: ${method} ${where}${transfer === '' ? '' : ` (${transfer})`}`;
    return [visibleLine(line), ...describeServerTimings(request), ...describeShown(request, credential)];
  });
  const unsent =
    requests.length === 0 && reading?.is === 'failed'
      ? [`${NO_TIMES}  ${step.padEnd(STEP_WIDTH)}  not sent: ${reading.error.message}`]
      : [];
  return [...lines, ...unsent.map(visibleLine)];
}

/** As locators, to copy into the target: `timing:db = 53.0 ms`. */
function describeServerTimings({ timings = [] }: RequestEnded): readonly string[] {
  if (timings.length === 0) return [];
  const named = timings.map(({ name, ms }) => `timing:${name} ${ms === null ? 'without a time' : `= ${duration(ms)}`}`);
  return [visibleLine(`${NO_TIMES}  ${'timings'.padEnd(STEP_WIDTH)}  ${named.join(', ')}`)];
}

function describeShown({ shown }: RequestEnded, credential: WrittenCredential | null): readonly string[] {
  if (shown === undefined) return [];
  const headers = shown.request.headers.map(
    ([name, value]) => [name, name === credential?.header ? credential.written : value] as const,
  );
  const reply = shown.reply === null ? [] : describeReceived(shown.reply);
  return [...describeSent({ ...shown.request, headers }), ...reply];
}

function describeEnd({ status, failure, left }: RequestEnded): readonly string[] {
  return [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(failure === null ? [] : [left ? failure : `${failure}, nothing was sent`]),
  ];
}

function describeTransfer({ credential, left, sentBytes, receivedBytes, connectMs }: RequestEnded): readonly string[] {
  if (!left) return [];
  return [
    credential ? 'with credential' : 'no credential',
    ...(connectMs === null ? [] : [`connected in ${duration(connectMs)}`]),
    ...(sentBytes === 0 ? [] : [`${sayBytes(sentBytes)} sent`]),
    ...(receivedBytes === null ? [] : [`${sayBytes(receivedBytes)} received`]),
  ];
}

function describeReading(reading: Reading | null, { status, failure }: RequestEnded): readonly string[] {
  if (reading === null) return [];
  if (reading.is === 'good') return reading.state === null ? [] : [reading.state];
  const code = reading.is === 'again' ? reading.code : reading.error.code;
  const isRepeated = code.endsWith(failure ?? `http_${status}`);
  if (reading.is === 'failed') return [isRepeated ? reading.outcome : `${reading.outcome} (${code})`];
  const throttled = isRepeated ? 'throttled' : `throttled (${code})`;
  const why = reading.throttled ? [throttled] : isRepeated ? [] : [code];
  return [...why, `sent again after ${duration(reading.waitMs)}`];
}

function describeCaptured(values: JsonObject): readonly string[] {
  return Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return visibleLine(`${NO_TIMES}  ${'captured'.padEnd(STEP_WIDTH)}  ${name}: ${text}`);
  });
}

function ms(value: number): string {
  return value.toFixed(1).padStart(9);
}

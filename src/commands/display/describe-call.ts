import { timingsOf } from '../../analysis/effective-sample.ts';
import { connectionRemedy } from '../../analysis/incomplete.ts';
import { visibleLine } from '../../kit/visible.ts';
import { duration, plural, bytes as sayBytes } from '../../kit/wording.ts';
import type { CallResult } from '../../targets/call.ts';
import type { ShownBody, ShownField, ShownHeaders, ShownReply, ShownRequest } from '../../targets/call-event.ts';
import type { Marks } from '../../targets/marks.ts';
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
export function describeOutcome({ outcome, httpStatus, marks }: CallResult): string {
  const took = outcome === 'ok' && marks.doneMs !== undefined ? ` in ${duration(marks.doneMs - marks.startedMs)}` : '';
  return `${outcome}${httpStatus === null ? '' : `, HTTP ${httpStatus}`}${took}`;
}

/**
 * @param zeroMs zero of the timestamps: the first request of the call
 * @param seed that was sent; null: none
 */
export function describeResult(result: CallResult, zeroMs: number, seed: number | null): readonly string[] {
  const { marks, attempts, throttleWaitMs, reported } = result;
  const lines = [describeOutcome(result)];
  if (result.outcome !== 'ok') {
    const { code, message } = result.error;
    lines.push(message === '' ? `  ${code}` : `  ${code}: ${message}`);
    const remedy = connectionRemedy(code);
    if (remedy !== null) lines.push(`  ${remedy}, or name another server with --base-url`);
  }
  for (const [name, at] of orderedMarks(marks)) {
    lines.push(`  ${name.padEnd(12)} ${(at - zeroMs).toFixed(1).padStart(10)} ms`);
  }
  lines.push(...describeTimings(result).map((line) => `  ${line}`));
  if (attempts > 1) {
    const waited = throttleWaitMs > 0 ? `, ${duration(throttleWaitMs)} of waiting because rate-limited` : '';
    lines.push(`  ${plural(attempts, 'attempt')}${waited}; the timestamps are of the last one`);
  }
  if (reported.serverMs !== null) lines.push(`  the server reports that it took ${duration(reported.serverMs)}`);
  if (reported.seedEcho !== null) {
    const asked = Number(reported.seedEcho) === seed ? '' : ` (sent: ${seed ?? 'none'})`;
    lines.push(`  the server reports seed ${reported.seedEcho}${asked}`);
  }
  if (reported.cached !== null) {
    lines.push(`  the server reports that it was ${reported.cached ? '' : 'not '}served from a cache`);
  }
  if (reported.requestId !== null) lines.push(`  the server's request id is ${reported.requestId}`);
  return lines.map(visibleLine);
}

/** `submit 21.0 + download 2.0 = total 23.0 ms`, as in samples.csv; then what polls leave open. */
function describeTimings({ marks, polls, attempts }: CallResult): readonly string[] {
  const timings = timingsOf({ marks, polls, flags: [], attempts });
  const { submitMs, queueMs, runMs, detectMs, downloadMs, totalMs } = timings;
  const named: readonly (readonly [string, number | null])[] = [
    ['submit', submitMs],
    ['queue', queueMs],
    ['run', runMs],
    ['detect', detectMs],
    ['download', downloadMs],
  ];
  const known = named.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms.toFixed(1)}`]));
  if (known.length === 0) return [];
  const sum = totalMs === null ? `${known.join(', ')} ms` : `${known.join(' + ')} = total ${totalMs.toFixed(1)} ms`;
  return [sum, ...rangesOf(timings)];
}

function rangesOf({ queueMs, queueLowMs, runMs, runHighMs }: ReturnType<typeof timingsOf>): readonly string[] {
  if (queueMs === null || queueLowMs === null || runMs === null || runHighMs === null) return [];
  const run = `run ${runMs.toFixed(1)} to ${runHighMs.toFixed(1)} ms`;
  return [`by the polls: queue at least ${queueLowMs.toFixed(1)}, ${run}`];
}

function orderedMarks(marks: Marks): readonly (readonly [string, number])[] {
  const named: readonly (readonly [string, number | undefined])[] = [
    ['started', marks.startedMs],
    ['connected', marks.connectedMs],
    ['sent', marks.sentMs],
    ['headers', marks.headersMs],
    ['accepted', marks.acceptedMs],
    ['refused', marks.refusedMs],
    ['running', marks.runningMs],
    ['last pending', marks.lastPendingMs],
    ['ready', marks.readyMs],
    ['first byte', marks.firstByteMs],
    ['done', marks.doneMs],
  ];
  return named.flatMap(([name, at]) => (at === undefined ? [] : [[name, at] as const])).sort(([, a], [, b]) => a - b);
}

export function describeSent({ method, url, headers, body }: ShownRequest): readonly string[] {
  return marked('>', [`${method} ${url}`, ...describeHeaders(headers), ...describeBody(body)]);
}

export function describeReceived({ status, headers, body }: ShownReply): readonly string[] {
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

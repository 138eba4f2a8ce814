import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { contactSheet } from '../media/contact-sheet.ts';
import { fitsExpectation, sniff } from '../media/sniff.ts';
import { duration, durationInterval, plural, bytes as sayBytes } from '../report/quantity.ts';
import { visibleLine } from '../report/visible.ts';
import { startClock } from '../run/clock.ts';
import { holdsSecret } from '../run/secret-bytes.ts';
import { startWire } from '../run/wire.ts';
import { median } from '../statistics/quantile.ts';
import { quantileInterval } from '../statistics/quantile-interval.ts';
import { sortSample } from '../statistics/sorted-sample.ts';
import type { CallResult } from '../target/call.ts';
import type { Marks } from '../target/marks.ts';
import { renderSubmit } from '../target/request.ts';
import { readSecrets, type Secrets } from '../target/secrets.ts';
import type { Variant } from '../target/variant.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { type Endpoints, withEndpoints } from './endpoints.ts';
import { sayDiagnostics } from './say.ts';
import { prepareTry, type TriedTarget, type TryRequest } from './try-target.ts';

export interface TryArguments extends TryRequest {
  readonly n: number;
  readonly out: string;
}

const MOST_CALLS = 1000;
const SHEET_SIDE = 256;
const SHEET_COLUMNS = 5;

/** `retake try`: calls one target and shows every mark; the outputs are saved. With -n also p50 and a contact sheet. */
export async function tryCommand(args: TryArguments, edge: Edge): Promise<ExitCode> {
  if (!Number.isInteger(args.n) || args.n < 1 || args.n > MOST_CALLS) {
    edge.err.write(`retake try: -n takes a whole number from 1 to ${MOST_CALLS}\n`);
    return EXIT.misuse;
  }
  const tried = await prepareTry(args, edge);
  if (!tried.ok) return sayDiagnostics(edge, tried.diagnostics);
  const secrets = readSecrets([tried.value.variant], edge.env);
  if (!secrets.ok) return sayDiagnostics(edge, secrets.diagnostics);
  const folder = resolve(edge.cwd, args.out);
  await mkdir(folder, { recursive: true });
  const results = await callRepeatedly(tried.value, secrets.value, args, folder, edge);
  await summarise(results, folder, edge);
  return results.every(({ result }) => result.outcome === 'ok') && results.length === args.n
    ? EXIT.ok
    : EXIT.incomplete;
}

interface Tried {
  readonly result: CallResult;
  /** The outputs that are pictures. */
  readonly pictures: readonly Uint8Array[];
}

async function callRepeatedly(
  tried: TriedTarget,
  secrets: Secrets,
  { n, seed }: TryArguments,
  folder: string,
  edge: Edge,
): Promise<readonly Tried[]> {
  const { variant } = tried;
  const results: Tried[] = [];
  await withEndpoints([variant], secrets, edge.program, async (endpoints) => {
    const wire = await startWire({
      origin: startClock().origin,
      targets: { [variant.target.id]: variant.target },
      connections: 1,
      secrets: endpoints.secretValues,
      jitter: 1,
    });
    edge.wind.addEventListener('abort', wire.abort);
    try {
      edge.out.write(`${describeCall(tried, endpoints, seed)}\n`);
      for (let call = 1; call <= n && !edge.wind.aborted; call += 1) {
        const baseUrl = endpoints.baseUrlOf(variant);
        const submit = renderSubmit(
          variant,
          { case: tried.case, seed },
          { baseUrl, secrets: endpoints.secretsOf(variant) },
        );
        const request = {
          target: variant.target.id,
          baseUrl,
          submit,
          timeoutMs: variant.timeoutMs,
          onThrottle: 'wait',
        } as const;
        const result = judged(await wire.call(request, () => !edge.wind.aborted), variant, endpoints.secretValues);
        edge.out.write(`${n > 1 ? `\ncall ${call} of ${n}\n` : ''}${describeResult(result)}\n`);
        const stem = `try-${variant.target.id.replace(/[^A-Za-z0-9.-]+/g, '-')}-seed-${seed}${n > 1 ? `-${call}` : ''}`;
        results.push({ result, pictures: await save(result, folder, stem, edge) });
      }
    } finally {
      edge.wind.removeEventListener('abort', wire.abort);
      await wire.close();
    }
  });
  return results;
}

/** As a run would judge it: what is not the media that the target promises is no success, and the key is never saved. */
function judged(result: CallResult, { target }: Variant, secrets: readonly string[]): CallResult {
  if (result.outcome !== 'ok') return result;
  const { assets, ...trace } = result;
  const refuse = (code: string, message: string): CallResult => ({
    ...trace,
    outcome: 'error',
    error: { code, message },
  });
  if (assets.some(({ bytes }) => holdsSecret(bytes, secrets))) {
    return refuse('secret_in_output', 'the output holds the key; it was not kept');
  }
  const type = sniff(assets[0].bytes);
  if (fitsExpectation(type, target.result.expect)) return result;
  return refuse(
    'unexpected_media',
    `expected ${target.result.expect ?? 'media'}, got ${type?.mime ?? 'bytes of no known type'}`,
  );
}

function describeCall({ variant }: TriedTarget, endpoints: Endpoints, seed: number): string {
  const { id, kind, submit } = variant.target;
  const body =
    submit.body.encoding === 'multipart' || submit.body.encoding === 'form'
      ? `: ${submit.body.fields.map(([name]) => name).join(', ')}`
      : '';
  return visibleLine(
    `${id} (${kind}) at ${endpoints.baseUrlOf(variant)}, seed ${seed}, ${submit.method} ${submit.body.encoding}${body}`,
  );
}

/** Every mark that was reached, from the start, and what the server said. */
function describeResult(result: CallResult): string {
  const { marks, httpStatus, attempts, throttleWaitMs, reported } = result;
  const took =
    result.outcome === 'ok' && marks.doneMs !== undefined ? ` in ${duration(marks.doneMs - marks.startedMs)}` : '';
  const lines = [`${result.outcome}${httpStatus === null ? '' : `, HTTP ${httpStatus}`}${took}`];
  if (result.outcome !== 'ok') lines.push(`  ${result.error.code}: ${result.error.message}`);
  for (const [name, at] of orderedMarks(marks)) {
    lines.push(`  ${name.padEnd(12)} ${(at - marks.startedMs).toFixed(1).padStart(10)} ms`);
  }
  if (attempts > 1)
    lines.push(`  ${plural(attempts, 'attempt')}, ${duration(throttleWaitMs)} waited because throttled`);
  if (reported.serverMs !== null) lines.push(`  the server says it took ${duration(reported.serverMs)}`);
  if (reported.seedEcho !== null) lines.push(`  the server says the seed was ${reported.seedEcho}`);
  if (reported.requestId !== null) lines.push(`  the server's request id is ${reported.requestId}`);
  return lines.map(visibleLine).join('\n');
}

function orderedMarks(marks: Marks): readonly (readonly [string, number])[] {
  const named: readonly (readonly [string, number | undefined])[] = [
    ['started', marks.startedMs],
    ['connected', marks.connectedMs],
    ['sent', marks.sentMs],
    ['headers', marks.headersMs],
    ['accepted', marks.acceptedMs],
    ['running', marks.runningMs],
    ['last pending', marks.lastPendingMs],
    ['ready', marks.readyMs],
    ['first byte', marks.firstByteMs],
    ['done', marks.doneMs],
  ];
  return named.flatMap(([name, at]) => (at === undefined ? [] : [[name, at] as const])).sort(([, a], [, b]) => a - b);
}

async function save(result: CallResult, folder: string, stem: string, edge: Edge): Promise<readonly Uint8Array[]> {
  if (result.outcome !== 'ok') return [];
  const pictures: Uint8Array[] = [];
  for (const [index, { bytes, declaredMime }] of result.assets.entries()) {
    const type = sniff(bytes);
    const path = join(folder, `${stem}${index === 0 ? '' : `-${index + 1}`}.${type?.extension ?? 'bin'}`);
    await writeFile(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const what = type?.mime ?? `bytes of no known type (the server says ${declaredMime ?? 'nothing'})`;
    edge.out.write(
      `  ${visibleLine(what)}, ${sayBytes(bytes.length)}, sha256 ${sha256.slice(0, 16)}, saved as ${path}\n`,
    );
    if (type?.mime.startsWith('image/')) pictures.push(bytes);
  }
  return pictures;
}

/** For several calls: p50 with its interval, how many distinct outputs one seed gave, and a sheet of them. */
async function summarise(results: readonly Tried[], folder: string, edge: Edge): Promise<void> {
  if (results.length < 2) return;
  const totals = sortSample(
    results.flatMap(({ result: { outcome, marks } }) =>
      outcome === 'ok' && marks.doneMs !== undefined ? [marks.doneMs - marks.startedMs] : [],
    ),
  );
  const p50 = median(totals);
  if (p50 !== null) {
    const interval = quantileInterval(totals, 50, 0.95);
    const range =
      interval === null ? 'no interval: n < 6' : `95 % interval ${durationInterval(interval.low, interval.high)}`;
    edge.out.write(`\np50 ${duration(p50)} (${range}, n = ${totals.length})\n`);
  }
  const pictures = results.flatMap((tried) => tried.pictures);
  const distinct = new Set(pictures.map((bytes) => createHash('sha256').update(bytes).digest('hex'))).size;
  if (pictures.length === 0) return;
  edge.out.write(`${plural(pictures.length, 'picture')}, ${distinct} distinct to the byte\n`);
  try {
    const path = join(folder, 'try-sheet.png');
    await writeFile(path, await contactSheet(pictures, SHEET_SIDE, SHEET_COLUMNS));
    edge.out.write(`Sheet: ${path}\n`);
  } catch (error) {
    edge.err.write(
      `no sheet: a picture does not decode (${visibleLine(error instanceof Error ? error.message : String(error))})\n`,
    );
  }
}

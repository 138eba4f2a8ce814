import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import { type Call, type CallResult, performCall } from '../../../src/targets/call.ts';
import type { AcceptedJob, CallEvent } from '../../../src/targets/call-event.ts';
import { createCredentials } from '../../../src/targets/credential.ts';
import { encodeBody } from '../../../src/targets/outgoing.ts';
import { renderSubmit } from '../../../src/targets/request.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';
import { createTransport } from '../../../src/targets/transport.ts';
import type { AbortNotice } from '../../../src/targets/wire.ts';
import { caseWith, targetWith, variantOf } from '../target-fixture.ts';

/** The secret of every call. */
export const KEY = 'sk-very-secret-0123456789';
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const AUTH = { in: 'header', name: 'Authorization', value: 'Bearer ${secret.KEY}' };

export interface Refused {
  readonly attempt: number;
  readonly httpStatus: number | null;
  readonly waitMs: number;
}

export interface Options extends Partial<Pick<Call, 'timeoutMs' | 'onThrottle' | 'attach'>> {
  readonly keys?: { readonly [key: string]: Json };
  readonly signal?: AbortSignal;
  readonly held?: AbortSignal;
  readonly again?: (attempt: Refused) => boolean;
  readonly wallMs?: () => number;
  /** Beside KEY. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Told of a job before its first poll. */
  readonly accepted?: (job: AcceptedJob) => Promise<void> | void;
  /** Told of every request. */
  readonly tell?: (event: CallEvent) => void;
}

/** Calls a target on a server as the wire thread would, with every refusal it was told of. */
export async function call(
  baseUrl: string,
  options: Options = {},
): Promise<{ result: CallResult; refused: Refused[] }> {
  const target = targetWith({ base_url: baseUrl, auth: AUTH, ...options.keys });
  const scope = { baseUrl, secrets: { KEY, ...options.secrets }, digest: 'ab'.repeat(32) };
  const submit = renderSubmit(variantOf(target), { case: caseWith(), seed: 1 }, scope);
  const transport = createTransport({ now: () => performance.now(), connections: 2 });
  onTestFinished(() => transport.close());
  const refused: Refused[] = [];
  const secrets = knowSecrets([KEY, ...Object.values(options.secrets ?? {})]);
  const result = await performCall(
    {
      target,
      submit: { ...submit, body: encodeBody(submit.body) },
      baseUrl,
      timeoutMs: options.timeoutMs ?? 10_000,
      onThrottle: options.onThrottle ?? 'wait',
      ...(options.attach === undefined ? {} : { attach: options.attach }),
    },
    {
      transport,
      now: () => performance.now(),
      wallMs: options.wallMs ?? (() => 0),
      sleep,
      random: () => 0.5,
      signal: options.signal ?? new AbortController().signal,
      held: options.held ?? new AbortController().signal,
      secrets,
      credentials: createCredentials(options.wallMs ?? (() => 0), secrets),
      uniqueKey: randomUUID,
      ...(options.tell === undefined ? {} : { tell: options.tell }),
      accepted: async (job) => options.accepted?.(job),
      refused: async ({ attempt, httpStatus, waitMs }) => {
        refused.push({ attempt, httpStatus, waitMs });
        return options.again?.({ attempt, httpStatus, waitMs }) ?? true;
      },
    },
  );
  return { result, refused };
}

export function sleep(ms: number, signal: AbortNotice): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', end);
  });
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function png(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
}

export function bytesOf(result: CallResult): (readonly number[])[] {
  return result.outcome === 'ok' ? result.assets.map(({ bytes }) => [...bytes]) : [];
}

/** Whether all are there and none is before the one it follows. */
export function ordered(...marks: (number | undefined)[]): boolean {
  return marks.every((mark, at) => mark !== undefined && (at === 0 || mark >= (marks[at - 1] ?? Number.NaN)));
}

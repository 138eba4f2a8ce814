import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { BehaviourDecision, Delivery } from '../behaviour/decision.ts';
import { BoundedStore } from '../jobs/job.ts';
import type { RequestLog } from '../jobs/request-log.ts';

interface SentMedium {
  readonly media: Buffer;
  readonly type: 'image/png' | 'video/mp4';
  readonly model: string;
  /** Null: no seed is reported. */
  readonly reportedSeed: number | null;
  readonly inferenceMs: number;
  readonly encodeMs: number;
  /** Whether the reply says how long its stages took. */
  readonly stages: boolean;
  readonly evaluations: number;
}

interface Way {
  readonly redirects: RedirectMedia;
  readonly port: () => number;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
}

const PAGE = Buffer.from('<!doctype html><title>Service</title><h1>We will be back soon</h1>\n');

export async function deliver(
  reply: FastifyReply,
  { media, type, model, reportedSeed, inferenceMs, encodeMs, stages, evaluations }: SentMedium,
  delivery: Delivery | null,
  { redirects, port, gone }: Way,
): Promise<FastifyReply> {
  reply.headers({
    'content-type': type,
    'x-inference-ms': inferenceMs.toFixed(3),
    'x-score-evaluations': String(evaluations),
    'x-model': model,
  });
  if (reportedSeed !== null) reply.header('x-seed', String(reportedSeed));
  if (stages) {
    reply.headers({ 'x-sample-ms': (inferenceMs - encodeMs).toFixed(3), 'x-encode-ms': encodeMs.toFixed(3) });
  }
  if (delivery === null) return reply.send(media);
  switch (delivery.kind) {
    case 'truncated_png':
      return reply.send(media.subarray(0, Math.floor(media.length * delivery.settings.keep)));
    case 'content_type':
      return reply.header('content-type', delivery.settings.as).send(media);
    case 'html':
      return reply.code(delivery.settings.status).type('text/html; charset=utf-8').send(PAGE);
    case 'redirect': {
      const { host, to, status } = delivery.settings;
      const location = to ?? `http://${host}:${port()}${redirects.keep(media, type)}`;
      return reply.code(status).header('location', location).send(Buffer.alloc(0));
    }
    default:
      reply.hijack();
      await sendBroken(reply, media, delivery, gone);
      return reply;
  }
}

type Breaking = Extract<Delivery, { readonly kind: 'drop_connection' | 'truncated_body' | 'slow_body' }>;

async function sendBroken(reply: FastifyReply, body: Buffer, delivery: Breaking, gone: AbortSignal): Promise<void> {
  const { raw } = reply;
  const cut = () => raw.socket?.end(() => raw.socket?.destroy());
  if (delivery.kind === 'drop_connection' && delivery.settings.at === 'before_headers') {
    raw.socket?.destroy();
    return;
  }
  raw.writeHead(200, { ...headersOf(reply), 'content-length': body.length });
  if (delivery.kind === 'drop_connection') {
    raw.flushHeaders();
    cut();
  } else if (delivery.kind === 'truncated_body') {
    const part = body.subarray(0, Math.floor(body.length * Math.min(delivery.settings.keep, 1 - 1 / body.length)));
    if (part.length === 0) raw.flushHeaders();
    else raw.write(part);
    cut();
  } else {
    await sendSlowly(raw, body, delivery.settings.over, gone);
  }
}

/** Twenty equal pieces, evenly spaced. Ends early when the client disconnects. */
async function sendSlowly(raw: ServerResponse, body: Buffer, overMs: number, signal: AbortSignal): Promise<void> {
  const pieces = 20;
  raw.flushHeaders();
  for (let i = 0; i < pieces; i++) {
    await wait(overMs / pieces, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    raw.write(body.subarray(Math.floor((i * body.length) / pieces), Math.floor(((i + 1) * body.length) / pieces)));
  }
  raw.end();
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

interface RedirectMedium {
  readonly body: Buffer;
  readonly type: string;
}

const REMEMBERED = 200;

/** Media behind redirects, for every client that knows their path; drops the oldest. */
export class RedirectMedia {
  readonly #media = new BoundedStore<RedirectMedium>(REMEMBERED);

  /** Gives the path. */
  keep(body: Buffer, type: SentMedium['type']): string {
    const path = `/v2/media/${randomUUID()}.${type === 'image/png' ? 'png' : 'mp4'}`;
    this.#media.put(path, { body, type });
    return path;
  }

  get(path: string): RedirectMedium | undefined {
    return this.#media.get(path);
  }
}

/** The first chunk after IHDR: an 8-byte signature, then IHDR with 13 bytes of data and 12 around them. */
const AFTER_HEADER = 8 + 25;

/** Adds a tEXt chunk (PNG specification, section 11.3.3.2): other bytes, the same pixels. Latin-1 only. */
export function withText(png: Uint8Array, keyword: string, text: string): Buffer {
  const content = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1');
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}

/** Adds a `free` box (ISO/IEC 14496-12, section 8.1.2) with a text: other bytes, the same frames. */
export function withFreeBox(mp4: Uint8Array, text: string): Buffer {
  const content = Buffer.from(`free${text}`, 'latin1');
  const box = Buffer.alloc(content.length + 4);
  box.writeUInt32BE(box.length, 0);
  content.copy(box, 4);
  return Buffer.concat([mp4, box]);
}

/** Ends early when the signal is aborted. Only for declared delays. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal: gone }).catch(() => undefined);
}

export async function waitOutStalls(
  { stalls }: BehaviourDecision,
  { now, log }: { readonly now: () => number; readonly log: RequestLog },
  gone: AbortSignal,
): Promise<void> {
  for (const { name, fromMs, untilMs } of stalls) {
    const nowMs = now();
    if (nowMs < fromMs || nowMs >= untilMs) continue;
    log.fired(name);
    await pause(untilMs - nowMs, gone);
  }
}

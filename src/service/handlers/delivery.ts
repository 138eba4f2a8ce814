import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { BehaviourDecision, Delivery } from '../behaviour/decision.ts';
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

const PAGE = Buffer.from('<!doctype html><title>Service</title><h1>We will be back soon</h1>\n');

export function deliver(
  reply: FastifyReply,
  { media, type, model, reportedSeed, inferenceMs, encodeMs, stages, evaluations }: SentMedium,
  delivery: Delivery | null,
): FastifyReply {
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
    case 'html':
      return reply.code(delivery.settings.status).type('text/html; charset=utf-8').send(PAGE);
    default:
      reply.hijack();
      sendBroken(reply, media, delivery);
      return reply;
  }
}

type Breaking = Extract<Delivery, { readonly kind: 'drop_connection' | 'truncated_body' }>;

function sendBroken(reply: FastifyReply, body: Buffer, delivery: Breaking): void {
  const { raw } = reply;
  const cut = () => raw.socket?.end(() => raw.socket?.destroy());
  if (delivery.kind === 'drop_connection' && delivery.settings.at === 'before_headers') {
    raw.socket?.destroy();
    return;
  }
  raw.writeHead(200, { ...headersOf(reply), 'content-length': body.length });
  const keep = delivery.kind === 'drop_connection' ? 0 : Math.min(delivery.settings.keep, 1 - 1 / body.length);
  const part = body.subarray(0, Math.floor(body.length * keep));
  if (part.length === 0) raw.flushHeaders();
  else raw.write(part);
  cut();
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
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

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { Delivery } from '../behaviour/decision.ts';
import { BoundedStore } from '../jobs/bounded-store.ts';

export interface DeliveredAnswer {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Deliveries with an answer of their own; the others break its sending. */
export type Replacement = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

const PAGE = Buffer.from('<!doctype html><title>Service</title><h1>We will be back soon</h1>\n');

/**
 * Null if the fault is in the sending.
 * @param keep stores the body for a later GET and gives its path
 */
export function replaceAnswer(
  answer: DeliveredAnswer,
  delivery: Delivery,
  keep: (body: Buffer) => string,
  port: number,
): Replacement | null {
  const { body, headers } = answer;
  switch (delivery.kind) {
    case 'truncated_png':
      return { status: 200, headers, body: body.subarray(0, Math.floor(body.length * delivery.settings.keep)) };
    case 'content_type':
      return { status: 200, headers: { ...headers, 'content-type': delivery.settings.as }, body };
    case 'html':
      return {
        status: delivery.settings.status,
        headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
        body: PAGE,
      };
    case 'redirect': {
      const { host, to, status } = delivery.settings;
      const location = to ?? `http://${host}:${port}${keep(body)}`;
      return { status, headers: { ...headers, location }, body: Buffer.alloc(0) };
    }
    default:
      return null;
  }
}

export async function sendBroken(
  raw: ServerResponse,
  answer: DeliveredAnswer,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const { body, headers } = answer;
  const cut = () => raw.socket?.end(() => raw.socket?.destroy());
  if (delivery.kind === 'drop_connection' && delivery.settings.at === 'before_headers') {
    raw.socket?.destroy();
    return;
  }
  raw.writeHead(200, { ...headers, 'content-length': body.length });
  if (delivery.kind === 'drop_connection') {
    raw.flushHeaders();
    cut();
  } else if (delivery.kind === 'truncated_body') {
    const part = body.subarray(0, Math.floor(body.length * Math.min(delivery.settings.keep, 1 - 1 / body.length)));
    if (part.length === 0) raw.flushHeaders();
    else raw.write(part);
    cut();
  } else if (delivery.kind === 'slow_body') {
    await sendSlowly(raw, body, delivery.settings.over, signal);
  } else {
    raw.end(body);
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

export function headersOf(reply: FastifyReply): Record<string, string> {
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

  keep(body: Buffer, type: 'image/png' | 'video/mp4'): string {
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

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContainedFile } from './contained-files.ts';

interface ServedType {
  readonly type: string;
  /** Whether a browser shows it; else it saves it. */
  readonly inline: boolean;
}

/** By extension. None of these types can hold a script. */
const MEDIA: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const TEXTS: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  tex: 'text/x-tex; charset=utf-8',
};

const MEDIA_PATH = /^media\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.([a-z0-9]{1,8})$/;
const SMALL_PATH = /^thumbs\/[0-9a-f]{64}\.(webp|200\.webp|1024\.webp|mp4)$/;

/** By path within a run. Null for what is not handed out: run.json, the journal, the lock. @param reports names of text files */
export function servedType(path: string, reports: readonly string[]): ServedType | null {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  if (MEDIA_PATH.test(path) || SMALL_PATH.test(path)) {
    const type = MEDIA[ending];
    return type === undefined ? { type: 'application/octet-stream', inline: false } : { type, inline: true };
  }
  return reports.includes(path) ? { type: TEXTS[ending] ?? 'text/plain; charset=utf-8', inline: false } : null;
}

/** A file that is opened by itself loads, runs and embeds nothing. */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Allows the style that a browser gives media. Keeps this server's origin: a video's player asks for the file again,
 * and would be refused as a foreign page from an opaque origin.
 */
const MEDIA_POLICY =
  "script-src 'none'; object-src 'none'; connect-src 'none'; font-src 'none'; frame-src 'none'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin allow-downloads; frame-ancestors 'none'";

/** Sends the file, or the range that is asked for, and closes it. */
export async function sendFile(
  { handle, bytes, modifiedMs }: ContainedFile,
  { type, inline }: ServedType,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const range = byteRange(request.headers.range, bytes);
  reply.type(type).headers({
    'content-security-policy': inline ? MEDIA_POLICY : FILE_POLICY,
    'accept-ranges': 'bytes',
    'last-modified': new Date(modifiedMs).toUTCString(),
    ...(inline ? {} : { 'content-disposition': `attachment; filename="${name}"` }),
  });
  if (range === 'unsatisfiable') {
    await handle.close();
    return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  }
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${bytes}`);
  reply.header('content-length', range === null ? bytes : range.last - range.first + 1);
  if (request.method === 'HEAD' || bytes === 0) {
    await handle.close();
    // Keeps the length that was set.
    return reply.send(Readable.from([]));
  }
  return reply.send(
    handle.createReadStream(range === null ? { end: bytes - 1 } : { start: range.first, end: range.last }),
  );
}

interface RequestedRange {
  readonly first: number;
  readonly last: number;
}

/**
 * RFC 9110, section 14.1.2. Null where no range is asked for, or what may be answered with the whole file: another
 * unit, several ranges. `unsatisfiable` where the range begins after the end.
 */
export function byteRange(header: string | undefined, bytes: number): RequestedRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const suffix = Math.min(Number(to), bytes);
    return suffix === 0 ? 'unsatisfiable' : { first: bytes - suffix, last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first >= bytes) return 'unsatisfiable';
  return last < first ? null : { first, last };
}

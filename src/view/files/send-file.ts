import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byteRange } from './byte-range.ts';
import type { ContainedFile } from './open-contained.ts';
import type { ServedType } from './served-files.ts';

/** Forbids a file that is opened by itself to load, run or embed anything. */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * The same for an image or a video, but for the style that a browser gives it. It keeps this server's origin, because a
 * video's player asks for the file once more: from an opaque origin it would be refused as a foreign page.
 */
const MEDIA_POLICY =
  "script-src 'none'; object-src 'none'; connect-src 'none'; font-src 'none'; frame-src 'none'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin allow-downloads; frame-ancestors 'none'";

/** Closes the file. */
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

import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type Checked, refuse } from './refusal.ts';

/** A part of a form. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** The most that a request's body may hold, in bytes. */
export const BODY_LIMIT = 1024 * 1024;
const LIMITS = { parts: 32, fields: 32, files: 4, fieldSize: 256 * 1024, headerPairs: 64 };

/**
 * Reads a multipart body whose parts are all text, in their order. Whatever the body is, the answer is the parts or a
 * refusal: 400 where it is not a form or a broken one, 413 where it is too large.
 */
export async function readForm(request: FastifyRequest): Promise<Checked<readonly Field[]>> {
  if (!request.isMultipart()) return refuse(400, 'not_multipart', 'send the parts as multipart/form-data');
  const tooLarge = refuse(413, 'body_too_large', `a body may hold at most ${BODY_LIMIT} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return tooLarge;
  // A body without a declared length is counted as it comes: the parser bounds its parts, but not what is between them.
  let counted = 0;
  const overflow = new Promise<'overflow'>((resolve) => {
    request.raw.on('data', (chunk: Buffer) => {
      counted += chunk.length;
      if (counted > BODY_LIMIT) resolve('overflow');
    });
  });
  const first = await Promise.race([readParts(request), overflow]);
  return first === 'overflow' ? tooLarge : first;
}

async function readParts(request: FastifyRequest): Promise<Checked<readonly Field[]>> {
  const fields: Field[] = [];
  let wrong: Checked<never> | null = null;
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'file') {
        part.file.resume();
        wrong ??= refuse(400, 'file_not_expected', `part ${quote(part.fieldname)} must be text, not a file`);
      } else if (typeof part.fieldname !== 'string') {
        wrong ??= refuse(400, 'bad_multipart', 'a part has no name');
      } else if (part.valueTruncated) {
        wrong ??= refuse(
          413,
          'part_too_large',
          `part ${quote(part.fieldname)} may hold at most ${LIMITS.fieldSize} bytes`,
        );
      } else if (typeof part.value !== 'string') {
        wrong ??= refuse(400, 'not_text', `part ${quote(part.fieldname)} must be plain text`);
      } else {
        fields.push({ name: part.fieldname, value: part.value });
      }
    }
  } catch (error) {
    return wrong ?? refuseBroken(error);
  }
  return wrong ?? { ok: true, value: fields };
}

function refuseBroken(error: unknown): Checked<never> {
  const tooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
  if (tooMuch) return refuse(413, 'body_too_large', `a form may hold at most ${LIMITS.parts} parts`);
  return refuse(400, 'bad_multipart', 'the body is not a complete multipart form');
}

/** A name from outside, shortened, as JSON writes it. */
export function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 60));
}

import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type CheckedForm, refuse } from './refusal.ts';

export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Form {
  readonly fields: readonly Field[];
  readonly file: Buffer | null;
}

export interface FilePart {
  readonly name: string;
  readonly limit: number;
}

export const BODY_LIMIT = 1024 * 1024;
const LIMITS = { parts: 32, fields: 32, files: 4, fieldSize: 256 * 1024, headerPairs: 64 };

/** One file if `file` is given. Refuses with 400 what is not a valid form, and with 413 what is too large. */
export async function readForm(request: FastifyRequest, file: FilePart | null = null): Promise<CheckedForm<Form>> {
  const limit = BODY_LIMIT + (file?.limit ?? 0);
  if (!request.isMultipart()) return refuse(400, 'not_multipart', 'send the parts as multipart/form-data');
  const tooLarge = refuse(413, 'body_too_large', `a body may hold at most ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge;
  // Counts a body without a declared length as it comes: the parser limits parts, but not what is between them.
  let counted = 0;
  const overflow = new Promise<'overflow'>((resolve) => {
    request.raw.on('data', (chunk: Buffer) => {
      counted += chunk.length;
      if (counted > limit) resolve('overflow');
    });
  });
  const first = await Promise.race([readParts(request, file), overflow]);
  return first === 'overflow' ? tooLarge : first;
}

async function readParts(request: FastifyRequest, expected: FilePart | null): Promise<CheckedForm<Form>> {
  const fields: Field[] = [];
  let file: Buffer | null = null;
  let wrong: CheckedForm<never> | null = null;
  try {
    const limits = { ...LIMITS, fileSize: expected?.limit ?? LIMITS.fieldSize };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file' && expected !== null && part.fieldname === expected.name) {
        const pieces: Buffer[] = [];
        for await (const piece of part.file) pieces.push(piece);
        if (part.file.truncated) {
          const most = `part "${expected.name}" may hold at most ${expected.limit} bytes`;
          wrong ??= refuse(413, 'part_too_large', most);
        } else if (file !== null) {
          wrong ??= refuse(400, 'doubled_part', `part "${expected.name}" was sent more than once`);
        }
        file = Buffer.concat(pieces);
      } else if (part.type === 'file') {
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
  return wrong ?? { ok: true, value: { fields, file } };
}

function refuseBroken(error: unknown): CheckedForm<never> {
  const tooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
  if (tooMuch) return refuse(413, 'body_too_large', `a form may hold at most ${LIMITS.parts} parts`);
  return refuse(400, 'bad_multipart', 'the body is not a complete multipart form');
}

/** A hostile name as JSON, shortened. */
export function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 60));
}

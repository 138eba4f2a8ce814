import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';

export interface Refusal {
  readonly status: number;
  /** `prompt_too_long`; does not change. */
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service answers with its refusal. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function refuse(status: number, code: string, message: string): never {
  throw new RefusedRequest({ status, code, message });
}

export function refusalBody({ status, code, message }: Refusal): {
  readonly status: number;
  readonly code: string;
  readonly error: string;
  readonly message: string;
} {
  return { status, code, error: STATUS_CODES[status] ?? 'Error', message };
}

export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Form {
  readonly fields: readonly Field[];
  readonly files: readonly UploadedFile[];
}

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface FilePart {
  readonly name: string;
  /** Bytes of one file. */
  readonly limit: number;
  /** Files in a form. */
  readonly most: number;
}

export const BODY_LIMIT = 1024 * 1024;
const LIMITS = { parts: 32, fields: 32, files: 8, fieldSize: 256 * 1024, headerPairs: 64 };

/** Takes the files that are expected. Refuses with 400 what is not a valid form, and with 413 what is too large. */
export async function readForm(request: FastifyRequest, expected: readonly FilePart[] = []): Promise<Form> {
  const limit = expected.reduce((sum, file) => sum + file.limit * file.most, BODY_LIMIT);
  if (!request.isMultipart()) throw refused(400, 'not_multipart', 'send the parts as multipart/form-data');
  const tooLarge = refused(413, 'body_too_large', `a body may hold at most ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge;
  // Counts a body without a declared length as it comes: the parser limits parts, but not what is between them.
  let counted = 0;
  const overflow = new Promise<never>((_, reject) => {
    request.raw.on('data', (chunk: Buffer) => {
      counted += chunk.length;
      if (counted > limit) reject(tooLarge);
    });
  });
  return Promise.race([readParts(request, expected), overflow]);
}

async function readParts(request: FastifyRequest, expected: readonly FilePart[]): Promise<Form> {
  const fields: Field[] = [];
  const files: UploadedFile[] = [];
  // The rest of the body is read after the first fault too, so that the client gets the answer.
  const faults: RefusedRequest[] = [];
  const fault = (status: number, code: string, message: string) => faults.push(refused(status, code, message));
  try {
    const limits = { ...LIMITS, fileSize: Math.max(LIMITS.fieldSize, ...expected.map((file) => file.limit)) };
    for await (const part of request.parts({ limits })) {
      const file = expected.find(({ name }) => name === part.fieldname);
      if (part.type === 'file' && file !== undefined) {
        const { name, limit, most } = file;
        const pieces: Buffer[] = [];
        for await (const piece of part.file) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        files.push({ name, bytes });
        const many = files.filter((other) => other.name === name).length > most;
        if (bytes.length > limit || part.file.truncated) {
          fault(413, 'part_too_large', `part "${name}" may hold at most ${limit} bytes`);
        } else if (many && most === 1) fault(400, 'doubled_part', `part "${name}" was sent more than once`);
        else if (many) fault(400, 'too_many_images', `part "${name}" may be sent at most ${most} times`);
      } else if (part.type === 'file') {
        part.file.resume();
        fault(400, 'file_not_expected', `part ${quote(part.fieldname)} must be text, not a file`);
      } else if (typeof part.fieldname !== 'string') fault(400, 'bad_multipart', 'a part has no name');
      else if (part.valueTruncated) {
        fault(413, 'part_too_large', `part ${quote(part.fieldname)} may hold at most ${LIMITS.fieldSize} bytes`);
      } else if (typeof part.value !== 'string') {
        fault(400, 'not_text', `part ${quote(part.fieldname)} must be plain text`);
      } else fields.push({ name: part.fieldname, value: part.value });
    }
  } catch (error) {
    faults.push(brokenForm(error));
  }
  const [first] = faults;
  if (first !== undefined) throw first;
  return { fields, files };
}

function brokenForm(error: unknown): RefusedRequest {
  const tooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
  if (tooMuch) return refused(413, 'body_too_large', `a form may hold at most ${LIMITS.parts} parts`);
  return refused(400, 'bad_multipart', 'the body is not a complete multipart form');
}

/** Ends the connection: what is left of the body is not read. */
function refused(status: number, code: string, message: string): RefusedRequest {
  return new RefusedRequest({ status, code, message, headers: { connection: 'close' } });
}

/** A hostile name as JSON, shortened. */
export function quote(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 60));
}

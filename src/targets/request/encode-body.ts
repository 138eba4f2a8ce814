import { Buffer } from 'node:buffer';
import type { WireBody, WirePart } from './request.ts';

/** A body as it goes over the wire. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  /** What it says it is, unless the request's own headers say otherwise. */
  readonly contentType: string;
}

/** Serialises a body; null where there is none. The same body gives the same bytes. */
export function encodeBody(body: WireBody): EncodedBody | null {
  switch (body.encoding) {
    case 'none':
      return null;
    case 'json':
      return { bytes: Buffer.from(JSON.stringify(body.value), 'utf8'), contentType: 'application/json' };
    case 'form': {
      const text = new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString();
      return { bytes: Buffer.from(text, 'utf8'), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'multipart': {
      const bytes = Buffer.concat([
        ...body.parts.flatMap((part) => encodePart(part, body.boundary)),
        Buffer.from(`--${body.boundary}--\r\n`, 'utf8'),
      ]);
      return { bytes, contentType: `multipart/form-data; boundary=${body.boundary}` };
    }
    case 'raw':
      return typeof body.content === 'string'
        ? { bytes: Buffer.from(body.content, 'utf8'), contentType: 'text/plain; charset=utf-8' }
        : { bytes: body.content.bytes, contentType: body.content.mime };
  }
}

/**
 * One part, as browsers write it (WHATWG HTML, "multipart form data"): newlines in names and values become CRLF; in
 * the quoted name and file name `"` becomes %22, CR %0D and LF %0A; everything else is plain UTF-8.
 */
function encodePart(part: WirePart, boundary: string): readonly Uint8Array[] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(withCrlf(part.name))}"`;
  if ('value' in part) return [Buffer.from(`${head}\r\n\r\n${withCrlf(part.value)}\r\n`, 'utf8')];
  const { fileName, mime, bytes } = part.file;
  const file = `; filename="${quoted(fileName)}"\r\nContent-Type: ${mime}\r\n\r\n`;
  return [Buffer.from(head + file, 'utf8'), bytes, Buffer.from('\r\n', 'utf8')];
}

function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function withCrlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

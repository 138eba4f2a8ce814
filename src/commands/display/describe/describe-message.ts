import type {
  ShownBody,
  ShownField,
  ShownHeaders,
  ShownReply,
  ShownRequest,
} from '../../../targets/reply/shown-message.ts';
import { visibleLine } from '../../../text/visible.ts';
import { bytes as sayBytes } from '../../../text/wording.ts';

/** Lines that begin with `>`: method, URL, headers, body. */
export function describeSent({ method, url, headers, body }: ShownRequest): readonly string[] {
  return marked('>', [`${method} ${url}`, ...describeHeaders(headers), ...describeBody(body)]);
}

/** Lines that begin with `<`: status, headers, body. */
export function describeReceived({ status, headers, body }: ShownReply): readonly string[] {
  return marked('<', [`HTTP ${status}`, ...describeHeaders(headers), ...describeBody(body)]);
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(/\r\n|\n|\r/)).map((line) => `    ${mark} ${visibleLine(line)}`.trimEnd());
}

function describeHeaders(headers: ShownHeaders): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

function describeBody(body: ShownBody): readonly string[] {
  switch (body.is) {
    case 'none':
      return [];
    case 'json':
    case 'text':
      return ['', body.text];
    case 'multipart':
    case 'form':
      return ['', ...body.fields.map((field) => `${field.name}: ${describeField(field)}`)];
    case 'bytes':
      return ['', `(${body.mime ?? 'no media type'}, ${sayBytes(body.bytes)})`];
  }
}

function describeField(field: ShownField): string {
  return 'value' in field ? field.value : `file ${field.fileName} (${field.mime}, ${sayBytes(field.bytes)})`;
}

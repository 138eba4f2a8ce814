/** A server-sent event, with the times of its first and last byte. */
export interface ServerEvent {
  /** Its `event` field, else `message`. */
  readonly name: string;
  readonly data: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

export interface EventReader {
  readonly push: (piece: Uint8Array, atMs: number) => readonly ServerEvent[];
  /** About the memory of the event that has not ended yet. */
  readonly heldBytes: () => number;
}

/** Memory of a line of data beside its text: an event may have millions of empty lines. */
const LINE_BYTES = 16;

/**
 * Reads event streams (WHATWG HTML, "Server-sent events"): lines end with CR, LF or both; an empty line ends an event;
 * an event without data is dropped. `id` and `retry` are ignored. An event without its end is dropped.
 */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  let line = '';
  let lineBeganMs = 0;
  let afterReturn = false;
  let name = '';
  let data: string[] = [];
  let dataBytes = 0;
  let beganMs: number | null = null;

  const endLine = (atMs: number): ServerEvent | null => {
    const text = line;
    line = '';
    if (text !== '') {
      const colon = text.indexOf(':');
      const field = colon < 0 ? text : text.slice(0, colon);
      const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
      if (field === 'event' || field === 'data') beganMs ??= lineBeganMs;
      if (field === 'event') name = value;
      if (field === 'data') {
        data.push(value);
        dataBytes += value.length + LINE_BYTES;
      }
      return null;
    }
    const event =
      data.length === 0
        ? null
        : { name: name === '' ? 'message' : name, data: data.join('\n'), beganMs: beganMs ?? atMs, endedMs: atMs };
    name = '';
    data = [];
    dataBytes = 0;
    beganMs = null;
    return event;
  };

  return {
    push: (piece, atMs) => {
      const text = decoder.decode(piece, { stream: true });
      const events: ServerEvent[] = [];
      let from = 0;
      for (let at = nextBreak(text, 0); at < text.length; at = nextBreak(text, from)) {
        const isRest = text[at] === '\n' && at === 0 && afterReturn; // A CRLF that was cut between two pieces.
        if (!isRest) {
          if (line === '') lineBeganMs = atMs;
          line += text.slice(from, at);
          const event = endLine(atMs);
          if (event !== null) events.push(event);
        }
        from = text.startsWith('\r\n', at) ? at + 2 : at + 1;
      }
      if (from < text.length) {
        if (line === '') lineBeganMs = atMs;
        line += text.slice(from);
      }
      if (text !== '') afterReturn = text.endsWith('\r');
      return events;
    },
    heldBytes: () => line.length + name.length + dataBytes,
  };
}

function nextBreak(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

/** A metric of the header Server-Timing. */
export interface ServerTiming {
  readonly name: string;
  /** In milliseconds; null without a time. */
  readonly ms: number | null;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const PARAMETER = `;\\s*(${TOKEN})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",;]*)))?`;
/** A metric that begins a line or follows a comma: its name and its parameters. A quoted text may hold commas. */
const METRIC = new RegExp(`(?:^|,)\\s*(${TOKEN})((?:\\s*${PARAMETER})*)`, 'g');
const PARAMETERS = new RegExp(PARAMETER, 'g');

/** Characters read of a line: it is of a stranger. */
const MOST_TEXT = 8000;

/** The metrics of all lines of the header, in order: `db;dur=53, app;dur=47.2;desc="a, b"` (W3C Server Timing, 4). */
export function serverTimings(headers: readonly (readonly [name: string, value: string])[]): readonly ServerTiming[] {
  return headers.flatMap(([header, line]) =>
    header !== 'server-timing'
      ? []
      : [...line.slice(0, MOST_TEXT).matchAll(METRIC)].map(([, name = '', parameters = '']) => {
          const [, , quoted, plain = ''] =
            [...parameters.matchAll(PARAMETERS)].find(([, key = '']) => key.toLowerCase() === 'dur') ?? [];
          const ms = /^\s*[\d.]/.test(quoted ?? plain) ? Number(quoted ?? plain) : Number.NaN;
          return { name, ms: Number.isFinite(ms) ? ms : null };
        }),
  );
}

import type { Shape } from '../files/shape.ts';

/** Not thrown for an unfinished last line, which is dropped. */
export class DamagedLine extends Error {
  readonly line: number;
  /** At least one; they name fields. */
  readonly causes: readonly string[];

  constructor(line: number, causes: readonly string[]) {
    super(causes.join(', '));
    this.name = 'DamagedLine';
    this.line = line;
    this.causes = causes;
  }
}

/** Characters of a line, far more than a history line of 10,000 cells: time grows with the square of the length. */
const MOST_LINE = 32 * 1024 * 1024;

export interface LineReader<T> {
  /** Throws DamagedLine. */
  readonly push: (piece: string) => void;
  /** The lines read since the last call. */
  readonly take: () => readonly T[];
  /** `torn`: the last line had no newline and was dropped, as its writer was killed. */
  readonly end: () => { readonly values: readonly T[]; readonly torn: boolean };
}

const TOO_LONG = `the line is longer than ${MOST_LINE / 1024 / 1024} MiB`;

/** Reads lines of a shape. `keep` may replace a line by an equal one that shares texts. */
export function readLines<T>(shape: Shape<T>, keep: (value: T) => T = (value) => value): LineReader<T> {
  const values: T[] = [];
  let rest = '';
  let line = 0;
  return {
    push: (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MOST_LINE) throw new DamagedLine(line + lines.length + 1, [TOO_LONG]);
      for (const text of lines) {
        line += 1;
        values.push(keep(decode(text, line, shape)));
      }
    },
    take: () => values.splice(0),
    end: () => ({ values, torn: rest !== '' }),
  };
}

function decode<T>(text: string, line: number, shape: Shape<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedLine(line, ['the line is not JSON']);
  }
  if (shape.fits(value)) return value;
  const causes = shape.faultsOf(value).map(({ cause }) => cause);
  throw new DamagedLine(line, causes);
}

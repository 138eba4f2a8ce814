import type { Shape } from '../files/shape.ts';

/** Not thrown for a torn last line, which is dropped. */
export class DamagedLine extends Error {
  readonly line: number;
  /** At least one; each names its field. */
  readonly causes: readonly string[];

  constructor(line: number, causes: readonly string[]) {
    super(causes.join(', '));
    this.name = 'DamagedLine';
    this.line = line;
    this.causes = causes;
  }
}

/**
 * Characters a line may have: far more than a history line of 10,000 cells. A longer one would cost its square in time.
 */
const MOST_LINE = 32 * 1024 * 1024;

export interface LineReader<T> {
  /** Throws DamagedLine. */
  readonly push: (piece: string) => void;
  /** The lines read since the last call; `end` gives the others only. */
  readonly take: () => readonly T[];
  /** `torn`: the last line had no newline and was dropped, since its writer was killed in the middle. */
  readonly end: () => { readonly values: readonly T[]; readonly torn: boolean };
}

const TOO_LONG = `the line is longer than ${MOST_LINE / 1024 / 1024} MiB`;

/** @param keep gives what is kept of a line, such as the same with texts that are held already */
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

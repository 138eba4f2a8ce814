import { z } from 'zod';
import { describeIssue, split } from '../../kit/issue.ts';
import type { Trial } from '../../plan/trial.ts';
import type { JournalEvent, Sample } from '../journal.ts';

/** Keys of objects and indices of lists, from the root. */
export type FieldPath = readonly (string | number)[];

/** The cause names the field. */
export interface FieldFault {
  readonly path: FieldPath;
  /** `sample.trial.repeat must be a whole number, not "2"`. */
  readonly cause: string;
}

export interface Shape<T> {
  readonly fits: (value: unknown) => value is T;
  /** At least one fault, in the order of the schema. */
  readonly faultsOf: (value: unknown) => readonly FieldFault[];
}

/** Compiling a schema takes as long as checking some hundred lines of a journal. */
const CHECKED_FIRST = 200;

/** The shape of a schema. Compiles it once many values are checked, as journals are long. */
export function shapeOf<T>(schema: z.ZodType<T>): Shape<T> {
  let checked = 0;
  let compiled: { readonly validate: (value: unknown) => boolean } | null = null;
  return {
    fits: (value): value is T => {
      checked += 1;
      if (checked <= CHECKED_FIRST) return schema.safeParse(value, { jitless: true }).success;
      compiled ??= z.compile(schema);
      return compiled.validate(value);
    },
    faultsOf: (value) => {
      const { error } = schema.safeParse(value, { error: describeIssue });
      return (error?.issues ?? []).flatMap(faultsOf);
    },
  };
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code !== 'unrecognized_keys') {
    return [{ path, cause: `${nameOf(path)} ${split(issue.message).cause}` }];
  }
  return issue.keys.map((key) => ({ path: [...path, key], cause: `${nameOf([...path, key])} is not a known field` }));
}

/** `variants[2].timeoutMs`, `environment["my-key"]`; the root is `this`. */
function nameOf(path: FieldPath): string {
  const name = path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
  return name === '' ? 'this' : name.replace(/^\./, '');
}

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

/** Lets a sample share the trial of its intent, and equal texts one copy: a third less memory. */
export function createSharing(): (event: JournalEvent) => JournalEvent {
  const trials = new Map<string, Trial>();
  const texts = new Map<string, string>();
  const once = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  const shared = (trial: Trial): Trial => {
    const known = trials.get(trial.id);
    if (known !== undefined && isSame(known, trial)) return known;
    const { kind, prompt, block, requestDigest } = trial;
    const shared = {
      ...trial,
      kind: once(kind) as Trial['kind'],
      prompt: once(prompt),
      block: once(block),
      requestDigest: once(requestDigest),
    };
    trials.set(trial.id, shared);
    return shared;
  };
  const sampleOf = (sample: Sample): Sample => {
    const trial = shared(sample.trial);
    if (!('outputs' in sample)) return { ...sample, trial };
    const [first, ...others] = sample.outputs;
    const output = (one: typeof first) => ({ ...one, sha256: once(one.sha256) });
    return { ...sample, trial, outputs: [output(first), ...others.map(output)] };
  };
  return (event) => {
    if (event.event === 'intent') return { ...event, trial: shared(event.trial) };
    return event.event === 'sample' ? { ...event, sample: sampleOf(event.sample) } : event;
  };
}

/** Shallow: objects count as different. */
function isSame(a: Trial, b: Trial): boolean {
  const keys = Object.keys(a) as (keyof Trial)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

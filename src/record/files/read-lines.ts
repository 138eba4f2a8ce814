import { closeSync, read } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Checked, refused } from '../../kit/diagnostic.ts';
import { describeIssue, split } from '../../kit/issue.ts';
import type { Trial } from '../../plan/trial.ts';
import type { JournalEvent, Sample } from '../journal.ts';
import { openRegular } from '../own-files.ts';

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

/** Characters of a line, far more than a history line of 10,000 cells: time grows with the square of the length. */
const MOST_LINE = 32 * 1024 * 1024;
const TOO_LONG = `the line is longer than ${MOST_LINE / 1024 / 1024} MiB`;

const PIECE_BYTES = 1 << 20;
const readAt = promisify(read);

export interface LineFollower<T> {
  /**
   * Gives each complete line appended since the last call, in order; the value is whether the file is there. A damaged
   * line or a shorter file ends this follower.
   */
  readonly catchUp: (take: (line: T) => void) => Promise<Checked<boolean>>;
  /** Whether the last line had no newline: its writer was killed, or still writes it. */
  readonly isTorn: () => boolean;
}

/** Reads a file of lines, and what is appended to it. `remedy`: of a damaged line. */
export function followLines<T>(path: string, shape: Shape<T>, remedy: string): LineFollower<T> {
  const decoder = new StringDecoder('utf8');
  let offset = 0;
  let rest = '';
  let line = 0;
  const damaged = (causes: readonly string[]): Checked<never> => ({
    ok: false,
    diagnostics: causes.map((cause) => ({ place: { file: path, line, column: 1 }, cause, remedy })),
  });
  const push = (piece: string, take: (line: T) => void): Checked<never> | null => {
    const texts = (rest + piece).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) {
      line += 1;
      const value = parsed(text);
      if (value === undefined) return damaged(['the line is not JSON']);
      if (!shape.fits(value)) return damaged(shape.faultsOf(value).map(({ cause }) => cause));
      take(value);
    }
    line += rest.length > MOST_LINE ? 1 : 0;
    return rest.length > MOST_LINE ? damaged([TOO_LONG]) : null;
  };
  return {
    catchUp: async (take) => {
      const opened = openRegular(path);
      if (!opened.ok) return opened;
      // A run makes its folder before its journal.
      if (opened.value === null) return offset === 0 ? { ok: true, value: false } : shorter(path);
      const { file, bytes } = opened.value;
      try {
        if (bytes < offset) return shorter(path);
        const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE_BYTES, bytes - offset)));
        while (offset < bytes) {
          const { bytesRead } = await readAt(file, piece, 0, Math.min(piece.length, bytes - offset), offset);
          if (bytesRead === 0) break;
          offset += bytesRead;
          const damage = push(decoder.write(piece.subarray(0, bytesRead)), take);
          if (damage !== null) return damage;
        }
        return { ok: true, value: true };
      } finally {
        closeSync(file);
      }
    },
    isTorn: () => rest !== '',
  };
}

function shorter(path: string): Checked<never> {
  return refused(`${path} became shorter`, 'read it again from its beginning');
}

/** Undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

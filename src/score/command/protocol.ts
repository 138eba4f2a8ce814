import { isObject, type Json, type JsonObject, ownValue } from '../../kit/json.ts';
import type { UnscoredReason } from '../../record/score.ts';
import { LARGEST_SCORE } from '../../suite/score-label.ts';
import type { GivenValue } from '../../suite/scorer.ts';

/*
 * What Retake and a program of the user say to each other: one JSON object a line. Here are the words; `program.ts` has
 * the process.
 */

/** Of a line in either direction, without its end. */
export const MOST_LINE_BYTES = 1 << 20;

/** Does not name variants, seeds and digests. */
export interface ScorerQuestion {
  readonly id: string;
  /** Absolute paths of its images in order: one of an image, several of what moves. */
  readonly media: readonly string[];
  /** Absolute path of the file as it came; absent unless the scorer asks for it. */
  readonly original?: string;
  readonly prompt: string;
  readonly expect: JsonObject | null;
  readonly kind: string;
  /** Absolute path of the input image of the prompt; null without one. */
  readonly image: string | null;
}

/** With its end. Null if it is too long to be sent. */
export function questionLine(question: ScorerQuestion): string | null {
  const line = JSON.stringify(question);
  return Buffer.byteLength(line) > MOST_LINE_BYTES ? null : `${line}\n`;
}

/** What a program says of itself when it starts. */
export interface Greeting {
  readonly version: string | null;
  readonly weights: string | null;
}

const PROTOCOL = 1;

/** Characters of a version, and of the name of weights. */
const LONGEST_NAME = 256;

/** Characters of the code that a program gives for an output that it does not score. */
const LONGEST_CODE = 64;

/** Null for any other line than `{"retake":1, ...}`. */
export function readGreeting(line: string): Greeting | null {
  const message = parsed(line);
  if (!isObject(message) || message.retake !== PROTOCOL) return null;
  const [version, weights] = [nameOf(message.version), nameOf(message.weights)];
  return version === undefined || weights === undefined ? null : { version, weights };
}

/** Undefined for an invalid name. */
function nameOf(value: Json | undefined): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && value.length <= LONGEST_NAME ? value : undefined;
}

export type Values = Readonly<Record<string, number>>;

type ProgramAnswer =
  | { readonly is: 'values'; readonly values: Values }
  | { readonly is: 'unscored'; readonly why: UnscoredReason }
  /** It does not follow the protocol. */
  | { readonly is: 'wrong'; readonly how: string };

/** @param id of the question that waits for its answer */
export function readAnswer(line: string, id: string, gives: readonly GivenValue[]): ProgramAnswer {
  const message = parsed(line);
  if (!isObject(message)) return wrong(`it wrote a line that is not a JSON object: ${line}`);
  if (message.id !== id) return wrong(`it wrote an answer without the id of its question: ${line}`);
  const { scores, unscored } = message;
  if (unscored === undefined) return isObject(scores) ? valuesOf(scores, gives) : wrong(`${NO_ANSWER}: ${line}`);
  const isCode = typeof unscored === 'string' && unscored !== '' && unscored.length <= LONGEST_CODE;
  if (!isCode || scores !== undefined) return wrong(`${NO_ANSWER}: ${line}`);
  return unscoredAs(unscored === 'nothing_expected' ? { code: unscored } : { code: 'refused', reason: unscored });
}

const NO_ANSWER = 'it wrote an answer that has neither scores nor a reason in unscored';

function valuesOf(scores: JsonObject, gives: readonly GivenValue[]): ProgramAnswer {
  const names = new Set(gives.map(({ value }) => value));
  const other = Object.keys(scores).find((name) => !names.has(name));
  if (other !== undefined) return wrong(`it wrote the value "${other}", which the suite does not declare`);
  const values: Record<string, number> = {};
  for (const { value: name, range } of gives) {
    const value = ownValue(scores, name);
    if (value === undefined) return wrong(`it wrote an answer without the value "${name}"`);
    if (typeof value !== 'number' || !Number.isFinite(value)) return unscoredAs({ code: 'not_a_number' });
    const [least, most] = range ?? [-LARGEST_SCORE, LARGEST_SCORE];
    if (value < least || value > most) return unscoredAs({ code: 'out_of_range' });
    values[name] = value;
  }
  return { is: 'values', values };
}

function unscoredAs(why: UnscoredReason): ProgramAnswer {
  return { is: 'unscored', why };
}

function wrong(how: string): ProgramAnswer {
  return { is: 'wrong', how };
}

/** Undefined for what is not JSON. NaN and Infinity, which Python's json writes, become null. */
function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return NOT_FINITE.test(line) ? withoutNotFinite(line) : undefined;
  }
}

const NOT_FINITE = /NaN|Infinity/;

function withoutNotFinite(line: string): Json | undefined {
  try {
    return JSON.parse(
      line.replaceAll(/"(?:[^"\\]|\\.)*"?|-?(?:NaN|Infinity)/g, (match) => (match.startsWith('"') ? match : 'null')),
    );
  } catch {
    return undefined;
  }
}

import { createInterface, type Interface } from 'node:readline';
import { accepted, type Checked, formatDiagnostic, Refused, refusal, refused } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { visibleLine } from '../../kit/visible.ts';
import { type Edge, printSentence, printText } from '../edge.ts';

/** Something that `retake init` needs: from an option, else from a question on a terminal, else its fallback. */
export interface Question<T> {
  /** With its dashes: `--kind`. */
  readonly option: string;
  readonly asks: string;
  /** Allowed answers with their meaning; absent: anything that `parse` accepts. */
  readonly choices?: readonly (readonly [value: string, meaning: string])[];
  readonly fallback: string;
  readonly parse: (text: string) => Checked<T>;
}

/** Gives an answer, or refuses. `given` is the value of the option; undefined: absent. */
export type Ask = <T>(question: Question<T>, given?: string) => Promise<T>;

export type QuestionEdge = Pick<Edge, 'input' | 'err' | 'asks' | 'drain'>;

/**
 * Refuses the end of input, interrupts, and options that cannot be used.
 * @param assume is told each option whose fallback is taken without a question
 */
export async function withQuestions<T>(
  edge: QuestionEdge,
  use: (ask: Ask) => Promise<T>,
  assume: (option: string, fallback: string) => void = () => {},
): Promise<T> {
  const reader = edge.asks ? readerOf(edge) : null;
  if (reader?.ended === false) reader.lines.resume();
  const ask: Ask = async (question, given) => {
    if (reader !== null && given === undefined) return answerByLine(question, reader.answers, edge.err);
    if (given === undefined && question.fallback !== '') assume(question.option, question.fallback);
    return answerByOption(question, given);
  };
  try {
    return await use(ask);
  } finally {
    // Paused input does not keep the process alive.
    if (reader?.ended === false) reader.lines.pause();
  }
}

interface Reader {
  readonly lines: Interface;
  readonly answers: AsyncIterator<string>;
  ended: boolean;
}

/** One reader per input: a closed one loses what was typed ahead, and the next question waits for ever. */
const readers = new WeakMap<Edge['input'], Reader>();

function readerOf({ input, drain }: Pick<Edge, 'input' | 'drain'>): Reader {
  const known = readers.get(input);
  if (known !== undefined) return known;
  const lines = createInterface({ input, terminal: false });
  drain.addEventListener('abort', () => lines.close(), { once: true });
  const reader = { lines, answers: lines[Symbol.asyncIterator](), ended: false };
  lines.once('close', () => {
    reader.ended = true;
  });
  readers.set(input, reader);
  return reader;
}

function answerByOption<T>({ option, fallback, parse }: Question<T>, given: string | undefined): T {
  const parsed = parse(given ?? fallback);
  if (parsed.ok || given === undefined) return accepted(parsed);
  throw new Refused(parsed.diagnostics.map((fault) => ({ ...fault, cause: `${option}: ${fault.cause}` })));
}

async function answerByLine<T>(question: Question<T>, answers: Reader['answers'], err: Edge['err']): Promise<T> {
  for (;;) {
    printText(err, promptOf(question));
    const line = await answers.next();
    if (line.done === true) {
      err.write('\n');
      const remedy = `nothing was written; or give ${question.option}`;
      throw refusal('not all questions were answered', remedy);
    }
    const parsed = question.parse(answerOf(line.value, question));
    if (parsed.ok) return parsed.value;
    for (const fault of parsed.diagnostics) printSentence(err, `  ${formatDiagnostic(fault)}`);
  }
}

function promptOf({ asks, choices, fallback }: Question<unknown>): string {
  const usual = fallback === '' ? '' : ` [${visibleLine(fallback)}]`;
  if (choices === undefined) return `${asks}${usual}: `;
  const width = Math.max(...choices.map(([value]) => value.length));
  const list = choices.map(([value, meaning], index) => `  ${index + 1}  ${value.padEnd(width)}  ${meaning}\n`);
  return `${asks}\n${list.join('')}number or name${usual}: `;
}

/** A number is a choice, an empty line the fallback. */
function answerOf(line: string, { choices, fallback }: Question<unknown>): string {
  const text = line.trim();
  if (text === '') return fallback;
  const numbered = /^\d+$/.test(text) ? choices?.[Number(text) - 1]?.[0] : undefined;
  return numbered ?? text;
}

export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function oneOf<const T extends string>(values: readonly T[]): (text: string) => Checked<T> {
  return (text) => {
    const value = values.find((known) => known === text);
    if (value !== undefined) return { ok: true, value };
    return refused(`"${text}" is not one of ${values.join(', ')}`, suggest(text, values, 'write one of'));
  };
}

/**
 * Refuses if the answer is no.
 * @param option that answers it: `--yes`
 */
export async function agree(edge: QuestionEdge, option: string, asks: string): Promise<void> {
  const parse = oneOf(['yes', 'no', 'y', 'n']);
  const answer = await withQuestions(edge, (ask) => ask({ option, asks: `${asks} yes or no`, fallback: 'no', parse }));
  if (!answer.startsWith('y')) throw refusal('the run was not started', 'nothing was sent');
}

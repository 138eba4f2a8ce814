import { createInterface, type Interface } from 'node:readline';
import { type Checked, formatDiagnostic, refused } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { visibleLine } from '../../kit/visible.ts';
import { type Edge, printSentence } from '../edge.ts';

/** Something that `retake init` needs: from an option, else from a question on a terminal, else its fallback. */
interface Question<T> {
  /** With its dashes: `--kind`. */
  readonly option: string;
  readonly given: string | undefined;
  readonly asks: string;
  /** Allowed answers with their meaning; absent: anything that `parse` accepts. */
  readonly choices?: readonly (readonly [value: string, meaning: string])[];
  /** The answer without any; null: one is needed. */
  readonly fallback: string | null;
  readonly parse: (text: string) => Checked<T> | Promise<Checked<T>>;
}

export type Ask = <T>(question: Question<T>) => Promise<Checked<T>>;

/** End of input and interrupts are errors. */
export async function withQuestions<T>(
  edge: Pick<Edge, 'input' | 'err' | 'asks' | 'drain'>,
  use: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (!edge.asks) return use(answerByOption);
  const reader = readerOf(edge);
  const { lines, answers } = reader;
  if (!reader.ended) lines.resume();
  const ask: Ask = async (question) => {
    if (question.given !== undefined) return answerByOption(question);
    for (;;) {
      edge.err.write(promptOf(question));
      const line = await answers.next();
      if (line.done === true) {
        edge.err.write('\n');
        return refused('not all questions were answered', `nothing was written; or give ${question.option}`);
      }
      const text = answerOf(line.value, question);
      const parsed = text === null ? refused('the answer is empty', 'write one') : await question.parse(text);
      if (parsed.ok) return parsed;
      for (const fault of parsed.diagnostics) printSentence(edge.err, `  ${formatDiagnostic(fault)}`);
    }
  };
  try {
    return await use(ask);
  } finally {
    // Paused input does not keep the process alive.
    if (!reader.ended) lines.pause();
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

async function answerByOption<T>({ option, given, fallback, parse }: Question<T>): Promise<Checked<T>> {
  const text = given ?? fallback;
  if (text === null) return refused(`${option} is missing`, 'see retake init --help');
  const parsed = await parse(text);
  if (parsed.ok || given === undefined) return parsed;
  const named = parsed.diagnostics.map((fault) => ({ ...fault, cause: `${option}: ${fault.cause}` }));
  return { ok: false, diagnostics: named };
}

function promptOf({ asks, choices, fallback }: Question<unknown>): string {
  const usual = fallback === null || fallback === '' ? '' : ` [${visibleLine(fallback)}]`;
  if (choices === undefined) return `${asks}${usual}: `;
  const width = Math.max(...choices.map(([value]) => value.length));
  const list = choices.map(([value, meaning], index) => `  ${index + 1}  ${value.padEnd(width)}  ${meaning}\n`);
  return `${asks}\n${list.join('')}number or name${usual}: `;
}

/** A number is a choice, an empty line the fallback. */
function answerOf(line: string, { choices, fallback }: Question<unknown>): string | null {
  const text = line.trim();
  if (text === '') return fallback;
  const numbered = /^\d+$/.test(text) ? choices?.[Number(text) - 1]?.[0] : undefined;
  return numbered ?? text;
}

/** An answer of several values: `fast, slow`. */
export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

export function oneOf<const T extends string>(values: readonly T[]): (text: string) => Checked<T> {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value !== undefined) return { ok: true, value };
    return refused(`"${text}" is not one of ${values.join(', ')}`, suggest(text, values, 'write one of'));
  };
}

/**
 * An error if the answer is no.
 * @param option that answers it: `--yes`
 */
export async function agree(
  edge: Parameters<typeof withQuestions>[0],
  option: string,
  asks: string,
): Promise<Checked<null>> {
  const parse = oneOf(['yes', 'no', 'y', 'n']);
  const answer = await withQuestions(edge, (ask) =>
    ask({ option, given: undefined, asks: `${asks} yes or no`, fallback: 'no', parse }),
  );
  if (!answer.ok) return answer;
  return answer.value.startsWith('y')
    ? { ok: true, value: null }
    : refused('the run was not started', 'nothing was sent');
}

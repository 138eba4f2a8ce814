import type { Processes } from '../record/lock.ts';
import { inCharactersOf } from '../report/terminal/characters.ts';
import type { Redact } from '../targets/secrets/redact.ts';
import { textWidth, wrapped } from '../text/text-width.ts';

/** The world as a command meets it; made by main.ts from the process, by tests from whatever they like. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file this program was started from: what a process of our own is started with. */
  readonly program: string;
  readonly processes: Processes;
  /** Results: standard output. */
  readonly out: TextSink;
  /** Everything else: standard error. */
  readonly err: TextSink;
  /** What a parent process writes to us; its end means that the parent is gone. */
  readonly input: NodeJS.ReadableStream;
  /** Names the values that must not be in what is printed of an internal error; `redact` replaces them. */
  readonly redactErrors: (redact: Redact) => void;
  /** Whether a person reads the diagnostics, and no program: they are followed by the line of the file that they are about. */
  readonly showsExcerpts: boolean;
  /** Whether somebody can be asked: standard input and standard error are a terminal. */
  readonly asks: boolean;
  /** Aborted by the first interrupt: end in good order. */
  readonly drain: AbortSignal;
  /** Aborted by the second interrupt: the requests in flight are aborted. */
  readonly abort: AbortSignal;
  /** Calls back round a suspension of the process, until the function that it gives is called. */
  readonly onSuspension: (suspension: Suspension) => () => void;
  /** Calls back before the third interrupt ends the process, until the function that it gives is called. */
  readonly onForcedEnd: (sayLast: () => void) => () => void;
}

/** The user suspends the process (Ctrl-Z) and lets it go on. */
export interface Suspension {
  /** Before it stops: the terminal is the shell's then. */
  readonly before: () => void;
  readonly after: () => void;
}

export interface TextSink {
  readonly write: (text: string) => void;
  /** Gives the runner of GitHub Actions a line that it acts on; undefined elsewhere. What is written otherwise is never one. */
  readonly command?: ((line: string) => void) | undefined;
  readonly interactive: boolean;
  /** Whether to colour; NO_COLOR and FORCE_COLOR are heeded already. */
  readonly colour: boolean;
  /** Columns; 80 where there is no terminal. */
  readonly width: number;
  /** Lines; 24 where there is no terminal. */
  readonly height: number;
  /** Whether it is a terminal that shows ASCII characters only; false where it is not said. */
  readonly ascii?: boolean | undefined;
}

/** What is below the first line of a sentence is indented, so that the next sentence can be told from it. */
const INDENT = '  ';

/**
 * Prints a sentence: on a terminal in lines that are broken between words, elsewhere in one, for programs that read lines.
 * A word that is longer than a line, such as a path, stays whole, so that it can be copied.
 */
export function printSentence(sink: SentenceSink, sentence: string): void {
  sink.write(inCharactersOf(`${sentenceLines(sink, sentence).join(`\n${INDENT}`)}\n`, sink));
}

/** Prints lines of text: on a terminal those that are too long are broken between words, and go on further in than they began. */
export function printText(sink: SentenceSink, text: string): void {
  const lines = text.split('\n').flatMap((line) => {
    if (!sink.interactive || textWidth(line) <= sink.width) return [line];
    const begin = /^ */.exec(line)?.[0] ?? '';
    const [first = '', ...rest] = wrapped(line.trimStart(), sink.width - begin.length - INDENT.length, 'keep');
    return [begin + first, ...rest.map((each) => begin + INDENT + each)];
  });
  sink.write(inCharactersOf(lines.join('\n'), sink));
}

/** Prints a sentence that ends with a command: on a terminal the command stays whole, on a line of its own where it has to. */
export function printCommand(sink: SentenceSink, { sentence, command }: Command): void {
  const line = `${sentence}: ${command}`;
  const isBroken = sink.interactive && textWidth(line) > sink.width;
  sink.write(isBroken ? `${sentenceLines(sink, `${sentence}:`).join('\n')}\n${INDENT}${command}\n` : `${line}\n`);
}

type SentenceSink = Pick<TextSink, 'write' | 'interactive' | 'width' | 'ascii'>;

/** A command for the user to type, and what it is for: `to resume this run`. */
export interface Command {
  readonly sentence: string;
  readonly command: string;
}

function sentenceLines({ interactive, width }: SentenceSink, text: string): readonly string[] {
  if (!interactive || textWidth(text) <= width) return [text];
  return wrapped(text, width - INDENT.length, 'keep');
}

/**
 * Why the process ends; the first that applies: 5 defect, 2 wrong suite, target or arguments, 3 run incomplete,
 * 1 gate failed, 4 inconclusive, 0 all is well.
 */
export const EXIT = { ok: 0, failed: 1, misuse: 2, incomplete: 3, inconclusive: 4, defect: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

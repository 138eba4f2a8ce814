import { textWidth, wrapped } from '../kit/text-width.ts';
import { visibleLine, withoutCommands } from '../kit/visible.ts';
import { inCharactersOf } from '../report/paint.ts';
import type { WorkflowEdge } from '../workflow/workflow-edge.ts';

/** The process of a command, made by main.ts or by tests. */
export interface Edge extends WorkflowEdge {
  /** Results: standard output. */
  readonly out: TextSink;
  /** Everything else: standard error. */
  readonly err: TextSink;
  /** Standard input; its end means that the parent process is gone. */
  readonly input: NodeJS.ReadableStream;
  /** Calls back around a suspension (Ctrl-Z), until the given function is called. */
  readonly onSuspension: (suspension: Suspension) => () => void;
  /** Calls back before the third interrupt ends the process, until the given function is called. */
  readonly onForcedEnd: (sayLast: () => void) => () => void;
}

export interface Suspension {
  /** Before the shell takes the terminal. */
  readonly before: () => void;
  readonly after: () => void;
}

export interface TextSink {
  readonly write: (text: string) => void;
  /** Writes a line that the runner of GitHub Actions executes; undefined elsewhere. `write` never does. */
  readonly command?: ((line: string) => void) | undefined;
  readonly interactive: boolean;
  /** Considers NO_COLOR and FORCE_COLOR. */
  readonly colour: boolean;
  /** 80 without a terminal. */
  readonly width: number;
  /** 24 without a terminal. */
  readonly height: number;
  /** Whether the terminal only shows ASCII; false if unknown. */
  readonly ascii?: boolean | undefined;
}

/** In a job of GitHub Actions, only our own commands may act on the job. */
export function toRunner(
  env: Edge['env'],
  write: (text: string) => void,
): Required<Pick<TextSink, 'write' | 'command'>> {
  if (env.GITHUB_ACTIONS !== 'true') return { write, command: undefined };
  const guarded = withoutCommands();
  return { write: (text) => write(guarded(text)), command: (line) => write(`${line}\n`) };
}

/** The first of 5, 2, 3, 1, 4, 0 that applies. `misuse`: wrong suite, target or arguments; `defect`: ours. */
export const EXIT = { ok: 0, failed: 1, misuse: 2, incomplete: 3, inconclusive: 4, defect: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Indents the further lines of a sentence. */
const INDENT = '  ';

/**
 * Spells out hidden characters. On a terminal breaks lines between words; long words, such as paths, stay whole for
 * copying.
 */
export function printSentence(sink: SentenceSink, sentence: string): void {
  const lines = sentenceLines(sink, visibleLine(sentence));
  sink.write(inCharactersOf(`${lines.join(`\n${INDENT}`)}\n`, sink));
}

/** Breaks long lines between words on a terminal. */
export function printText(sink: SentenceSink, text: string): void {
  const lines = text.split('\n').flatMap((line) => {
    if (!sink.interactive || textWidth(line) <= sink.width) return [line];
    const begin = /^ */.exec(line)?.[0] ?? '';
    const [first = '', ...rest] = wrapped(line.trimStart(), sink.width - begin.length - INDENT.length, 'keep');
    return [begin + first, ...rest.map((next) => begin + INDENT + next)];
  });
  sink.write(inCharactersOf(lines.join('\n'), sink));
}

/** The command is never broken: it is for copying. */
export function printCommand(sink: SentenceSink, { sentence, command }: Command): void {
  const line = `${sentence}: ${command}`;
  const isBroken = sink.interactive && textWidth(line) > sink.width;
  sink.write(isBroken ? `${sentenceLines(sink, `${sentence}:`).join('\n')}\n${INDENT}${command}\n` : `${line}\n`);
}

type SentenceSink = Pick<TextSink, 'write' | 'interactive' | 'width' | 'ascii'>;

/** `sentence` says what the command is for: `to resume this run`. */
export interface Command {
  readonly sentence: string;
  readonly command: string;
}

function sentenceLines({ interactive, width }: SentenceSink, text: string): readonly string[] {
  if (!interactive || textWidth(text) <= width) return [text];
  return wrapped(text, width - INDENT.length, 'keep');
}

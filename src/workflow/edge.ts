import type { Redact } from '../kit/redact.ts';
import { textWidth, wrapped } from '../kit/text-width.ts';
import { visibleLine, withoutCommands } from '../kit/visible.ts';
import type { Calibration } from '../record/calibration.ts';
import type { Processes } from '../record/store.ts';
import { inCharactersOf } from '../report/paint.ts';
import type { OwnService } from '../run/limits.ts';
import type { PreparedJudge } from '../run/prepare-judges.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { DeclaredScorer } from '../suite/scorer.ts';
import type { Secrets } from '../targets/secrets.ts';
import type { FleetRunArguments } from './run-arguments.ts';

/** The process of a command, made by main.ts or by tests. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file of this program, to start our own processes with. */
  readonly program: string;
  readonly processes: Processes;
  readonly parts: OptionalParts;
  /**
   * Measures this machine, and its disk at the folder of results. Null if the signal is aborted; throws if nothing can
   * be written.
   */
  readonly calibrate: (form: Calibration['form'], results: string, signal: AbortSignal) => Promise<Calibration | null>;
  /** Results: standard output. */
  readonly out: TextSink;
  /** Everything else: standard error. */
  readonly err: TextSink;
  /** Standard input; its end means that the parent process is gone. */
  readonly input: NodeJS.ReadableStream;
  /** Replaces secrets in the text of an internal error. */
  readonly redactErrors: (redact: Redact) => void;
  /** Whether diagnostics are followed by the line of the file: for a person, not a program. */
  readonly showsExcerpts: boolean;
  /** Whether questions are possible: standard input and standard error are a terminal. */
  readonly asks: boolean;
  /** Aborted by the first interrupt: requests in flight end by themselves. */
  readonly drain: AbortSignal;
  /** Aborted by the second interrupt: requests in flight are aborted. */
  readonly abort: AbortSignal;
  /** Calls back around a suspension (Ctrl-Z), until the given function is called. */
  readonly onSuspension: (suspension: Suspension) => () => void;
  /** Calls back before the third interrupt ends the process, until the given function is called. */
  readonly onForcedEnd: (sayLast: () => void) => () => void;
}

/** For reading, examining and assessing a record. */
export type ReadingEdge = Pick<Edge, 'err' | 'drain' | 'abort' | 'processes'>;

/** Parts that a run can do without: those whose folder in `commands/` was there at build time. */
export interface OptionalParts {
  readonly loadScoring?: () => Promise<ScoringPart>;
  /** @param program the file of this program */
  readonly startService?: (program: string) => Promise<EmbeddedService>;
  readonly runFleet?: (args: FleetRunArguments, edge: Edge) => Promise<ExitCode>;
}

/** Predicate of a command, an argument or something in a suite. */
export const NEEDS_ABSENT_PART = 'needs a part of Retake that this build does not have';

export interface ScoringPart {
  /** Refuses what would start a program, unless the user allows it. */
  readonly checkAllowed: (scorers: readonly DeclaredScorer[], allowCommands: boolean) => void;
  /** The judges of a record within the limits of the user's own suite (null: none); refuses programs that it does not have. */
  readonly holdToSuite: (
    run: { readonly id: string; readonly scorers?: readonly DeclaredScorer[] },
    judges: readonly PreparedJudge[],
    userSuite: Pick<PreparedSuite, 'suite' | 'judges'> | null,
    edge: Edge,
  ) => Promise<readonly PreparedJudge[]>;
  /** Asks about the outputs of a run that was measured. Null, or the command that asks about those not scored. */
  readonly scoreMeasured: (
    outputs: MeasuredOutputs,
    options: { readonly quiet: boolean },
    edge: Edge,
  ) => Promise<Command | null>;
}

export interface MeasuredOutputs {
  readonly folder: string;
  readonly scorers: readonly DeclaredScorer[];
  /** Absolute. */
  readonly suiteFolder: string;
  /** Those scorers that are judges; `secrets` are their keys. */
  readonly judges: readonly PreparedJudge[];
  readonly secrets: Secrets;
}

/** The reference service of one run: in its own process, with a key made for it. */
export interface EmbeddedService extends Pick<OwnService, 'ended'> {
  readonly url: string;
  readonly key: string;
  readonly close: () => Promise<void>;
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

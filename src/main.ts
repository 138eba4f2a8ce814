#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './commands/command-line.ts';
import {
  type Edge,
  EXIT,
  type ExitCode,
  printSentence,
  type Suspension,
  type TextSink,
  toRunner,
} from './commands/edge.ts';
import { type SilentEdge, withSpeech } from './commands/speech.ts';
import { codeOf, fileFaultOf } from './kit/diagnostic.ts';
import type { Redact } from './kit/redact.ts';

/*
 * The edge of the process: arguments, environment, signals, streams and the exit code. Nobody else touches these.
 */

/** Characters of a line of an error that are printed. */
const LONGEST_LINE = 2000;

/** The place of the start time in /proc/PID/stat, after the state of the process; proc(5). */
const STARTTIME = 18;

/** Requests in flight have so long after SIGTERM: CI runners and containers kill what is there after 10 s. */
const TERMINATION_DRAIN_MS = 4000;

const drain = new AbortController();
const abort = new AbortController();
let redactError: Redact = String;
const suspensions = new Set<Suspension>();
const lastWords = new Set<() => void>();
const edge: Edge = withSpeech<SilentEdge>({
  env: process.env,
  cwd: process.cwd(),
  program: fileURLToPath(import.meta.url),
  processes: {
    own: { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) },
    find: (pid) => (isRunning(pid) ? { startedAt: startOf(pid) } : null),
  },
  idleExaminers: [],
  calibrate: async (signal) => {
    // Loaded only here: most commands measure nothing.
    const { calibrateMachine } = await import('./workflow/calibrate-machine.ts');
    return calibrateMachine(signal);
  },
  out: sink(process.stdout),
  err: sink(process.stderr),
  get input() {
    return process.stdin;
  },
  redactErrors: (redact) => {
    redactError = redact;
  },
  asks: isatty(0) && process.stderr.isTTY === true,
  drain: drain.signal,
  abort: abort.signal,
  onSuspension: (suspension) => {
    suspensions.add(suspension);
    return () => suspensions.delete(suspension);
  },
  onForcedEnd: (sayLast) => {
    lastWords.add(sayLast);
    return () => lastWords.delete(sayLast);
  },
});

const interrupt = (): void => {
  if (!drain.signal.aborted) drain.abort();
  else if (!abort.signal.aborted) abort.abort();
  else {
    for (const sayLast of lastWords) sayLast();
    process.exit(EXIT.incomplete);
  }
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', () => {
  interrupt();
  setTimeout(() => abort.abort(), TERMINATION_DRAIN_MS).unref();
});
// Shell and terminal each send one when a terminal is closed.
process.once('SIGHUP', interrupt);
process.on('SIGHUP', () => {});

// Windows has no such signals.
if (process.platform !== 'win32') {
  process.on('SIGTSTP', () => {
    for (const { before } of suspensions) before();
    process.kill(process.pid, 'SIGSTOP');
  });
  process.on('SIGCONT', () => {
    for (const { after } of suspensions) after();
  });
}

// A reader that has gone (`retake ... | head`) is no failure of the run, nor is a terminal that was closed.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

// 1 would say that a gate failed.
process.on('uncaughtException', (error) => process.exit(complain(error)));

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), versionOfPackage(), edge);
} catch (error) {
  process.exitCode = complain(error);
} finally {
  for (const examiner of edge.idleExaminers) void examiner.terminate(true);
}

function complain(error: unknown): ExitCode {
  const fault = fileFaultOf(error);
  if (fault !== null) {
    printSentence(edge.err, `retake: ${redactLines(fault.cause)}; ${fault.remedy}`);
    return EXIT.misuse;
  }
  edge.err.write(`retake: internal error in Retake; please report it: ${redactLines(describe(error))}\n`);
  return EXIT.defect;
}

/** Whoever reports an error makes it public. A stack keeps its lines, which are indented. */
function redactLines(text: string): string {
  return text.replaceAll(/[^\s].*/g, (line) => redactError(line, LONGEST_LINE));
}

function sink(stream: NodeJS.WriteStream): TextSink {
  const forced = process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0';
  const refused = process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '';
  return {
    ...toRunner(process.env, (text) => stream.write(text)),
    interactive: stream.isTTY === true,
    colour: !refused && (forced || (stream.isTTY === true && process.env.TERM !== 'dumb')),
    // Some terminals say that they have none; their size may change.
    get width() {
      return stream.columns || 80;
    },
    get height() {
      return stream.rows || 24;
    },
    ascii: stream.isTTY === true && !showsUnicode(process.env),
  };
}

/** Whether the locale of the terminal is a UTF-8 one, as POSIX looks for it; Windows has none. */
function showsUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return process.platform === 'win32' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** When a process was started, in ticks of this boot of the machine; null where the system has no /proc. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything. A process in state Z was killed, and its parent has not asked for it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot} ${state === 'Z' ? 'ended' : (fields[STARTTIME] ?? '')}`;
  } catch {
    return null;
  }
}

function versionOfPackage(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import { isDeepStrictEqual } from 'node:util';
import type { Control } from '../record/codes.ts';
import type { StoredRun } from '../record/kept-run.ts';
import type { OutputScore, ScoreLine, ScorerLine } from '../record/score.ts';
import { byOf, scoreKey, type WrittenScores, writtenScores } from '../record/score-key.ts';
import type { CommandScorer } from '../suite/scorer.ts';
import type { Greeting, Values } from './command/protocol.ts';
import { Conversation, type ConversationOptions, type Result, type ScorerItem, type Showing } from './conversation.ts';
import { controlCopies, isFinal, type OutputToScore, outputsToScore, whyNotShown } from './outputs-to-score.ts';
import type { Scorer, ScoringEdge } from './score-run.ts';

/** What a program is asked about, and the lines of scores.jsonl that its answer makes. */
interface Item extends ScorerItem {
  readonly linesOf: (result: Result) => readonly OutputScore[];
}

interface Questioned extends Pick<ScoringEdge, 'isStored'> {
  readonly scorer: CommandScorer;
  readonly by: string;
  readonly outputs: readonly OutputToScore[];
  readonly written: WrittenScores;
  /** Makes the files of a question about `output`, in whose place `shown` may stand. */
  readonly show: (output: OutputToScore, shown: OutputToScore, control: Control | null) => Promise<Showing>;
}

interface Items {
  /** Known from earlier lines, or because nothing can be asked. */
  readonly known: readonly OutputScore[];
  /** In the order of their keys, which is random to the program. */
  readonly open: readonly Item[];
}

/** Equal outputs of prompts that ask for the same are one question. */
function outputItems({ scorer, by, outputs, written, isStored, show }: Questioned): Items {
  const known: OutputScore[] = [];
  const open = new Map<string, Item>();
  const lines = new Map<string, AnswerPlace[]>();
  for (const output of outputs) {
    const { prompt, digest } = output;
    const line: AnswerPlace = {
      scorer: scorer.name,
      by,
      key: scoreKey({ by, prompt, media: [digest], control: null }),
      prompt: prompt.id,
      media: [digest],
    };
    const before = written.find(line.key);
    const why = whyNotShown([output], prompt, isStored);
    const equal = lines.get(line.key);
    if (before !== null && isFinal(before)) known.push({ ...before, prompt: prompt.id });
    else if (why !== null) known.push({ line: 'unscored', ...line, why });
    else if (equal !== undefined) equal.push(line);
    else {
      const equalLines = [line];
      lines.set(line.key, equalLines);
      open.set(line.key, {
        question: questionOf(output),
        show: () => show(output, output, null),
        linesOf: (result) => equalLines.map((equalLine) => answerLine(equalLine, result)),
      });
    }
  }
  return { known, open: inOrder(open) };
}

/** The copies of outputs that have no line yet. */
function controlItems(questioned: Questioned): readonly Item[] {
  const { scorer, by, outputs, written, show } = questioned;
  const open = controlCopies(scorer, by, outputs, written).filter(({ key }) => written.find(key) === null);
  return inOrder(
    new Map(
      open.map(({ key, control, output, shown }): [string, Item] => {
        const { prompt, digest } = output;
        const media = shown === output ? [digest] : [digest, shown.digest];
        const line = { scorer: scorer.name, by, key, prompt: prompt.id, media };
        return [
          key,
          {
            question: questionOf(output),
            show: () => show(output, shown, control),
            linesOf: (result) => {
              if (!result.ok && result.why.code === 'command_failed') return [];
              const usual = written.find(scoreKey({ by, prompt, media: [digest], control: null }));
              const values = usual?.line === 'value' && result.ok ? ([result.values, usual.values] as const) : null;
              return [
                { line: 'control', ...line, control, found: values === null ? null : worseIn(scorer, ...values) },
              ];
            },
          },
        ];
      }),
    ),
  );
}

type AnswerPlace = Pick<OutputScore, 'scorer' | 'by' | 'key' | 'prompt' | 'media'>;

function answerLine(line: AnswerPlace, result: Result): OutputScore {
  return result.ok ? { line: 'value', ...line, values: result.values } : { line: 'unscored', ...line, why: result.why };
}

/** Whether the copy is worse, for each value with a direction. */
function worseIn({ gives }: CommandScorer, copy: Values, usual: Values): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    gives.flatMap(({ value, better }) => {
      const [worse, best] = [copy[value], usual[value]];
      if (better === null || worse === undefined || best === undefined) return [];
      return [[value, better === 'higher' ? worse < best : worse > best]];
    }),
  );
}

function questionOf({ prompt, kind }: OutputToScore): Item['question'] {
  return { prompt: prompt.text, expect: prompt.expect?.values ?? null, kind };
}

function inOrder(items: ReadonlyMap<string, Item>): readonly Item[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

export interface ScoringProgram extends Pick<ConversationOptions, 'env' | 'redact'> {
  readonly declared: CommandScorer;
  /** The command line, with the values of variables. */
  readonly command: readonly string[];
  /** SHA-256 of the files of its command line, by their paths from the suite's folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ProgramEdge extends Pick<ConversationOptions, 'folder'> {
  /** Makes the files of a question, as the scorer asks for them. */
  readonly show: (scorer: CommandScorer, ...shown: Parameters<Questioned['show']>) => ReturnType<Questioned['show']>;
}

/** The program is not started if nothing is to be asked. */
export function programScorer(program: ScoringProgram, outside: ProgramEdge): Scorer {
  const { declared } = program;
  return { declared, score: (record, edge) => scoreWith(program, record, { ...outside, ...edge }) };
}

/** Null, or the end of the standard error of a program that failed. */
async function scoreWith(
  program: ScoringProgram,
  record: StoredRun,
  edge: ProgramEdge & ScoringEdge,
): Promise<string | null> {
  const { declared, command, env, redact } = program;
  const all = {
    scorer: declared,
    outputs: outputsToScore(record),
    written: writtenScores(record.scores),
    isStored: edge.isStored,
  };
  const questionedBy = (by: string): Questioned => ({ ...all, by, show: (...shown) => edge.show(declared, ...shown) });
  // Its line in scores.jsonl, unless it reports another version when it starts.
  const known = record.scores.findLast((line) => line.line === 'scorer' && isLineOf(line, program));
  const presumed = known?.line === 'scorer' ? known : lineOf(program, { version: null, weights: null });
  const before = questionedBy(presumed.by);
  const append = (lines: readonly ScoreLine[]): void => edge.append(before.written.missing(lines));
  const { known: answered, open } = outputItems(before);
  if (open.length === 0 && controlItems(before).length === 0) {
    if (answered.length > 0) append([presumed, ...answered]);
    return null;
  }
  edge.starting();
  const conversation = new Conversation<Item>({ ...declared, command: [...command] }, { ...edge, env, redact });
  try {
    const greeting = await conversation.begin();
    if (edge.signal.aborted) return null;
    const line = greeting === null ? presumed : lineOf(program, greeting);
    const questioned = questionedBy(line.by);
    const outputs = outputItems(questioned);
    append([line, ...outputs.known]);
    let [done, total] = [0, outputs.open.length];
    const items = function* (): Generator<Item> {
      yield* outputs.open;
      // Which outputs are copied follows from those that have values now.
      const copies = controlItems(questioned);
      total += copies.length;
      yield* copies;
    };
    for await (const [item, result] of conversation.answers(items())) {
      append(item.linesOf(result));
      done = Math.min(done + 1, total);
      edge.progress(done, total);
    }
    return conversation.failure;
  } finally {
    await conversation.close();
  }
}

function isLineOf({ declared, files }: ScorerLine, program: ScoringProgram): boolean {
  return isDeepStrictEqual([declared, files], [program.declared, program.files]);
}

function lineOf({ declared, files }: ScoringProgram, { version, weights }: Greeting): ScorerLine {
  const by = byOf({ declared, files, version, weights });
  return { line: 'scorer', scorer: declared.name, by, declared, files, version, weights };
}

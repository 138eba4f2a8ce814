import { isDeepStrictEqual } from 'node:util';
import type { ScoreLine, ScorerLine } from '../record/model/score.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { byOf, writtenScores } from '../record/outputs/score-key.ts';
import type { CommandScorer } from '../suite/format/scorer.ts';
import { Conversation, type ConversationOptions } from './command/conversation.ts';
import type { Greeting } from './command/protocol.ts';
import { controlItems, type Item, outputItems, type Questioned } from './items.ts';
import { outputsToScore } from './outputs-to-score.ts';

/** A scorer that is a program, and how it is started. */
export interface ProgramScorer extends Pick<ConversationOptions, 'env' | 'redact'> {
  readonly declared: CommandScorer;
  /** The command line, with the values of variables. */
  readonly command: readonly string[];
  /** SHA-256 of the files of its command line, by their paths from the suite's folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ScoringEdge extends Pick<ConversationOptions, 'folder' | 'signal'>, Pick<Questioned, 'isStored'> {
  /** Lines reach the operating system before it returns. */
  readonly append: (lines: readonly ScoreLine[]) => void;
  readonly show: (scorer: CommandScorer, ...shown: Parameters<Questioned['show']>) => ReturnType<Questioned['show']>;
  readonly starting: (scorer: ProgramScorer) => void;
  readonly progress: (scorer: CommandScorer, done: number, total: number) => void;
}

export interface ScoringEnd {
  /** False if it was interrupted; the next time goes on. */
  readonly complete: boolean;
  /** How many programs were started. */
  readonly started: number;
  /** Programs that were not started again, with the end of their standard error: hostile text. */
  readonly failed: readonly { readonly scorer: string; readonly stderr: string }[];
}

/**
 * Asks the programs of a suite about each output that they have not scored, one program after the other. What has a
 * line is not asked again, and a program with nothing to answer is not started.
 */
export async function scoreRun(
  record: StoredRun,
  scorers: readonly ProgramScorer[],
  edge: ScoringEdge,
): Promise<ScoringEnd> {
  const all = { outputs: outputsToScore(record), written: writtenScores(record.scores), isStored: edge.isStored };
  const failed: { scorer: string; stderr: string }[] = [];
  let started = 0;
  const counting: ScoringEdge = {
    ...edge,
    starting: (scorer) => {
      started += 1;
      edge.starting(scorer);
    },
  };
  for (const scorer of scorers) {
    const { declared } = scorer;
    const known = record.scores.findLast((line) => line.line === 'scorer' && isLineOf(line, scorer));
    const presumed = known?.line === 'scorer' ? known : lineOf(scorer, { version: null, weights: null });
    const show: Questioned['show'] = (...shown) => edge.show(declared, ...shown);
    const stderr = await scoreWith(scorer, presumed, (by) => ({ ...all, scorer: declared, by, show }), counting);
    if (stderr !== null) failed.push({ scorer: declared.name, stderr });
    if (edge.signal.aborted) return { complete: false, started, failed };
  }
  return { complete: true, started, failed };
}

/**
 * Gives the end of its standard error if it was given up.
 * @param presumed its line in scores.jsonl unless it says another version when it starts
 */
async function scoreWith(
  scorer: ProgramScorer,
  presumed: ScorerLine,
  questionedBy: (by: string) => Questioned,
  edge: ScoringEdge,
): Promise<string | null> {
  const before = questionedBy(presumed.by);
  const append = (lines: readonly ScoreLine[]): void => edge.append(before.written.missing(lines));
  const { known, open } = outputItems(before);
  if (open.length === 0 && controlItems(before).length === 0) {
    if (known.length > 0) append([presumed, ...known]);
    return null;
  }
  edge.starting(scorer);
  const { declared, command, env, redact } = scorer;
  const conversation = new Conversation<Item>({ ...declared, command: [...command] }, { ...edge, env, redact });
  try {
    const greeting = await conversation.begin();
    if (edge.signal.aborted) return null;
    const line = greeting === null ? presumed : lineOf(scorer, greeting);
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
      edge.progress(declared, done, total);
    }
    return conversation.failure;
  } finally {
    await conversation.close();
  }
}

function isLineOf({ declared, files }: ScorerLine, scorer: ProgramScorer): boolean {
  return isDeepStrictEqual([declared, files], [scorer.declared, scorer.files]);
}

function lineOf({ declared, files }: ProgramScorer, { version, weights }: Greeting): ScorerLine {
  const by = byOf({ declared, files, version, weights });
  return { line: 'scorer', scorer: declared.name, by, declared, files, version, weights };
}

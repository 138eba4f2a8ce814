import { isDeepStrictEqual } from 'node:util';
import type { StoredRun } from '../record/kept-run.ts';
import type { ScoreLine, ScorerLine } from '../record/score.ts';
import { byOf, writtenScores } from '../record/score-key.ts';
import type { CommandScorer } from '../suite/scorer.ts';
import { controlItems, type Item, outputItems, type Questioned } from './command/items.ts';
import type { Greeting } from './command/protocol.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import { outputsToScore } from './outputs-to-score.ts';
import type { Scorer, ScoringEdge } from './score-run.ts';

/** A program of the user, and how it is started. */
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

/** A program that gives values to outputs. With nothing to answer it is not started. */
export function programScorer(program: ScoringProgram, outside: ProgramEdge): Scorer {
  const { declared } = program;
  return { declared, score: (record, edge) => scoreWith(program, record, { ...outside, ...edge }) };
}

/** Gives the end of its standard error if it was given up. */
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
  const questionedBy = (by: string): Questioned => ({
    ...all,
    by,
    show: (...shown) => edge.show(declared, ...shown),
  });
  // Its line in scores.jsonl unless it says another version when it starts.
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

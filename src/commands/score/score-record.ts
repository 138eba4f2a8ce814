import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMINE_LIMITS_MS, type Examiners, openExaminers } from '../../examine/examiners.ts';
import type { Control } from '../../record/codes.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { isStored } from '../../record/output-files.ts';
import { appendScores } from '../../record/store.ts';
import type { PreparedJudge } from '../../run/prepare-judges.ts';
import type { Showing } from '../../score/conversation.ts';
import type { OutputToScore } from '../../score/outputs-to-score.ts';
import type { ProgramEdge, ScoringProgram } from '../../score/program-scorer.ts';
import { type RunScoringEdge, type ScoringEnd, scoreRun } from '../../score/score-run.ts';
import { SCORERS } from '../../score/scorers.ts';
import type { CommandScorer, DeclaredScorer } from '../../suite/scorer.ts';
import type { Secrets } from '../../targets/secrets.ts';
import type { Edge } from '../../workflow/edge.ts';
import { judgeOf, pairShower, withJudgeCalls } from './judge-calls.ts';

interface ScoredRecord {
  readonly folder: string;
  readonly record: StoredRun;
}

interface RecordScoring extends Pick<RunScoringEdge, 'signal' | 'starting' | 'progress'> {
  /** In declared order; those of them that are asked have an entry below. */
  readonly scorers: readonly DeclaredScorer[];
  readonly programs: readonly ScoringProgram[];
  readonly judges: readonly PreparedJudge[];
  readonly secrets: Secrets;
  /** The working folder of programs. */
  readonly suiteFolder: string;
}

/**
 * Scores what has no line yet into the record. What programs are shown is in a folder of its own that is gone
 * afterwards.
 */
export async function scoreRecord(
  { folder, record }: ScoredRecord,
  { scorers: declared, programs, judges, secrets, suiteFolder, ...edge }: RecordScoring,
  interrupts: Pick<Edge, 'drain' | 'abort' | 'env'>,
): Promise<ScoringEnd> {
  const to = mkdtempSync(join(tmpdir(), 'retake-'));
  const examiners = openExaminers({ workers: 1, timeLimitMs: EXAMINE_LIMITS_MS, signal: edge.signal });
  try {
    return await withJudgeCalls(judges, secrets, interrupts, (callOf) => {
      const showFiles = showing(folder, record, to, examiners);
      const showPair = pairShower({ folder, record, to, examiners });
      const scorers = declared.flatMap(({ name }) => [
        ...programs
          .filter((program) => program.declared.name === name)
          .map((program) => SCORERS.command(program, { folder: suiteFolder, show: showFiles })),
        ...judges
          .filter(({ scorer }) => scorer.name === name)
          .map((judge) => SCORERS.judge(judgeOf(judge), { show: showPair, call: callOf(judge) })),
      ]);
      return scoreRun(record, scorers, {
        ...edge,
        append: (lines) => appendScores(folder, lines),
        isStored: (sha256) => isStored(folder, sha256),
      });
    });
  } finally {
    await examiners.close();
    rmSync(to, { recursive: true, force: true });
  }
}

function showing(
  folder: string,
  { facts }: Pick<StoredRun, 'facts'>,
  to: string,
  { show }: Pick<Examiners, 'show'>,
): ProgramEdge['show'] {
  const factOf = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const still = { to, frames: 1, worsening: null, original: false } as const;
  const inputs = new Map<string, string | null>();
  /** Made once, for all outputs of its prompt; null if it does not decode. */
  const inputImage = async (sha256: string): Promise<string | null> => {
    const fact = factOf.get(sha256);
    const made = fact === undefined ? null : await show(folder, fact, still);
    const path = made !== null && 'images' in made ? (made.images[0] ?? null) : null;
    inputs.set(sha256, path);
    return path;
  };
  return async (
    { frames, original }: CommandScorer,
    { prompt }: OutputToScore,
    shown: OutputToScore,
    control: Control | null,
  ): Promise<Showing> => {
    const image = prompt.image === null ? null : (inputs.get(prompt.image) ?? (await inputImage(prompt.image)));
    if (prompt.image !== null && image === null) return { ok: false, why: { code: 'input_missing' } };
    const worsening = control === 'other_prompt' ? null : control;
    const made = shown.fact === null ? null : await show(folder, shown.fact, { to, frames, worsening, original });
    if (made === null || !('images' in made)) {
      return { ok: false, why: { code: made?.code === 'media_missing' ? 'media_missing' : 'undecodable' } };
    }
    const files = [...made.images, ...(made.original === null ? [] : [made.original])];
    return {
      ok: true,
      shown: {
        media: made.images,
        image,
        ...(made.original === null ? {} : { original: made.original }),
        remove: () => {
          for (const file of files) rmSync(file, { force: true });
        },
      },
    };
  };
}

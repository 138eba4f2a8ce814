import { writtenScores } from '../../record/score-key.ts';
import type { StoredRun } from '../../record/stored-run.ts';
import { type JudgeUse, usedWithin } from '../../run/prepare-judges.ts';
import { judgeItems } from './judge-items.ts';
import { type Judge, judgeLine } from './judge-line.ts';

/** What a judge may use for what it has not answered yet. */
export function openUse(judge: Judge, record: StoredRun, isStored: (sha256: string) => boolean): JudgeUse {
  const { declared, mostUsd } = judge;
  const written = writtenScores(record.scores);
  const { by } = judgeLine(judge);
  const { open } = judgeItems({ scorer: declared.name, by, record, written, isStored });
  return usedWithin(declared.limits, mostUsd, open.length);
}

import { dirname } from 'node:path';
import { visibleLine } from '../../kit/visible.ts';
import { commandLine } from '../../kit/wording.ts';
import { isStored } from '../../record/output-files.ts';
import type { RunPrompt } from '../../record/run.ts';
import type { PreparedJudge } from '../../run/prepare-judges.ts';
import { openUse } from '../../score/judge-items.ts';
import type { AskedScorer, ScoringEnd } from '../../score/score-run.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import type { Secrets } from '../../targets/secrets.ts';
import { examineStored } from '../../workflow/assess-run.ts';
import type { JudgeCost } from '../../workflow/confirm-run.ts';
import type { Edge } from '../edge.ts';
import { programScorers } from './program-scorers.ts';
import { judgeOf, scoreRecord } from './score-record.ts';

export interface MeasuredOutputs {
  readonly folder: string;
  readonly scorers: readonly DeclaredScorer[];
  /** Absolute. */
  readonly suiteFile: string;
  /** Those scorers that are judges; `secrets` are their keys. */
  readonly judges: readonly PreparedJudge[];
  readonly secrets: Secrets;
}

interface ScoredOutputs extends MeasuredOutputs {
  /** What the outputs were asked for, and what is expected of them; by default as the record says. */
  readonly prompts?: readonly RunPrompt[];
  /** Refuses if the judges may not be asked that much; by default they may. */
  readonly agree?: (costs: readonly JudgeCost[]) => Promise<void>;
}

/** Examines a record and scores what has no line yet. Says what it starts, how far it is, and what failed. */
export async function scoreAndShow(
  { folder, scorers, suiteFile, judges, secrets, prompts, agree = async () => {} }: ScoredOutputs,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<ScoringEnd> {
  const suiteFolder = dirname(suiteFile);
  const programs = await programScorers(scorers, suiteFolder, edge.env);
  const { record, complete, options } = await examineStored(folder, { quiet }, edge);
  if (!complete) return { complete: false, started: 0, failed: [] };
  const asked = prompts === undefined ? record : { ...record, run: { ...record.run, prompts } };
  const costs = judges.map((judge) => ({
    name: judge.name,
    ...openUse(judgeOf(judge), asked, (sha256) => isStored(folder, sha256)),
  }));
  await agree(costs);
  let isLineOpen = false;
  const end = await scoreRecord(
    { folder, record: asked },
    {
      scorers,
      programs,
      judges,
      secrets,
      suiteFolder,
      signal: options.signal,
      starting: (scorer) => {
        if (!quiet) edge.say(visibleLine(sayStarted(scorer, judges)));
      },
      progress: ({ name }, done, total) => {
        if (quiet) return;
        isLineOpen = edge.err.interactive && done < total;
        edge.count(`scoring with ${name}:`, done, total);
      },
    },
    edge,
  );
  if (isLineOpen) edge.err.write('\n');
  for (const { scorer, reason } of end.failed) edge.say(visibleLine(sayFailed(scorer, reason)));
  return end;
}

function sayStarted(scorer: AskedScorer, judges: readonly PreparedJudge[]): string {
  if (scorer.use === 'command') return `starts scorer ${scorer.name}: ${commandLine(scorer.command)}`;
  const judge = judges.find(({ name }) => name === scorer.name);
  return `asks judge ${scorer.name}: sends prompts, input images and outputs to ${judge?.endpoint.baseUrl ?? scorer.target}`;
}

function sayFailed(scorer: AskedScorer, reason: string): string {
  if (scorer.use === 'judge')
    return `judge ${scorer.name} is not asked further, after several failed requests: ${reason}`;
  const detail = reason === '' ? 'it wrote nothing to standard error' : `its standard error ends with: ${reason}`;
  return `scorer ${scorer.name} failed and is not started again; ${detail}`;
}

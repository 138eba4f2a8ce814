import type { RunPrompt } from '../../record/model/run.ts';
import type { ScoringEnd } from '../../score/score-run.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { Scorer } from '../../suite/format/scorer.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Edge, printSentence } from '../edge.ts';
import { commandLine } from '../line/shell-words.ts';
import { examineStored } from '../setup/assess-run.ts';
import { programScorers } from '../setup/score/program-scorers.ts';
import { scoreRecord } from '../setup/score/score-record.ts';

interface ScoredOutputs {
  /** Of the run. */
  readonly folder: string;
  readonly scorers: readonly Scorer[];
  /** Absolute. */
  readonly suiteFolder: string;
  /** What the outputs were asked for, and what is expected of them; by default as the record says. */
  readonly prompts?: readonly RunPrompt[];
}

/** Examines a record and scores what has no line yet. Says what it starts, how far it is, and what failed. */
export async function scoreAndShow(
  { folder, scorers, suiteFolder, prompts }: ScoredOutputs,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<Checked<ScoringEnd>> {
  const programs = await programScorers(scorers, suiteFolder, edge.env);
  if (!programs.ok) return programs;
  const examined = await examineStored(folder, { quiet }, edge);
  if (!examined.ok) return examined;
  const { record, complete, options } = examined.value;
  if (!complete) return { ok: true, value: { complete: false, started: 0, failed: [] } };
  const asked = prompts === undefined ? record : { ...record, run: { ...record.run, prompts } };
  let isLineOpen = false;
  const end = await scoreRecord(
    { folder, record: asked },
    {
      scorers: programs.value,
      suiteFolder,
      signal: options.signal,
      starting: ({ declared: { name, command } }) => {
        if (!quiet) printSentence(edge.err, visibleLine(`starts scorer ${name}: ${commandLine(command)}`));
      },
      progress: ({ name }, done, total) => {
        if (!edge.err.interactive || quiet) return;
        isLineOpen = done < total;
        edge.err.write(`\rscoring with ${name}: ${done} / ${total}${isLineOpen ? '' : '\n'}`);
      },
    },
  );
  if (isLineOpen) edge.err.write('\n');
  for (const { scorer, stderr } of end.failed) {
    const said = stderr === '' ? 'it wrote nothing to standard error' : `its standard error ends with: ${stderr}`;
    printSentence(edge.err, visibleLine(`scorer ${scorer} failed and is not started again; ${said}`));
  }
  return { ok: true, value: end };
}

import { join } from 'node:path';
import { findBaseline } from '../record/baseline-file.ts';
import { findSuiteFolder } from '../record/find/find-suite-folder.ts';
import { checkUnlocked, lockRecord } from '../record/lock.ts';
import { deleteFiles } from '../record/outputs/prune-media.ts';
import { type FileFault, fileFaultOf } from '../suite/document/diagnostic.ts';
import { visibleLine } from '../text/visible.ts';
import { NEEDS_USER, printPruned } from './display/describe/describe-prune.ts';
import { printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { type DroppedRun, type PrunePlan, planPrune } from './setup/record/plan-prune.ts';

export interface PruneArguments {
  readonly suite: string;
  readonly out: string;
  /** How many of the last runs keep their media. */
  readonly keep: number;
  readonly thumbs: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `retake prune`: deletes media of older runs and their shards. All else stays: reports can be made again. */
export async function pruneCommand(args: PruneArguments, edge: Edge): Promise<ExitCode> {
  const { keep, dryRun } = args;
  if (!Number.isSafeInteger(keep) || keep < 0) {
    printSentence(edge.err, 'retake prune: --keep takes a whole number of runs, 0 or more');
    return EXIT.misuse;
  }
  const found = findSuiteFolder(args.suite, { cwd: edge.cwd, results: args.out });
  if (!found.ok) return printDiagnostics(edge, found.diagnostics);
  const folder = found.value;
  const baseline = await findBaseline(folder);
  // Without it, the run of the stored baseline is unknown: delete nothing.
  if (!baseline.ok) return printDiagnostics(edge, baseline.diagnostics);
  const what = args.thumbs ? 'media_and_thumbs' : 'media';
  const plan = await planPrune(folder, { keep, what, baselineRun: baseline.value?.run ?? null }, edge);
  const done = dryRun ? { dropped: plan.dropped, spared: plan.spared, fault: null } : dropAll(folder, plan, edge);
  printPruned(folder, { ...plan, ...done }, args, edge);
  if (done.fault !== null) {
    printSentence(edge.err, `retake prune: ${visibleLine(`${done.fault.cause}; ${done.fault.remedy}`)}`);
    return EXIT.misuse;
  }
  const isInterrupted = done.dropped.length + done.spared.length < plan.dropped.length + plan.spared.length;
  if (isInterrupted) printSentence(edge.err, 'interrupted: the remaining runs keep their media');
  return isInterrupted || done.spared.some(({ reason }) => NEEDS_USER[reason]) ? EXIT.incomplete : EXIT.ok;
}

interface Done extends Pick<PrunePlan, 'dropped' | 'spared'> {
  readonly fault: FileFault | null;
}

/** Run by run, each locked; an interrupt ends it between two runs. */
function dropAll(folder: string, plan: PrunePlan, edge: Pick<Edge, 'processes' | 'drain'>): Done {
  const dropped: DroppedRun[] = [];
  const spared = [...plan.spared];
  for (const each of plan.dropped) {
    if (edge.drain.aborted) break;
    const path = join(folder, each.run);
    // Another process may have begun to use it since the plan was made.
    const lock = lockRecord(path, edge.processes);
    if (!lock.ok) {
      const isUsed = !checkUnlocked(path, edge.processes).ok;
      spared.push({ run: each.run, reason: isUsed ? 'in_use' : 'not_writable' });
      continue;
    }
    try {
      deleteFiles(path, each.files);
    } catch (error) {
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      return { dropped, spared, fault };
    } finally {
      lock.value.release();
    }
    dropped.push(each);
  }
  return { dropped, spared, fault: null };
}

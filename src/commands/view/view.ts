import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { accepted, checked, refusal } from '../../kit/diagnostic.ts';
import { historyPage } from '../../page/history-page.ts';
import { findRun } from '../../record/find-run.ts';
import { REPORT_FILES } from '../../record/own-names.ts';
import { checkUnlocked, lockToRead } from '../../record/store.ts';
import { type RunPlace, runAddress } from '../../view/addresses.ts';
import type { Makers } from '../../view/reports.ts';
import { startViewer } from '../../view/viewer.ts';
import { assessRun, collectSooner, compareNamed } from '../../workflow/assess-run.ts';
import { loadTrend } from '../../workflow/history.ts';
import { whileLocked } from '../../workflow/with-run.ts';
import type { view } from '../declared/record-commands.ts';
import { pageOf } from '../display/publish.ts';
import type { Edge, ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { complain, listenUntilEnd } from '../line/listening.ts';
import { pageOfRuns } from '../records/compare.ts';

/** `retake view`: results in a browser, until it is interrupted. Prints the address. */
export async function viewCommand({ run, out, port, host }: ArgumentsOf<typeof view>, edge: Edge): Promise<ExitCode> {
  const { root, place } = whatToShow(run, out, edge);
  collectSooner();
  const makers = makersOf(edge);
  const start = () =>
    startViewer({ root, port, host, makers, complain: (error) => complain(edge, 'retake view', error) });
  const tell = ({ url }: { readonly url: string }) => {
    edge.out.write(`${url}${place === null ? '/' : runAddress(place)}\n`);
    if (edge.err.interactive) edge.err.write('Press Ctrl-C to stop it.\n');
  };
  return listenUntilEnd({ command: 'view', asked: { port, host }, start, exposes: 'read these results', tell }, edge);
}

interface WhatToShow {
  readonly root: string;
  readonly place: RunPlace | null;
}

function whatToShow(run: string | undefined, out: string, edge: Edge): WhatToShow {
  if (run === undefined) {
    const root = resolve(edge.cwd, out);
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return { root, place: null };
    throw refusal(
      `there is no folder ${out}`,
      'measure a suite with retake run, or name the folder of results with --out',
    );
  }
  // Links up to here are the user's; none is followed below.
  const folder = realpathSync(accepted(findRun(resolve(edge.cwd, run))).folder);
  const suiteFolder = dirname(folder);
  const place = { suite: basename(suiteFolder), run: basename(folder) };
  return { root: dirname(suiteFolder), place };
}

function makersOf(edge: Edge): Makers {
  return {
    report: (folder) =>
      checked(() =>
        whileLocked(accepted(lockToRead(folder, edge.processes)), async () =>
          pageOf(folder, await assessRun(folder, { quiet: true }, edge)),
        ),
      ),
    history: (suiteFolder, reportOf) =>
      checked(async () => {
        const trend = await loadTrend(suiteFolder, () => {}, edge);
        return historyPage({ trend, reportOf });
      }),
    compare: (a, b, shown) =>
      checked(async () =>
        pageOfRuns(await compareNamed(a, b, { quiet: true }, edge), { ...shown, isServed: true }, () => {}, edge),
      ),
    // The page of a run has an address of its own.
    reportFiles: REPORT_FILES.filter((name) => !name.endsWith('.html')),
    isInUse: (folder) => !checkUnlocked(folder, edge.processes).ok,
  };
}

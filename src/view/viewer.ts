import pLimit from 'p-limit';
import { fileFaultOf } from '../kit/diagnostic.ts';
import { followRuns } from './progress/follow-runs.ts';
import type { Makers } from './reports.ts';
import { type Library, openLibrary } from './results/library.ts';
import { createApp, listening, type Refusals, type RunningServer } from './routes/app.ts';
import { addCompare } from './routes/compare.ts';
import { guardOf, READING, refuse, refuseAbsent } from './routes/guards.ts';
import { addLists } from './routes/lists.ts';
import { addRuns } from './routes/runs.ts';

export interface ViewerOptions {
  readonly root: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The IP address to listen on. */
  readonly host: string;
  readonly makers: Makers;
  /** Gets internal errors, which pages do not show. */
  readonly complain: (error: unknown) => void;
}

/**
 * Serves the results in a folder. Writes there only what a report or a history does: facts, small copies, lines of a
 * history. Throws where the port is taken (EADDRINUSE).
 */
export async function startViewer({ root, port, host, makers, complain }: ViewerOptions): Promise<RunningServer> {
  const follow = followRuns();
  const library = openLibrary(root, { follow, isInUse: makers.isInUse });
  // One at a time: each may need all of a record in memory, and locks it.
  const one = pLimit(1);
  const app = createApp(guardOf(host, READING), refusalsOf(library, complain));
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  addLists(app, library, { history: (folder, reportOf) => one(() => makers.history(folder, reportOf)) });
  addRuns(app, library, {
    follow,
    report: (folder) => one(() => makers.report(folder)),
    reportFiles: makers.reportFiles,
  });
  // Apart from the others, since it may take long.
  const apart = pLimit(1);
  addCompare(app, library, { compare: (...runs) => apart(() => makers.compare(...runs)) });
  app.setNotFoundHandler((_request, reply) => refuseAbsent(reply));
  const server = await listening(app, { port, host });
  // Reads the histories before somebody asks: with very many runs that takes longest.
  library.listed().catch(complain);
  return server;
}

function refusalsOf(library: Library, complain: (error: unknown) => void): Refusals {
  return {
    notAnAddress: (reply) =>
      refuse(reply, 400, { title: 'Not an address', causes: ['The address is not well-formed.'] }),
    notWellFormed: (reply, status) =>
      refuse(reply, status, { title: 'Refused', causes: ['The request is not well-formed.'] }),
    failed: (error, reply) => {
      const fault = fileFaultOf(error);
      if (fault !== null) {
        return refuse(reply, 409, { title: 'Not readable', causes: library.reasons([{ ...fault, place: null }]) });
      }
      complain(error);
      const causes = ['Retake could not make this page. The terminal says why.'];
      return refuse(reply, 500, { title: 'Internal error', causes });
    },
  };
}

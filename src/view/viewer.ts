import fastify, { type FastifyInstance } from 'fastify';
import pLimit from 'p-limit';
import { urlOf } from '../access/loopback.ts';
import { fileFaultOf } from '../suite/document/diagnostic.ts';
import { outlineReader } from './progress/outline.ts';
import { followRuns } from './progress/run-progress.ts';
import { baselineRunReader, suiteHistoryReader } from './progress/suite-history.ts';
import { comparedRuns } from './results/compared-runs.ts';
import { type Library, openLibrary } from './results/library.ts';
import { type Makers, reportMaker } from './results/reports.ts';
import { addAbsent } from './routes/absent.ts';
import { addCompare } from './routes/compare.ts';
import { addDifference } from './routes/difference.ts';
import { type Guard, guardOf, limitConnections, refuse } from './routes/guards.ts';
import { addLists } from './routes/lists.ts';
import { addFiles, addRuns, livePages } from './routes/runs.ts';

export interface ViewerOptions {
  readonly root: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The IP address to listen on. */
  readonly host: string;
  readonly makers: Makers;
  /** Told errors of ours, which readers of a page are not. */
  readonly complain: (error: unknown) => void;
}

export interface RunningViewer {
  readonly url: string;
  /** Cuts open connections. */
  close(): Promise<void>;
}

/**
 * Serves the results in a folder. Writes there only what a report or a history does: facts, small copies, lines of a
 * history. Throws where the port is taken (EADDRINUSE).
 */
export async function startViewer({ root, port, host, makers, complain }: ViewerOptions): Promise<RunningViewer> {
  const runs = followRuns();
  const library = openLibrary(root, {
    readOutline: outlineReader(runs),
    readHistory: suiteHistoryReader(),
    readBaselineRun: baselineRunReader(),
    isInUse: makers.isInUse,
  });
  // One at a time: each may need all of a record in memory, and locks it.
  const one = pLimit(1);
  const makeReport = reportMaker((folder) => makers.report(folder));
  const app = createApp(guardOf(host), library, complain);
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  addLists(app, library, {
    history: (folder, reportOf) => one(() => makers.history(folder, reportOf)),
  });
  addRuns(app, library, {
    live: livePages(library, runs),
    runs,
    report: (folder) => one(() => makeReport(folder)),
    reportFiles: makers.reportFiles,
  });
  const compared = comparedRuns(library, (earlier, later) => one(() => makers.compare(earlier, later)));
  addCompare(app, library, compared);
  addDifference(app, library, { compared, difference: makers.difference });
  addFiles(app, library, makers.reportFiles);
  addAbsent(app, library);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  const address = app.server.address();
  const bound = address === null || typeof address === 'string' ? port : address.port;
  return { url: urlOf(host, bound), close: () => app.close() };
}

/** Far more than an address of ours has. */
const MOST_PARAMETER = 1000;

function createApp(guard: Guard, library: Library, complain: (error: unknown) => void): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: 1,
    requestTimeout: 60_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MOST_PARAMETER },
    // Found before any hook is called.
    frameworkErrors: (_error, request, reply) => {
      if (guard(request, reply) !== null) return;
      refuse(reply, 400, { title: 'Not an address', causes: ['The address is not well-formed.'] });
    },
    // What is no HTTP gets no page.
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      else socket.destroy();
    },
  });
  limitConnections(app.server);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async (request, reply) => guard(request, reply) ?? undefined);
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return refuse(reply, status, { title: 'Refused', causes: ['The request is not well-formed.'] });
    }
    const fault = fileFaultOf(error);
    if (fault !== null) {
      return refuse(reply, 409, { title: 'Not readable', causes: library.reasons([{ ...fault, place: null }]) });
    }
    complain(error);
    const causes = ['Retake could not make this page. The terminal says why.'];
    return refuse(reply, 500, { title: 'Internal error', causes });
  });
  return app;
}

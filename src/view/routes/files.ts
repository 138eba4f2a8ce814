import type { FastifyInstance } from 'fastify';
import { openContained } from '../files/open-contained.ts';
import { sendFile } from '../files/send-file.ts';
import { servedType } from '../files/served-files.ts';
import type { Library } from '../results/library.ts';
import { refuseAbsentPlace } from './absent.ts';

export function addFiles(app: FastifyInstance, library: Library, reportFiles: readonly string[]): void {
  app.get<{ Params: { suite: string; run: string; '*': string } }>('/runs/:suite/:run/*', async (request, reply) => {
    const { suite, run, '*': path } = request.params;
    const type = servedType(path, reportFiles);
    if (type === null || !(await library.has({ suite, run }))) return refuseAbsentPlace(reply, library, { suite, run });
    const names = path.split('/');
    const file = await openContained(library.root, [suite, run, ...names]);
    if (file === null) return refuseAbsentPlace(reply, library, { suite, run });
    // Media are named by their digest: they do not change.
    if (names.length > 1) reply.header('cache-control', 'private, max-age=3600');
    return sendFile(file, type, names.at(-1) ?? '', request, reply);
  });
}

import type { FastifyInstance } from 'fastify';
import { accepted, checked } from '../../kit/diagnostic.ts';
import { extensionOf } from '../../media/header.ts';
import type { ComparedOutputs } from '../../page/compared-outputs.ts';
import { type PairMedia, SERVED_TWO_RUNS_POLICY } from '../../page/two-runs-page.ts';
import { createdAt } from '../../record/find-run.ts';
import { hasMedia, mediaName, outputFolders } from '../../record/output-files.ts';
import { COMPARE_ADDRESS, fileAddress, keyOf, placeOfKey, type RunPlace, reportAddress } from '../addresses.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { suiteLinks } from '../pages/parts/page.ts';
import { type Makers, withLinks } from '../reports.ts';
import { type Library, recordFiles } from '../results/library.ts';
import { refuse, refuseAbsent, sendPage } from './guards.ts';

interface Query {
  /** `run` is there for each run that was chosen in the list. */
  readonly Querystring: { readonly run?: unknown };
}

/** The run that began first is the earlier one. Null if they are not two. */
function runsOf({ run }: Query['Querystring'], library: Pick<Library, 'folder'>): readonly [RunPlace, RunPlace] | null {
  const [one = null, other = null, ...more] = [run].flat().map(placeOfKey);
  if (one === null || other === null || more.length > 0 || keyOf(one) === keyOf(other)) return null;
  const [began, ended] = [one, other].map((place) => createdAt(library.folder(place)));
  return ended !== '' && (began ?? '') > (ended ?? '') ? [other, one] : [one, other];
}

const MOST_KEPT = 4;

export function addCompare(app: FastifyInstance, library: Library, { compare }: Pick<Makers, 'compare'>): void {
  const placesOf = (key: string): readonly RunPlace[] => key.split('\n').flatMap((place) => placeOfKey(place) ?? []);
  const pageOf = cachedByStamp(
    MOST_KEPT,
    (key) =>
      placesOf(key)
        .map(library.folder)
        .flatMap((folder) => [...recordFiles(folder), ...outputFolders(folder)]),
    async (key) => {
      const [earlier, later] = placesOf(key);
      if (earlier === undefined || later === undefined) throw new Error('two runs are compared');
      const places = { earlier, later };
      const made = await compare(library.folder(earlier), library.folder(later), {
        mediaOf: (output, side, isLarge) => mediaIn(library, places[side], output, isLarge),
        reportOf: (side) => reportAddress(places[side]),
      });
      return [...accepted(made)].join('');
    },
  );
  app.get<Query>(COMPARE_ADDRESS, async ({ query }, reply) => {
    const runs = runsOf(query, library);
    if (runs === null) return refuse(reply, 409, { title: 'Not two runs', causes: ['Choose two runs in the list.'] });
    for (const place of runs) if (!(await library.has(place))) return refuseAbsent(reply);
    const [earlier, later] = runs;
    const made = await checked(() => pageOf(runs.map(keyOf).join('\n')));
    if (!made.ok) {
      const causes = library.reasons(made.diagnostics);
      return refuse(reply, 409, { title: `${later.run} and ${earlier.run} cannot be compared`, causes });
    }
    const text = withLinks(made.value, suiteLinks(later.suite).slice(0, 2));
    return sendPage(reply, { text, policy: SERVED_TWO_RUNS_POLICY });
  });
}

/** Addresses of what is there. */
function mediaIn(
  { folder }: Pick<Library, 'folder'>,
  place: RunPlace,
  { sha256, mime }: ComparedOutputs['outputs'][number],
  isLarge: boolean,
): PairMedia {
  const addressOf = (path: string) => (hasMedia(folder(place), path) ? fileAddress(place, path) : null);
  const extension = extensionOf(mime);
  const original = extension === null ? null : addressOf(mediaName(sha256, extension));
  const small = (isLarge ? addressOf(`thumbs/${sha256}.1024.webp`) : null) ?? addressOf(`thumbs/${sha256}.webp`);
  const isVideo = mime?.startsWith('video/') === true;
  return { image: small ?? (isVideo ? null : original), video: isVideo ? original : null, original };
}

import type { Checked } from '../../suite/document/diagnostic.ts';
import { livePage } from '../pages/live-page.ts';
import type { RunPlace } from '../pages/parts/addresses.ts';
import type { Page } from '../pages/parts/page.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import type { FollowedRuns } from '../progress/run-progress.ts';
import type { Library } from '../results/library.ts';

const LOOK_EVERY_MS = 500;
const MOST_FOLLOWED = 8;

/** All readers of a run share one page, which is made again when it is older than a look. */
export function livePages(
  library: Pick<Library, 'folder'>,
  runs: Pick<FollowedRuns, 'read'>,
): (place: RunPlace) => Promise<Checked<Page>> {
  const made = new BoundedMap<string, { readonly atMs: number; readonly page: Promise<Checked<Page>> }>(MOST_FOLLOWED);
  const make = async (place: RunPlace): Promise<Checked<Page>> => {
    const found = await runs.read(library.folder(place));
    if (!found.ok) return found;
    const { run, tally } = found.value;
    const { createdAt, plan } = run;
    return { ok: true, value: livePage({ place, createdAt, planned: plan.requests, tally, nowMs: Date.now() }) };
  };
  return (place) => {
    const folder = library.folder(place);
    const known = made.get(folder);
    const atMs = Date.now();
    if (known !== undefined && atMs - known.atMs < LOOK_EVERY_MS) return known.page;
    const page = make(place);
    made.set(folder, { atMs, page });
    return page;
  };
}

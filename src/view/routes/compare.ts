import type { FastifyInstance } from 'fastify';
import type { TwoRuns } from '../../compare/baseline/two-runs.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { COMPARE_ADDRESS, placeOfKey, type RunPlace } from '../pages/addresses.ts';
import { choosePage, comparePage, type ShownPair } from '../pages/compare-page.ts';
import { shownOutput } from '../pages/output-figure.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import { stampOf } from '../progress/outline.ts';
import type { Library } from '../results/library.ts';
import type { Makers } from '../results/makers.ts';
import { isSame, type OutputPair, outputPairs } from '../results/output-pairs.ts';
import { refuse, refuseAbsent, sendPage } from './guards.ts';
import { placeFrom } from './place-from.ts';

const PAIRS_OF_PART = 24;
const MOST_CHOICES = 200;
const MOST_KEPT = 4;

/** What is kept of two runs, so that the next part of their outputs needs no analysis. */
interface Compared {
  readonly found: TwoRuns;
  readonly pairs: readonly OutputPair[];
}

interface Query {
  readonly Querystring: { readonly a?: unknown; readonly b?: unknown; readonly from?: unknown };
}

/** Adds the page of two runs. */
export function addCompare(app: FastifyInstance, library: Library, { compare }: Pick<Makers, 'compare'>): void {
  const kept = new BoundedMap<string, Compared>(MOST_KEPT);
  const compared = async (a: RunPlace, b: RunPlace): Promise<Checked<Compared>> => {
    const folders = [library.folder(a), library.folder(b)] as const;
    const key = JSON.stringify(folders.map((folder) => [folder, stampOf(folder)]));
    const known = kept.get(key);
    if (known !== undefined) return { ok: true, value: known };
    const made = await compare(...folders);
    if (!made.ok) return made;
    const { found, earlier, later } = made.value;
    const value = { found, pairs: outputPairs(earlier, later) };
    // Examination may have added facts.
    kept.set(JSON.stringify(folders.map((folder) => [folder, stampOf(folder)])), value);
    return { ok: true, value };
  };

  app.get<Query>(COMPARE_ADDRESS, async ({ query }, reply) => {
    if (query.a === undefined && query.b === undefined) return sendPage(reply, choosePage(choicesOf(library)));
    const [a, b] = [placeOfKey(query.a), placeOfKey(query.b)];
    if (a === null || b === null || !(await library.has(a)) || !(await library.has(b))) return refuseAbsent(reply);
    const made = await compared(a, b);
    if (!made.ok) {
      const links = [{ href: COMPARE_ADDRESS, title: 'Compare two runs' }];
      return refuse(reply, 409, 'Not comparable', library.reasons(made.diagnostics), links);
    }
    const { found, pairs } = made.value;
    const from = placeFrom(query.from, pairs.length);
    const [thereA, thereB] = [library.files(a), library.files(b)];
    const shown = pairs.slice(from, from + PAIRS_OF_PART).map(
      ({ variant, prompt, seed, earlier, later }): ShownPair => ({
        variant,
        prompt,
        seed,
        earlier: shownOutput(a, earlier, (path) => thereA.has(path)),
        later: shownOutput(b, later, (path) => thereB.has(path)),
        sameBytes: isSame({ earlier, later }),
      }),
    );
    const same = pairs.filter(isSame).length;
    const suites = [...new Set([a.suite, b.suite])];
    const choices = suites.flatMap((suite) => library.runs(suite).slice(0, MOST_CHOICES));
    const part = { from, size: PAIRS_OF_PART, of: pairs.length };
    return sendPage(reply, comparePage({ a, b, found, pairs: shown, part, same, choices }));
  });
}

/** The latest runs of the first suites. */
function choicesOf(library: Library): readonly RunPlace[] {
  const choices: RunPlace[] = [];
  for (const suite of library.suites()) {
    if (choices.length >= MOST_CHOICES) break;
    choices.push(...library.runs(suite).slice(0, MOST_CHOICES - choices.length));
  }
  return choices;
}

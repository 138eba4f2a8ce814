import type { FastifyInstance } from 'fastify';
import { COMPARE_ADDRESS, compareAddress, keyOf, placeOfKey, type RunPlace } from '../addresses.ts';
import { choosePage, comparePage, type ShownPair } from '../pages/compare/compare-page.ts';
import { shownOutput } from '../pages/parts/output-figure.ts';
import { suiteLinks } from '../pages/parts/run-words.ts';
import { type CompareRuns, isSame } from '../results/compared-runs.ts';
import type { Library } from '../results/library.ts';
import { cellsOf, pairData } from '../results/pair-data.ts';
import { refuseAbsent, refuseAbsentPlace } from './absent.ts';
import { placeFrom, refuse, sendPage } from './guards.ts';

const PAIRS_OF_PART = 24;
const MOST_CHOICES = 200;

interface Query {
  readonly Querystring: { readonly a?: unknown; readonly b?: unknown; readonly from?: unknown };
}

export function addCompare(app: FastifyInstance, library: Library, compared: CompareRuns): void {
  app.get<Query>(COMPARE_ADDRESS, async ({ query }, reply) => {
    if (query.a === undefined && query.b === undefined)
      return sendPage(reply, choosePage(await library.choices(placesOf(library))));
    const [a, b] = [placeOfKey(query.a), placeOfKey(query.b)];
    if (a === null || b === null) return refuseAbsent(reply);
    for (const place of [a, b]) if (!(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    const links = [...suiteLinks(b.suite).slice(0, 2), { href: COMPARE_ADDRESS, title: 'Compare two runs' }];
    if (keyOf(a) === keyOf(b)) {
      return refuse(reply, 409, { title: 'One run, not two', causes: ['Choose two different runs.'], links });
    }
    // The words of the page say which was measured first.
    if (await isLater(a, b, library)) return reply.redirect(compareAddress(b, a), 302);
    const made = await compared(a, b);
    if (!made.ok) {
      const causes = library.reasons(made.diagnostics);
      return refuse(reply, 409, { title: `${b.run} and ${a.run} cannot be compared`, causes, links });
    }
    const { found, pairs, facts, texts } = made.value;
    const from = placeFrom(query.from, pairs.length);
    const [thereA, thereB] = [library.files(a), library.files(b)];
    const ofPart = pairs.slice(from, from + PAIRS_OF_PART);
    const names = a.run === b.run ? ([keyOf(a), keyOf(b)] as const) : ([a.run, b.run] as const);
    const data = pairData(ofPart, names, texts, facts);
    const shown = ofPart.map(
      ({ variant, prompt, seed, earlier, later }, at): ShownPair => ({
        variant,
        prompt,
        seed,
        earlier: shownOutput(a, earlier, (path) => thereA.has(path)),
        later: shownOutput(b, later, (path) => thereB.has(path)),
        sameBytes: isSame({ earlier, later }),
        number: from + at,
        cells: cellsOf(at),
      }),
    );
    const same = pairs.filter(isSame).length;
    const suites = [...new Set([a.suite, b.suite])];
    const choices = await library.choices(suites.flatMap((suite) => library.runs(suite).slice(0, MOST_CHOICES)));
    const part = { from, size: PAIRS_OF_PART, of: pairs.length };
    return sendPage(reply, comparePage({ a, b, found, pairs: shown, data, part, same, choices }));
  });
}

/** False if one of them cannot be read. */
async function isLater(a: RunPlace, b: RunPlace, library: Library): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map(library.listed));
  return (one?.outline?.createdAt ?? '') > (other?.outline?.createdAt ?? '\uffff');
}

function placesOf(library: Library): readonly RunPlace[] {
  const places: RunPlace[] = [];
  for (const suite of library.suites()) {
    if (places.length >= MOST_CHOICES) break;
    places.push(...library.runs(suite).slice(0, MOST_CHOICES - places.length));
  }
  return places;
}

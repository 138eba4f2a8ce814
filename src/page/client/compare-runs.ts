import { allWithin, showLocalTimes, within } from '../../markup/elements.ts';
import { notComparedSentence } from '../../markup/page-data.ts';
import { followPicks, hoverPlayer, makePicks } from '../../markup/pick-buttons.ts';
import { betweenWords } from './compare/between.ts';
import { CompareView, clickedOutput } from './compare/compare-view.ts';
import { type OutputFacts, outputOf } from './page-facts.ts';

/* Script of the page of two runs; the build bundles it into page/compare-script.ts. */

const asked = new Map<string, Promise<string>>();
/** Aborted once the reader has chosen another pair. */
let waiting = new AbortController();

document.documentElement.classList.add('scripted');
showLocalTimes(document);
const player = hoverPlayer();
const rows = allWithin(document, 'article[data-pair]', HTMLElement).map((pair) =>
  allWithin(pair, '.pick', HTMLElement).flatMap((pick) => outputOf(pick) ?? []),
);
const compare = new CompareView(within(document, '#compare', HTMLDialogElement), {
  isCalm: player.isCalm,
  between: betweenRuns,
  rows: () => rows,
  prepare: () => {},
  place: '#outputs',
});
makePicks(document.body);
followPicks(player, (pick) => {
  player.stop();
  const compared = clickedOutput(pick);
  if (compared !== null) compare.open(compared);
});
addEventListener('hashchange', () => compare.follow());
compare.follow();

function betweenRuns(one: OutputFacts, other: OutputFacts, later: (words: string) => void): string {
  const isKnown = one === other || [one, other].some(({ cell }) => cell.likeness !== null);
  if (isKnown) return betweenWords(one, other);
  const pair = String(Math.floor(one.cell.number / 2));
  if (!asked.has(pair)) {
    waiting.abort();
    waiting = new AbortController();
    const answer = ask(pair, waiting.signal);
    asked.set(pair, answer);
    answer.catch(() => asked.delete(pair));
  }
  asked.get(pair)?.then(later, () => later(notComparedSentence('retake view does not answer')));
  return 'Two runs, other bytes. Comparing them …';
}

async function ask(pair: string, signal: AbortSignal): Promise<string> {
  const reply = await fetch(`/compare/difference${location.search}&pair=${pair}`, { signal });
  if (reply.ok) return reply.text();
  if (reply.status === 404) return notComparedSentence('one of the runs is gone');
  if (reply.status === 503) return notComparedSentence('others are compared now; load this page again');
  return notComparedSentence(`retake view refuses it (HTTP ${reply.status})`);
}

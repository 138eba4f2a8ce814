import { dayOrTime, localClock, localDay, wallClock } from '../kit/time.ts';
import { allWithin } from './elements.ts';

/** Shows the times of a page in the reader's time zone. UTC stays in the hint of each, and where it is the reader's. */
export function showLocalTimes(root: ParentNode): void {
  for (const time of allWithin(root, 'time[datetime]', HTMLTimeElement)) {
    const { dateTime, textContent, title } = time;
    const [local, utc] = [localClock(dateTime), wallClock(dateTime)];
    if (local === null) continue;
    if (textContent === utc) time.textContent = local;
    else if (textContent === dateTime.slice(0, 10)) time.textContent = localDay(dateTime);
    if (title === '' || title === utc) time.title = textContent === utc ? utc : `${local} (${utc})`;
  }
  for (const chart of allWithin(root, 'svg', SVGSVGElement)) showLocalTicks(chart);
}

function showLocalTicks(chart: SVGSVGElement): void {
  const ticks = allWithin(chart, '[data-instant]', SVGTextElement);
  const clocks = ticks.flatMap(({ dataset }) => localClock(dataset.instant ?? '') ?? []);
  if (clocks.length < ticks.length) return;
  for (const [at, words] of dayOrTime(clocks).entries()) ticks[at]?.replaceChildren(words);
}

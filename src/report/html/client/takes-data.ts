import type { PageData } from '../markup/page-data.ts';
import { type CellFacts, type OutputFacts, type PageFacts, pageFacts } from './page-facts.ts';

/** As markup/page-data.ts calls the element. */
const DATA_ID = 'takes-data';

let facts: PageFacts | null = null;

/** The data of this page, read once it is needed. */
export function shownFacts(): PageFacts {
  facts ??= pageFacts(JSON.parse(document.getElementById(DATA_ID)?.textContent ?? '') as PageData);
  return facts;
}

/** A cell of this page by the number of its anchor; null where there is none. */
export function cellFacts(number: number): CellFacts | null {
  return shownFacts().cell(number);
}

/** The output that an element of the page shows; null where it shows none. */
export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? -1)] ?? null;
}

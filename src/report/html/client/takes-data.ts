import type { PageData } from '../markup/page-data.ts';
import { type CellFacts, type OutputFacts, type PageFacts, pageFacts } from './page-facts.ts';

/** As markup/page-data.ts names the element. */
const DATA_ID = 'takes-data';

let facts: PageFacts | null = null;

/** Read once it is needed. */
export function shownFacts(): PageFacts {
  facts ??= pageFacts(JSON.parse(document.getElementById(DATA_ID)?.textContent ?? '') as PageData);
  return facts;
}

export function cellFacts(number: number): CellFacts | null {
  return shownFacts().cell(number);
}

export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? -1)] ?? null;
}

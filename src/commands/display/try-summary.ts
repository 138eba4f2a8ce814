import { contactSheet } from '../../media/contact-sheet.ts';
import { median, sortSample } from '../../statistics/samples/quantile.ts';
import { quantileInterval } from '../../statistics/samples/quantile-interval.ts';
import { duration, durationInterval, plural } from '../../text/wording.ts';
import type { Edge } from '../edge.ts';
import { type SavedOutput, writeUnderFreeName } from './save-outputs.ts';

export interface Tried {
  /** Null if the call was not ok. */
  readonly totalMs: number | null;
  readonly outputs: readonly SavedOutput[];
}

const SHEET_SIDE = 256;
const SHEET_COLUMNS = 5;

/** For several calls: p50 with its interval, the number of distinct outputs of one seed, and a contact sheet. */
export async function summarise(results: readonly Tried[], folder: string, stem: string, edge: Edge): Promise<void> {
  if (results.length < 2) return;
  const totals = sortSample(results.flatMap(({ totalMs }) => totalMs ?? []));
  edge.out.write(`\n${totals.length} of ${plural(results.length, 'call')} ok\n`);
  const p50 = median(totals);
  if (p50 !== null) {
    const interval = quantileInterval(totals, 50, 0.95);
    const range =
      interval === null
        ? 'an interval needs 6 calls'
        : `95 % interval ${durationInterval(interval.low, interval.high)}`;
    edge.out.write(`p50 ${duration(p50)} (${range}, n = ${totals.length})\n`);
  }
  const outputs = results.flatMap((tried) => tried.outputs);
  if (outputs.length === 0) return;
  const distinct = new Set(outputs.map(({ sha256 }) => sha256)).size;
  const alike = distinct === 1 ? 'all byte-identical' : `${distinct} different by bytes`;
  if (outputs.length > 1) edge.out.write(`${plural(outputs.length, 'output')}, ${alike}\n`);
  const thumbnails = outputs.flatMap(({ thumbnail }) => (thumbnail === null ? [] : [thumbnail]));
  if (thumbnails.length === 0) return;
  const sheet = await contactSheet(thumbnails, SHEET_SIDE, SHEET_COLUMNS);
  edge.out.write(`Sheet: ${await writeUnderFreeName(folder, stem, 'png', sheet)}\n`);
}

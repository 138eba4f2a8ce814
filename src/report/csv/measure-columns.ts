import type { Measure } from '../../analysis/analysis.ts';
import { joinedNotes } from '../../analysis/noted.ts';
import type { CsvColumn } from './table.ts';

export const MEASURE_COLUMNS: readonly CsvColumn<Measure>[] = [
  ['variant', (row) => row.variant],
  ['kind', (row) => row.kind],
  ['prompt', (row) => row.prompt],
  ['step', (row) => row.step],
  ['metric', (row) => row.metric],
  ['statistic', (row) => row.statistic],
  ['value', (row) => row.value],
  ['unit', (row) => row.unit],
  ['better', (row) => row.better],
  ['n', (row) => row.n],
  ['ci_low', (row) => row.ciLow],
  ['ci_high', (row) => row.ciHigh],
  ['ci_level', (row) => row.ciLevel],
  ['method', (row) => row.method],
  ['note', (row) => joinedNotes(row.notes)],
];

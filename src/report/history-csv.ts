import type { LeftOutRun, SeriesChange, Trend, TrendRun, TrendSeries, TrendVariant } from '../analysis/series.ts';
import { type CsvColumn, columnsOf, csvTable } from './csv-table.ts';

/** A run that is left out of a variant's series has neither metric nor value. */
interface HistoryRow {
  readonly run: TrendRun | null;
  readonly variant: TrendVariant;
  readonly series: TrendSeries | null;
  readonly value: number | null;
  readonly change: SeriesChange | null;
  readonly leftOut: LeftOutRun['reason'] | null;
}

const runOf = ({ run }: HistoryRow) => run;
const seriesOf = ({ series }: HistoryRow) => series;

const HISTORY_COLUMNS: readonly CsvColumn<HistoryRow>[] = [
  ...columnsOf(runOf, ['run', 'startedAt', 'verdict']),
  ...columnsOf(({ variant }: HistoryRow) => variant, ['variant', 'kind']),
  ...columnsOf(seriesOf, ['metric']),
  ['value', ({ value }) => value],
  ...columnsOf(seriesOf, ['unit', 'better']),
  ['mean_before', ({ change }) => change?.before ?? null],
  ['mean_after', ({ change }) => change?.after ?? null],
  ['p', ({ change }) => change?.p ?? null],
  ['left_out', ({ leftOut }) => leftOut],
  ['label', ({ run }) => run?.label ?? null],
];

/** A row for each variant, metric and run, then the runs that are left out of a variant's series. */
export function historyCsv({ variants, runs }: Trend): Iterable<string> {
  const byName = new Map(runs.map((run) => [run.run, run]));
  const rows = variants.flatMap((variant): readonly HistoryRow[] => [
    ...variant.series.flatMap((series) => {
      const changes = new Map(series.changes.map((change) => [change.index, change]));
      return series.points.map(
        ({ run, value }, index): HistoryRow => ({
          run: byName.get(run) ?? null,
          variant,
          series,
          value,
          change: changes.get(index) ?? null,
          leftOut: null,
        }),
      );
    }),
    ...variant.leftOut.map(
      ({ run, reason }): HistoryRow => ({
        run: byName.get(run) ?? null,
        variant,
        series: null,
        value: null,
        change: null,
        leftOut: reason,
      }),
    ),
  ]);
  return csvTable(HISTORY_COLUMNS, rows, (row) => row);
}

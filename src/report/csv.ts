import type { Comparison, Scope } from '../analysis/comparison.ts';
import type { EffectiveSample } from '../analysis/effective-sample.ts';
import { joinedNotes } from '../analysis/note.ts';
import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import type { LeftOutRun, SeriesChange, Trend, TrendRun, TrendSeries, TrendVariant } from '../analysis/series.ts';
import type { Measure } from '../analysis/summaries.ts';
import type { RuleResult, RuleVerdict } from '../gate/verdict.ts';
import type { Difference } from '../media/difference.ts';
import type { Likeness } from '../media/level.ts';
import type { UndecodableReason } from '../record/fact.ts';
import { type CsvValue, csvText } from './csv/csv-text.ts';
import type { Reporter, ReportSource } from './reporter.ts';

/** Rows of samples.csv are in the order they were sent, of a merged run in that of the plan. */
export const csv: Reporter<'csv'> = {
  format: 'csv',
  description: 'all tables',
  files: ['samples.csv', 'measures.csv', 'comparisons.csv', 'likeness.csv'],
  render: ({ analysis, samples, comparisons, verdict }: ReportSource) => {
    const targets = new Map(analysis.variants.map((variant) => [variant.name, variant.target]));
    const merged = analysis.run.shards?.merged ?? [];
    const shards = new Map(
      merged.flatMap(({ index, segments }) => segments.map((segment) => [segment, index] as const)),
    );
    const tags = new Map(analysis.prompts.map((prompt) => [prompt.id, prompt.tags]));
    const sampleRow = (effective: EffectiveSample): SampleRow => ({
      ...effective,
      run: analysis.run.id,
      label: analysis.run.label,
      target: targets.get(effective.sample.trial.variant) ?? null,
      tags: tags.get(effective.sample.trial.prompt) ?? [],
      shard: shards.get(effective.sample.segment) ?? analysis.run.shard?.index ?? null,
    });
    const comparisonRow = (comparison: Comparison): ComparisonRow => ({
      ...comparison,
      verdict: verdict.rules.find((result) => isAbout(result, comparison))?.verdict ?? null,
    });
    return [
      { name: 'samples.csv', content: table(SAMPLE_COLUMNS, samples, sampleRow) },
      { name: 'measures.csv', content: table(MEASURE_COLUMNS, analysis.measures, (measure) => measure) },
      { name: 'comparisons.csv', content: table(COMPARISON_COLUMNS, comparisons, comparisonRow) },
      { name: 'likeness.csv', content: table(LIKENESS_COLUMNS, analysis.likeness, likenessRow) },
    ];
  },
};

/** Whether a rule was decided on the blocks of a comparison: all of them, as independent units. */
function isAbout({ rule, variant, against, units }: RuleResult, comparison: Comparison): boolean {
  return (
    variant === comparison.variant &&
    against === comparison.baseline &&
    rule.metric === comparison.metric &&
    (rule.statistic ?? comparison.statistic) === comparison.statistic &&
    rule.prompts === null &&
    rule.tags === null &&
    units === comparison.scope.of
  );
}

const MEASURE_COLUMNS: readonly CsvColumn<Measure>[] = [
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

/** The verdict is null where no rule is about the comparison. */
interface ComparisonRow extends Comparison {
  readonly verdict: RuleVerdict | null;
}

const COMPARISON_COLUMNS: readonly CsvColumn<ComparisonRow>[] = [
  ['variant', (row) => row.variant],
  ['baseline', (row) => row.baseline],
  ['kind', (row) => row.kind],
  ['scope', (row) => scopeText(row.scope)],
  ['metric', (row) => row.metric],
  ['statistic', (row) => row.statistic],
  ['effect', (row) => row.effect],
  ['value', (row) => row.value],
  ['ci_low', (row) => row.ciLow],
  ['ci_high', (row) => row.ciHigh],
  ['n_pairs', (row) => row.cellPairs],
  ['missing_pairs', (row) => row.missingBlocks],
  ['p', (row) => row.p],
  ['p_adjusted', (row) => row.pAdjusted],
  ['verdict', (row) => row.verdict],
  ['baseline_run', (row) => row.baselineRun],
  ['note', (row) => joinedNotes(row.notes)],
  ['unit', (row) => row.unit],
  ['better', (row) => row.better],
  ['ci_level', (row) => row.ciLevel],
  ['method', (row) => row.method],
  ['step', (row) => row.step],
  ['n_better', (row) => row.cellPairsBetter],
  ['censored_pairs', (row) => row.censoredBlocks],
  ['value_unflagged', (row) => row.valueUnflagged],
  ['finding', (row) => row.finding],
  ['units', (row) => row.units],
  ['n_units', (row) => row.nUnits],
  ['family', (row) => row.family],
  ['ratio_of_means', (row) => row.ratioOfMeans],
];

/** `blocks`, `rounds`, `cells`, `prompts`, `prompt:<id>`, `tag:<tag>`. */
function scopeText(scope: Scope): string {
  if (scope.of === 'prompt') return `prompt:${scope.id}`;
  return scope.of === 'tag' ? `tag:${scope.tag}` : scope.of;
}

/** What only cells that were compared have is null in the others. */
type LikenessRow = Pick<
  CellLikeness,
  'variant' | 'baseline' | 'kind' | 'prompt' | 'seed' | 'output' | 'baselineOutput'
> &
  Pick<ComparedCells, 'sharpness' | 'repeatSsim' | 'otherSeed' | 'decidedBy'> & {
    readonly word: Likeness | null;
    readonly why: string | null;
    readonly ssim: number | null;
    readonly difference: Difference | null;
  };

function likenessRow(cells: CellLikeness): LikenessRow {
  if (cells.word !== 'unknown') {
    const { difference } = cells;
    return { ...cells, why: null, ssim: difference === null ? 1 : (difference.ssim?.p5 ?? null) };
  }
  const nothing = { difference: null, decidedBy: null, sharpness: null, repeatSsim: null, otherSeed: null };
  return { ...cells, ...nothing, word: null, ssim: null };
}

const LIKENESS_COLUMNS: readonly CsvColumn<LikenessRow>[] = [
  ['variant', (row) => row.variant],
  ['baseline', (row) => row.baseline],
  ['kind', (row) => row.kind],
  ['prompt', (row) => row.prompt],
  ['seed', (row) => row.seed],
  ['likeness', (row) => row.word],
  ['why_not', (row) => row.why],
  ['ssim', (row) => row.ssim],
  ['pdq_distance', (row) => row.difference?.pdqDistance ?? null],
  ['chroma', (row) => row.difference?.chroma ?? null],
  ['sharpness', (row) => row.sharpness],
  ['repeat_ssim', (row) => row.repeatSsim],
  ['other_seed_ssim', (row) => row.otherSeed?.ssim ?? null],
  ['other_seed_pdq_distance', (row) => row.otherSeed?.pdqDistance ?? null],
  ['sha256', (row) => row.output],
  ['baseline_sha256', (row) => row.baselineOutput],
  ['correlation', (row) => row.difference?.correlation ?? null],
  ['decided_by', (row) => row.decidedBy?.measure ?? null],
];

interface SampleRow extends EffectiveSample {
  readonly run: string;
  readonly label: string | null;
  readonly target: string | null;
  readonly shard: number | null;
  readonly tags: readonly string[];
}

const SAMPLE_COLUMNS: readonly CsvColumn<SampleRow>[] = [
  ['run', (row) => row.run],
  ['trial', ({ sample }) => sample.trial.id],
  ['variant', ({ sample }) => sample.trial.variant],
  ['target', (row) => row.target],
  ['kind', ({ sample }) => sample.trial.kind],
  ['prompt', ({ sample }) => sample.trial.prompt],
  ['seed', ({ sample }) => sample.trial.seed],
  ['repeat', ({ sample }) => sample.trial.repeat],
  ['block', ({ sample }) => sample.trial.block],
  ['step', ({ sample }) => sample.trial.step ?? null],
  ['phase', ({ sample }) => sample.trial.phase],
  ['warmup', ({ sample }) => sample.trial.phase === 'warmup'],
  ['probe', ({ sample }) => sample.trial.phase === 'probe'],
  ['outcome', (row) => row.outcome],
  ['error_code', (row) => row.error?.code ?? null],
  ['error_message', ({ error }) => (error?.undecodable ? reasonOf(error.undecodable) : (error?.message ?? null))],
  ['http_status', ({ sample }) => sample.httpStatus],
  ['scheduled_at', ({ sample }) => sample.scheduledAt],
  ['start_lag_ms', ({ timings }) => ms(timings.startLagMs)],
  ['attempts', ({ sample }) => sample.attempts],
  ['throttle_wait_ms', ({ sample }) => ms(sample.throttleWaitMs)],
  ['dns_ms', ({ sample }) => ms(sample.connection?.dnsMs ?? null)],
  ['tcp_ms', ({ sample }) => ms(sample.connection?.tcpMs ?? null)],
  ['tls_ms', ({ sample }) => ms(sample.connection?.tlsMs ?? null)],
  ['submit_ms', ({ timings }) => ms(timings.submitMs)],
  ['queue_ms', ({ timings }) => ms(timings.queueMs)],
  ['run_ms', ({ timings }) => ms(timings.runMs)],
  ['detect_ms', ({ timings }) => ms(timings.detectMs)],
  ['download_ms', ({ timings }) => ms(timings.downloadMs)],
  ['ttfb_ms', ({ timings }) => ms(timings.ttfbMs)],
  ['generation_low_ms', ({ timings }) => ms(timings.generationLowMs)],
  ['generation_ms', ({ timings }) => ms(timings.generationMs)],
  ['total_ms', ({ timings }) => ms(timings.totalMs)],
  ['response_ms', ({ timings }) => ms(timings.responseMs)],
  ['server_ms', ({ sample }) => ms(sample.reported.serverMs)],
  ['polls', ({ sample }) => sample.polls],
  ['items', ({ output }) => output?.items ?? null],
  ['bytes', ({ output }) => output?.bytes ?? null],
  ['mime', ({ output }) => output?.mime ?? null],
  ['width', ({ output }) => output?.width ?? null],
  ['height', ({ output }) => output?.height ?? null],
  ['frames', ({ output }) => output?.frames ?? null],
  ['fps', ({ output }) => output?.fps ?? null],
  ['duration_s', ({ output }) => output?.durationS ?? null],
  ['sha256', ({ output }) => output?.sha256 ?? null],
  ['stripped_sha256', ({ output }) => output?.shown?.strippedSha256 ?? null],
  ['pixel_sha256', ({ output }) => output?.shown?.pixelSha256 ?? null],
  ['pdq', ({ output }) => output?.shown?.pdq ?? null],
  ['pdq_quality', ({ output }) => output?.shown?.pdqQuality ?? null],
  ['blank', ({ output }) => output?.shown?.blank ?? null],
  ['seed_echo', ({ sample }) => sample.reported.seedEcho],
  ['cost_usd', (row) => row.costUsd],
  ['request_id', ({ sample }) => sample.reported.requestId],
  ['flags', (row) => row.flags.join(';')],
  ['probe_kind', ({ sample }) => sample.trial.probe?.kind ?? null],
  ['probe_role', ({ sample }) => sample.trial.probe?.role ?? null],
  ['probe_pair', ({ sample }) => pairOf(sample.trial)],
  ['cached', ({ sample }) => sample.reported.cached ?? null],
  ['sharpness', ({ output }) => output?.shown?.first.sharpness ?? null],
  ['colourfulness', ({ output }) => output?.shown?.first.colourfulness ?? null],
  ['luma', ({ output }) => output?.shown?.first.lumaMean ?? null],
  ['clipped_low', ({ output }) => output?.shown?.first.clippedLow ?? null],
  ['clipped_high', ({ output }) => output?.shown?.first.clippedHigh ?? null],
  ['spatial_information', ({ output }) => output?.shown?.moving?.siMax ?? null],
  ['temporal_information', ({ output }) => output?.shown?.moving?.tiMax ?? null],
  ['frozen', ({ output }) => output?.shown?.moving?.frozenShare ?? null],
  ['duplicates', ({ output }) => output?.shown?.moving?.duplicateShare ?? null],
  ['black', ({ output }) => output?.shown?.moving?.blackShare ?? null],
  ['flicker', ({ output }) => output?.shown?.moving?.flicker ?? null],
  ['queue_low_ms', ({ timings }) => ms(timings.queueLowMs)],
  ['run_high_ms', ({ timings }) => ms(timings.runHighMs)],
  ['shard', (row) => row.shard],
  ['label', (row) => row.label],
  ['tags', (row) => row.tags.join(';')],
  ['answered_model', ({ sample }) => sample.reported.model ?? null],
  ['rewritten_prompt', ({ sample }) => sample.reported.prompt ?? null],
  ['memory_mb', ({ sample }) => sample.reported.memoryMb ?? null],
  ['stages', ({ sample }) => countsOf(sample.reported.stages)],
  ['usage', ({ sample }) => countsOf(sample.reported.usage)],
];

/** Joined by `;`, the code first: `cut_off;declared_bytes=90;bytes=45`. */
function reasonOf({ code, ...fields }: UndecodableReason): string {
  return [code, ...fieldsOf(fields)].join(';');
}

function fieldsOf(fields: object): readonly string[] {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${snakeCase(name)}=${value}`);
}

function countsOf(counts: Readonly<Record<string, number>> | undefined): string | null {
  return counts === undefined ? null : fieldsOf(counts).join(';');
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** The number of a cache probe's pair; null for other samples. */
function pairOf({ probe }: EffectiveSample['sample']['trial']): number | null {
  return probe?.kind === 'cache' ? probe.pair : null;
}

/** Milliseconds to the microsecond, the resolution of the clock. */
function ms(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toFixed(3));
}

/** The order of columns is a contract; they are only appended. */
type CsvColumn<Row> = readonly [name: string, cell: (row: Row) => CsvValue];

/** Large enough to be quick, small enough that 100,000 samples are never held as text. */
const ROWS_A_PIECE = 500;

/** An iterable that can be read more than once. */
function table<Item, Row>(
  columns: readonly CsvColumn<Row>[],
  items: readonly Item[],
  rowOf: (item: Item) => Row,
): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield csvText([columns.map(([name]) => name)]);
      for (let from = 0; from < items.length; from += ROWS_A_PIECE) {
        const rows = items.slice(from, from + ROWS_A_PIECE).map(rowOf);
        yield csvText(rows.map((row) => columns.map(([, cell]) => cell(row))));
      }
    },
  };
}

/** A run that is left out of a variant's series has neither metric nor value. */
interface HistoryRow {
  readonly run: TrendRun | null;
  readonly variant: TrendVariant;
  readonly series: TrendSeries | null;
  readonly value: number | null;
  readonly change: SeriesChange | null;
  readonly leftOut: LeftOutRun['reason'] | null;
}

const HISTORY_COLUMNS: readonly CsvColumn<HistoryRow>[] = [
  ['run', ({ run }) => run?.run ?? null],
  ['started_at', ({ run }) => run?.startedAt ?? null],
  ['verdict', ({ run }) => run?.verdict ?? null],
  ['variant', ({ variant }) => variant.variant],
  ['kind', ({ variant }) => variant.kind],
  ['metric', ({ series }) => series?.metric ?? null],
  ['value', ({ value }) => value],
  ['unit', ({ series }) => series?.unit ?? null],
  ['better', ({ series }) => series?.better ?? null],
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
  return table(HISTORY_COLUMNS, rows, (row) => row);
}

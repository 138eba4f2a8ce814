import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type { TimedSample } from '../analysis/effective-sample.ts';
import type { PairFindings } from '../analysis/pair-levels.ts';
import type { VariantStability } from '../analysis/stability.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { OutputFact } from '../record/fact.ts';
import type { ReportFileName } from '../record/own-names.ts';
import type { ReportFormat } from '../suite/report-format.ts';

export interface ReportSource {
  readonly analysis: Analysis;
  readonly samples: readonly TimedSample[];
  readonly comparisons: readonly Comparison[];
  readonly verdict: Verdict;
  /** Empty where no rule needs a stored baseline. */
  readonly stability: readonly VariantStability[];
  readonly pairs: PairFindings;
  /** Whether an output's own file will stand beside the report, by its name in the record. */
  readonly isBeside: (file: string) => boolean;
  readonly thumbnail: (sha256: string) => Uint8Array | null;
  /** WebP; a record of earlier versions has none. */
  readonly smallThumbnail: (sha256: string) => Uint8Array | null;
  /** WebP of an image, its longer side up to 1,024 pixels. */
  readonly copy: (sha256: string) => Uint8Array | null;
  /** Of an input image, or an output of the stored baseline that changed; null where the record does not hold it. */
  readonly keptFact: (sha256: string) => KeptFact | null;
  /** MP4: H.264 without sound. */
  readonly preview: (sha256: string) => Uint8Array | null;
  /** WebP, longer side at most 120 pixels: where two outputs differ; null where the record has none of this pair. */
  readonly heatMap: (one: string, other: string) => Uint8Array | null;
}

export type KeptFact = Pick<Extract<OutputFact, { decodes: true }>, 'sha256' | 'width' | 'height' | 'mime' | 'video'>;

/** What a run answers follows from it. */
export type AnsweredRun = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>;

/** Text in pieces: a large file is never held whole. */
export interface ReportFile {
  readonly name: ReportFileName;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** An adapter is one file: it returns text, the command writes it. */
export interface Reporter<Format extends ReportFormat = ReportFormat> {
  readonly format: Format;
  /** A few words for the help of the command line. */
  readonly description: string;
  /** The files of its format (`FILES_OF_FORMAT`), in their order. */
  readonly render: (source: ReportSource) => readonly ReportFile[];
}

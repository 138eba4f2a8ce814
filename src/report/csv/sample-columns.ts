import type { EffectiveSample } from '../../analysis/effective-sample.ts';
import type { UndecodableReason } from '../../record/fact.ts';
import type { CsvColumn } from './table.ts';

export interface SampleRow extends EffectiveSample {
  readonly run: string;
  /** The user's name for the run. */
  readonly label: string | null;
  readonly target: string | null;
  readonly shard: number | null;
  readonly tags: readonly string[];
}

export const SAMPLE_COLUMNS: readonly CsvColumn<SampleRow>[] = [
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
  ['error_message', ({ error }) => (error?.undecodable ? fieldsOf(error.undecodable) : (error?.message ?? null))],
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
];

/** Joined by `;`, the code first: `cut_off;declared_bytes=90;bytes=45`. */
function fieldsOf({ code, ...fields }: UndecodableReason): string {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  return [code, ...known.map(([name, value]) => `${snakeCase(name)}=${value}`)].join(';');
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

import type { EffectiveOutput, TimedSample } from '../../../src/analysis/effective-sample.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { NO_SPEND } from '../../../src/record/trial-histories.ts';
import { buildFailure, buildOk } from '../../fixtures/stored-run-builder.ts';
import type { Call } from './service.ts';

/** A take with each outcome that it may have. */
export function samplesOf(
  trial: Trial,
  slice: number,
): Readonly<Record<Call['outcome'], (totalMs: number) => TimedSample>> {
  const parts = { trial, slice };
  const ok = effective(buildOk(1, trial.id, parts));
  const timedOut = effective(buildFailure('timed_out', parts));
  const error = effective(buildFailure('error', parts));
  return {
    ok: (totalMs) => ({ ...ok, timings: { ...UNTIMED, totalMs }, output: { ...OUTPUT, sha256: trial.id } }),
    timed_out: () => timedOut,
    error: () => error,
  };
}

const OUTPUT: EffectiveOutput = {
  sha256: '',
  bytes: 1,
  mime: 'image/png',
  width: null,
  height: null,
  frames: null,
  fps: null,
  durationS: null,
  thumbnail: false,
  shown: null,
  undecoded: null,
  undecodable: null,
};

const UNTIMED: TimedSample['timings'] = {
  totalMs: null,
  startLagMs: null,
  responseMs: null,
  submitMs: null,
  queueMs: null,
  queueLowMs: null,
  runMs: null,
  runHighMs: null,
  detectMs: null,
  downloadMs: null,
  ttfbMs: null,
  generationLowMs: null,
  generationMs: null,
};

/** A sample as it counts: with no timing yet. */
export function effective(sample: Sample): TimedSample {
  return {
    sample,
    outcome: sample.outcome,
    error: sample.error === null ? null : { ...sample.error, undecodable: null },
    timings: UNTIMED,
    output: null,
    outputs: [],
    costUsd: null,
    spend: NO_SPEND,
    flags: [],
    timed: true,
  };
}

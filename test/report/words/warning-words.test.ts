import { describe, expect, it, test } from 'vitest';
import type { CacheFinding, LoadFinding, SeedFinding } from '../../../src/analysis/probes/probe-finding.ts';
import type { Warning } from '../../../src/analysis/warning-codes/coded-warning.ts';
import { warningWords } from '../../../src/report/words/warnings/warning-words.ts';

const SEED: SeedFinding = {
  code: 'ignored',
  seen: 'ignored',
  takes: 3,
  within: 'similar',
  bound: null,
  otherSeeds: 2,
  otherImages: 0,
  omitted: { code: 'not_supported', takes: 0, reason: null },
  reason: null,
};
const CACHE: CacheFinding = {
  code: 'cached',
  by: ['timing', 'said'],
  pairs: 10,
  equal: 9,
  ratio: 8.5,
  p: 0.002,
  detectableRatio: 1.5,
  saidOfRepeats: 10,
  saidOfFresh: 0,
  reason: null,
};
const LOAD: LoadFinding = {
  code: 'batch_dependent',
  cells: 10,
  changedConcurrent: 8,
  changedAlone: 0,
  p: 0.004,
  bound: null,
  reason: null,
};

/** One warning of each code, and what a reader sees first of it. */
const EACH: {
  readonly [Code in Warning['code']]: readonly [warning: Warning & { readonly code: Code }, what: string];
} = {
  incomplete: [
    { code: 'incomplete', missing: 40, planned: 100, missingProbes: 3, stop: null, abandoned: [], shards: null },
    'the run is incomplete: 40 of 100 takes were not measured, 3 probes not sent',
  ],
  variants_left_out: [
    {
      code: 'variants_left_out',
      variants: ['video', 'video-fast'],
      reason: { code: 'no_video_encoder', encoder: 'libx264' },
    },
    '2 variants of the suite left out: video and video-fast',
  ],
  changed_environment: [
    { code: 'changed_environment', baselineRun: '20261101T080000Z-1a2b', names: ['RETAKE_BASE_URL'] },
    'RETAKE_BASE_URL has another value than when the stored baseline was measured (20261101T080000Z-1a2b)',
  ],
  unanswered_requests: [{ code: 'unanswered_requests', requests: 2 }, '2 requests were sent but not answered'],
  single_takes: [{ code: 'single_takes' }, 'determinism cannot be measured: each prompt and seed has one take'],
  not_warmed_up: [{ code: 'not_warmed_up' }, 'no warm-up was sent'],
  warmup_failed: [{ code: 'warmup_failed', variants: ['standard'] }, 'every warm-up of standard failed'],
  defects: [{ code: 'defects', trials: 1 }, '1 take failed inside Retake'],
  many_failures: [
    {
      code: 'many_failures',
      variant: 'standard',
      failed: 4,
      takes: 63,
      mostOften: {
        outcome: 'error',
        errorCode: 'E7',
        httpStatus: 500,
        count: 3,
        message: 'it was error',
        undecodable: null,
      },
    },
    '4 of 63 takes of standard failed (6.3 %)',
  ],
  missing_pairs: [
    {
      code: 'missing_pairs',
      variant: 'fast',
      baseline: 'standard',
      pairs: 80,
      variantMissing: 19,
      baselineMissing: 1,
    },
    '20 of 80 pairs of takes of fast and standard lack one of the two latencies',
  ],
  undecodable_outputs: [
    {
      code: 'undecodable_outputs',
      variants: ['standard'],
      outputs: 1,
      reason: { code: 'not_decodable', detail: 'it ends early' },
    },
    '1 output of standard could not be decoded',
  ],
  rate_limited: [
    {
      code: 'rate_limited',
      variants: ['standard'],
      trials: 1,
      waitedMs: 2500,
      mode: 'closed',
      concurrency: 4,
      servedPerSecond: 2,
    },
    '1 take of standard was rate-limited',
  ],
  too_many_late_stamps: [
    {
      code: 'too_many_late_stamps',
      variants: [{ variant: 'standard', late: 20, samples: 100, agree: true }],
      ofVariants: 1,
      loopDelay: { p99Ms: 48, maxMs: 310 },
      mode: 'closed',
      concurrency: 4,
    },
    'this machine could not keep up: do not rely on p95 and small differences',
  ],
  flags_disagree: [
    { code: 'flags_disagree', variant: 'standard', step: null, withFlaggedMs: 200, withoutFlaggedMs: 100 },
    'p50 of standard is 200 ms with its flagged takes and 100 ms without them; their intervals do not overlap',
  ],
  late_starts: [
    { code: 'late_starts', variant: 'standard', lagMs: 8, statistic: 'p99', limitMs: 5 },
    'calls of standard started late: start lag p99 8.00 ms',
  ],
  dropped_starts: [
    { code: 'dropped_starts', variant: 'standard', dropped: 2, starts: 100, concurrency: 8 },
    '2 of 100 starts of standard were dropped (2.0 %): the offered rate was not reached',
  ],
  abandoned_requests: [
    {
      code: 'abandoned_requests',
      requests: 2,
      samples: 3,
      variants: ['standard'],
      interrupted: false,
      withoutCancel: [],
    },
    '2 requests were abandoned and may still have run at the service; 3 takes of standard may have run at that time (flag orphans)',
  ],
  unfit_machine: [
    { code: 'unfit_machine', shards: null, reason: { code: 'saves_power', by: { code: 'battery' } } },
    'before the run, this machine saved power: it runs on battery',
  ],
  queue_grows: [
    {
      code: 'queue_grows',
      unfit: true,
      variant: 'standard',
      stage: 2,
      offeredPerSecond: 8,
      donePerSecond: 4,
      firstMs: 300,
      lastMs: null,
    },
    'standard does not sustain this load: 8.00/s are offered, 4.00/s are done, and the queue grows during stage 2 of the load',
  ],
  dependent_takes: [
    { code: 'dependent_takes', variant: 'standard', step: 4, r: 0.5, n: 60, effectiveN: 20 },
    'takes of standard at concurrency 4 depend on those before them: 60 takes tell as much as about 20 independent ones',
  ],
  service_stalled: [
    {
      code: 'service_stalled',
      variant: 'standard',
      step: null,
      takes: 1,
      longestMs: 2100,
      medianMs: 100,
      hiddenCalls: 20.2,
      calls: 60,
    },
    'standard stalled: 1 take took up to 2.10 s, but p50 is 100 ms; its p95 and p99 may be far too low',
  ],
  coarse_polls: [
    { code: 'coarse_polls', variant: 'standard', target: 'jobs', step: null, gapMs: 400, medianMs: 1000 },
    'latencies of standard may be too long by up to 400 ms (40.0 % of p50), the gap between polls',
  ],
  contended: [{ code: 'contended' }, 'contended: the variants ran at the same time'],
  drift_confounded: [
    { code: 'drift_confounded', mode: 'open' },
    'open load measured the variants one after the other, so their latencies cannot be compared',
  ],
  measured_in_shards: [
    { code: 'measured_in_shards', shards: 3, concurrency: 8, mode: 'closed' },
    '3 shards measured this run without a common clock: the concurrency at the service is not known',
  ],
  concurrency_not_reached: [
    { code: 'concurrency_not_reached', largestSlice: 3, concurrency: 8, sweep: false },
    'at most 3 requests were in flight; load.concurrency allows 8',
  ],
  not_decoded: [
    { code: 'not_decoded', variants: ['standard'], outputs: 59, media: 'image', reason: null },
    '59 outputs of standard were not decoded',
  ],
  not_compared: [
    { code: 'not_compared', variants: ['standard'], pairs: 2, reason: { code: 'decoder_died' } },
    '2 pairs of outputs of standard were not compared',
  ],
  blank_outputs: [
    { code: 'blank_outputs', variant: 'standard', outputs: 1, prompts: 1, media: 'image' },
    '1 image of standard is blank (1 prompt)',
  ],
  other_size: [
    { code: 'other_size', variant: 'standard', outputs: 3, asked: '16:9', width: 512, height: 512 },
    '3 outputs of standard have another size than requested: 512 x 512 instead of 16:9',
  ],
  flagged_samples: [
    { code: 'flagged_samples', flag: 'cached', variants: ['standard'], samples: 1, blocks: 1 },
    '1 take was served from a cache (flag cached), in 1 block (standard)',
  ],
  seed_not_honoured: [
    { code: 'seed_not_honoured', variant: 'standard', cells: 1, ofCells: 2 },
    'the seed of standard is not honoured: takes differ in 1 of 2 cells',
  ],
  other_seed_echoed: [
    {
      code: 'other_seed_echoed',
      variant: 'standard',
      samples: 1,
      ofSamples: 2,
      sent: 2147483655,
      echoed: 7,
      kept: { how: 'modulo', size: 2147483648 },
    },
    'the service reports another seed than standard sent in 1 of 2 takes: 7 instead of 2147483655',
  ],
  no_seed_sent: [
    { code: 'no_seed_sent', variants: ['standard'], seeds: [1, 2] },
    'seeds 1 and 2 make the same request for standard: no seed is sent',
  ],
  same_for_all_seeds: [
    { code: 'same_for_all_seeds', variants: ['standard'], prompts: 1 },
    'standard gave the same bytes for different seeds (1 prompt)',
  ],
  equal_variants: [
    {
      code: 'equal_variants',
      variants: ['euler', 'heun'],
      cells: 3,
      constants: [{ name: 'sampler', values: ['euler', 'hein'] }],
    },
    'euler and heun gave the same bytes in 3 of 3 cells: their different constants have no effect',
  ],
  served_from_cache: [
    { code: 'served_from_cache', variant: 'standard', cache: CACHE },
    'standard is served from a cache: repeats are left out of latency, and its determinism is not testable',
  ],
  seed_ignored: [
    { code: 'seed_ignored', variant: 'standard', claim: 'exact', seed: SEED },
    'seed ignored: 3 seeds of standard gave the same image',
  ],
  seed_unstable: [
    { code: 'seed_unstable', variant: 'standard', claim: 'exact', seed: SEED },
    'seed not honoured: takes of standard with one seed differ',
  ],
  seed_similar: [
    { code: 'seed_similar', variant: 'standard', claim: 'exact', seed: SEED },
    'the seed of standard gives similar images, not identical ones',
  ],
  omitted_seed_constant: [
    { code: 'omitted_seed_constant', variant: 'standard' },
    'without a seed standard gave the same image twice',
  ],
  omitted_seed_random: [
    { code: 'omitted_seed_random', variant: 'standard' },
    'without a seed standard gave two different images',
  ],
  batch_dependent: [
    { code: 'batch_dependent', variant: 'standard', concurrency: 4, load: LOAD },
    'concurrency changes the output of standard (batch-dependent): in 8 of 10 cells (80.0 %)',
  ],
  probe_not_testable: [
    {
      code: 'probe_not_testable',
      variant: 'standard',
      probe: 'seed',
      reason: { code: 'requests_failed', failed: 1, sent: 1, outcome: 'error', error: 'E9' },
    },
    'the probe "seed" of standard is inconclusive',
  ],
  probe_left_out: [
    {
      code: 'probe_left_out',
      probe: 'load',
      whole: true,
      variants: ['standard'],
      reason: { code: 'concurrency_1' },
    },
    'the probe "load" had nothing to test for standard',
  ],
};

test.each(Object.entries(EACH))('the warning %s has words for what, cause and remedy', (_, [warning, what]) => {
  const { brief = what, ...words } = warningWords(warning);
  // Where it stands on one line of a terminal.
  expect(brief.length).toBeLessThanOrEqual(what.length);
  expect(words).toEqual({
    what,
    cause: expect.stringMatching(/^\S.*[^\s.]$/),
    remedy: expect.stringMatching(/^\S.*[^\s.]$/),
  });
  expect(JSON.stringify(words)).not.toMatch(/undefined|null|NaN|\[object|Infinity/);
  // A remedy is read on a terminal and in a summary too, where nothing stands below it.
  expect(words.remedy).not.toMatch(/\b(?:them|it|see) below\b/);
  // Results and warnings count takes; a reader must not ask what a sample is beside them. The file has its name.
  expect(JSON.stringify(words).replaceAll('samples.csv', '')).not.toMatch(/\bsamples?\b/);
});

/** The example of a code, changed. */
function words<Code extends Warning['code']>(code: Code, change: Partial<(typeof EACH)[Code][0]> = {}) {
  return warningWords({ ...EACH[code][0], ...change });
}

describe('the words of a warning', () => {
  it('the words of a warning say of failures how the most frequent kind failed, with its message whole', () => {
    expect(words('many_failures').cause).toBe('most often error (E7), HTTP 500: 3 times; message: it was error');
    expect(words('many_failures', { mostOften: null }).cause).toBe('see the failures');
    const refused = {
      outcome: 'rejected',
      errorCode: 'no_key',
      httpStatus: 401,
      count: 4,
      message: '',
      undecodable: null,
    } as const;
    expect(words('many_failures', { mostOften: refused }).remedy).toBe('check the key and its permissions');
    expect(words('many_failures', { mostOften: { ...refused, httpStatus: 422 } }).remedy).toMatch(
      /^change the request as the message says, and measure again \(retake try shows one call\)/,
    );
  });

  it('the words of a warning never say not to use latencies whose medians agree with and without the late takes', () => {
    expect(words('too_many_late_stamps').cause).toContain('up to 310 ms, p99 48.0 ms');
    const { what, cause, remedy } = words('too_many_late_stamps');
    expect(remedy).toBe('run nothing else on this machine, lower load.concurrency or use a faster machine');
    expect(words('too_many_late_stamps', { concurrency: 1 }).remedy).not.toContain('concurrency');
    expect(cause).toMatch(/these takes agree$/);
    expect(what).not.toContain('do not use');
    const variants = [{ variant: 'standard', late: 20, samples: 100, agree: false }];
    const disagreeing = words('too_many_late_stamps', { variants });
    expect(disagreeing.what).toMatch(/: do not use these latencies$/);
    expect(disagreeing.cause).toMatch(/; p50 with and without these takes do not agree$/);
    const some = words('too_many_late_stamps', {
      ofVariants: 3,
      variants: [...variants, { variant: 'fast', late: 20, samples: 100, agree: true }],
    });
    expect(some.what).toMatch(/: do not use the latencies of standard$/);
    expect(some.cause).toContain('p50 of fast agrees');
    const untold = words('too_many_late_stamps', {
      variants: [{ variant: 'standard', late: 2, samples: 3, agree: null }],
    });
    expect(untold.what).toMatch(/: do not use these latencies$/);
    expect(untold.cause).not.toContain('p50');
  });

  it('the words of a warning name the worst variant where many were timestamped late', () => {
    const variants = Array.from({ length: 40 }, (_, at) => ({ variant: `v${at}`, late: 2, samples: 10, agree: true }));
    expect(words('too_many_late_stamps', { variants, ofVariants: 40 }).cause).toMatch(
      /^takes of all 40 variants were timestamped late, worst v0 \(2 of 10\), because /,
    );
  });

  it('the words of a warning say how to end abandoned jobs where the target does not, and raise no limit for an interrupt', () => {
    const raise = 'raise limits.timeout, so that fewer requests are abandoned';
    const name = 'if the service can cancel jobs, declare it in wait.cancel of the target of standard';
    expect(words('abandoned_requests').remedy).toBe(raise);
    expect(words('abandoned_requests', { withoutCancel: ['standard'] }).remedy).toBe(`${raise}; ${name}`);
    expect(words('abandoned_requests', { withoutCancel: ['standard'], interrupted: true }).remedy).toBe(
      `wait until the service is idle before another run; ${name}`,
    );
  });

  it('the words of a warning say what closed load cannot show of a stall, with open load as the remedy', () => {
    const { cause, remedy } = words('service_stalled');
    expect(cause).toContain(
      'about 20 calls that would have waited are missing, beside the 60 made (coordinated omission)',
    );
    expect(remedy).toContain('load.mode: open');
  });

  it('the words of a warning name the largest start lag where there are too few calls for a p99', () => {
    expect(words('late_starts', { statistic: 'max' }).what).toBe(
      'calls of standard started late: start lag at most 8.00 ms',
    );
  });

  it('the words of a warning name wait.poll.min_every as the remedy of coarse polls, and the step of a sweep', () => {
    expect(words('coarse_polls').remedy).toContain('wait.poll.min_every in the target jobs');
    expect(words('coarse_polls', { step: 8 }).what).toContain('latencies of standard at concurrency 8');
  });

  it('the words of a warning say how to have video decoded, and of outputs that were not examined to report again', () => {
    const reason = { code: 'package_missing', package: 'node-av', needed: 'video' } as const;
    expect(words('not_decoded', { media: 'video', reason })).toMatchObject({
      what: '59 videos of standard were not decoded',
      cause: 'node-av, the package for video, is not installed',
      remedy: expect.stringMatching(/install the current optional dependencies .*only their bytes are compared/),
    });
    expect(words('not_decoded').remedy).toMatch(/^run retake report again;/);
    expect(words('not_decoded', { reason: { code: 'decoder_died' } }).remedy).toMatch(/^free memory, then run retake/);
    expect(words('not_compared').cause).toContain('the process that decodes it ended twice');
  });

  it('the words of a warning compare variants under closed paired load where open load confounds them with drift', () => {
    expect(words('drift_confounded').remedy).toContain('mode: closed with order: paired');
    expect(words('drift_confounded', { mode: 'closed' }).what).toBe(
      'the variants were measured one after the other, so a difference between them may be drift of the service',
    );
  });

  it('the words of a warning say why a run is incomplete: its process was killed, a limit was reached, or variants were abandoned', () => {
    expect(words('incomplete').cause).toContain('killed');
    expect(words('incomplete', { stop: { reason: 'requests', limit: 5 } })).toMatchObject({
      cause: 'the limit of 5 requests was reached',
      remedy: 'raise limits.requests, then resume the run; the numbers cover only what was measured',
    });
    const why = { code: 'rejected', takes: 3, httpStatus: 401, errorCode: 'no_key', message: 'no such key' } as const;
    expect(words('incomplete', { stop: { reason: 'finished' }, abandoned: [{ variant: 'fast', why }] }).cause).toBe(
      'left out fast: its first 3 takes were all rejected (no_key, HTTP 401): no such key',
    );
  });

  it('the words of a warning say which seed range the service keeps, and what to declare', () => {
    expect(words('other_seed_echoed')).toMatchObject({
      cause: expect.stringContaining('uses the seed modulo 2147483648'),
      remedy: expect.stringContaining('set inputs.seed.max: 2147483647'),
    });
  });

  it('the words of a warning say which constants equal variants differ in', () => {
    expect(words('equal_variants').cause).toBe(
      'they differ in sampler ("euler" and "hein"): the target does not send it, or the service ignores the value',
    );
  });

  it('the words of a warning say what a rate limit cost, and why a probe has no finding', () => {
    expect(words('rate_limited').cause).toContain('2.5 s of waiting do not count in latency');
    expect(words('probe_not_testable').cause).toBe('1 of 1 request of the probe failed, most often error (E9)');
  });

  it('the words of a warning say of a blank output that moderation is suspected, and how a target declares it', () => {
    expect(words('blank_outputs').cause).toContain('suspected moderation');
    expect(words('blank_outputs', { media: 'video', outputs: 2 }).what).toBe(
      '2 videos of standard are blank (1 prompt)',
    );
    expect(words('blank_outputs').remedy).toContain('moderated');
  });

  it.each([
    [
      { code: 'late_wake', lateMs: 5.01, statistic: 'p99', n: 250, limitMs: 5 },
      'this machine woke threads late: an idle thread ran up to 5.0 ms late (p99 of 250 wake-ups; the limit is 5 ms)',
    ],
    [
      { code: 'late_wake', lateMs: 8, statistic: 'max', n: 20, limitMs: 5 },
      'this machine woke threads late: an idle thread ran up to 8.0 ms late (maximum of 20 wake-ups; the limit is 5 ms)',
    ],
    [{ code: 'overloaded', loadAverage: 4.2, cores: 4 }, 'this machine was overloaded: load average 4.2 on 4 cores'],
    [
      { code: 'saves_power', by: { code: 'governor', governor: 'powersave' } },
      'this machine saved power: the governor of its processor is powersave',
    ],
    [
      { code: 'saves_power', by: { code: 'energy_preference' } },
      'this machine saved power: its processor prefers saving energy over speed',
    ],
    [
      { code: 'saves_power', by: { code: 'platform_profile', profile: 'quiet' } },
      'this machine saved power: its platform profile is quiet',
    ],
  ] as const)('the words of a warning say why a machine is not fit to measure: %o', (reason, what) => {
    expect(words('unfit_machine', { reason }).what).toBe(`before the run, ${what}`);
  });
});

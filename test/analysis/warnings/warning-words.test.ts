import { describe, expect, it, test } from 'vitest';
import { analysisSchema } from '../../../src/analysis/analysis.ts';
import { WARNING_EXAMPLES, type Warning, warningWords } from '../../../src/analysis/warnings.ts';

/** As `vitest -u` writes it again: how the warnings of a run read. */
test('the words of every warning are those that were reviewed', async () => {
  const said = WARNING_EXAMPLES.map((warning) => {
    const { what, brief, cause, remedy } = warningWords(warning);
    return [warning.code, what, ...(brief === undefined ? [] : [`(${brief})`]), cause, remedy].join('\n  ');
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('../../golden/warnings.txt');
});

test('every code of a warning has an example', () => {
  const shapes = analysisSchema.shape.warnings.element.options;
  const codes = shapes.flatMap((shape) => [...shape.shape.code.values]);
  expect(WARNING_EXAMPLES.map(({ code }) => code).sort()).toEqual(codes.sort());
});

test.each(WARNING_EXAMPLES.map((warning) => [warning.code, warning] as const))(
  'the warning %s has words for what, cause and remedy',
  (_, warning) => {
    const { brief, ...words } = warningWords(warning);
    // Where it stands on one line of a terminal.
    expect((brief ?? words.what).length).toBeLessThanOrEqual(words.what.length);
    const sentence = expect.stringMatching(/^\S.*[^\s.]$/);
    expect(words).toEqual({ what: sentence, cause: sentence, remedy: sentence });
    expect(JSON.stringify(words)).not.toMatch(/undefined|null|NaN|\[object|Infinity/);
    // A remedy is read on a terminal and in a summary too, where nothing stands below it.
    expect(words.remedy).not.toMatch(/\b(?:them|it|see) below\b/);
    // Results and warnings count takes; a reader must not ask what a sample is beside them. The file has its name.
    expect(JSON.stringify(words).replaceAll('samples.csv', '')).not.toMatch(/\bsamples?\b/);
  },
);

type WarningOf<Code extends Warning['code']> = Extract<Warning, { readonly code: Code }>;

/** The example of a code, changed. */
function words<Code extends Warning['code']>(code: Code, change: Partial<WarningOf<Code>> = {}) {
  const example = WARNING_EXAMPLES.find((warning) => warning.code === code);
  if (example === undefined) throw new Error(`no example of ${code}`);
  return warningWords({ ...example, ...change });
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
      'about 20 takes that would have waited are missing, beside the 60 made (coordinated omission)',
    );
    expect(remedy).toContain('load.mode: open');
  });

  it('the words of a warning name the largest start lag where there are too few calls for a p99', () => {
    expect(words('late_starts', { statistic: 'max' }).what).toBe(
      'takes of standard started late: start lag at most 8.00 ms',
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
      'euler and heun differ in sampler ("euler" and "hein"): the target does not send it, or the service ignores the value',
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

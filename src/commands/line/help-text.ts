/*
 * What the help of commands says beside their options.
 */

/** What `run` ends with. */
export const EXIT_CODES = `Exit codes, the first of 5, 2, 3, 1, 4, 0 that applies:
  0  the run is complete; the gate passed, or there is none
  1  a rule of the gate failed
  2  the suite, a target or an argument is wrong; nothing was sent
  3  the run is incomplete, or failures are above limits.failures
  4  the gate is inconclusive
  5  internal error in Retake`;

/** What the table means that `run` ends with. */
export const TABLE = `What the table at the end shows (the report has all numbers):
  p50          median latency of the delivered takes; in open load, from when
               a call was due
  95 % CI      interval of p50; "n < 22": it needs 22 takes; "dependent": takes
               depend on those before them too much
  ratio        latency / that of the baseline variant for the same prompts and
               seeds; below 1 is faster; "(1.02x)": not told apart
  same output  cells (one prompt and seed) whose takes are all equal, of those
               with two takes, and at which level
  errors       failed takes, of those that count
  cost each    dollars per delivered output, where a price is known
  takes        distribution of the latencies, one axis per kind; time-outs are
               not drawn
  knee         of a sweep: the concurrency with the highest throughput /
               median latency (Kleinrock 1979)
All numbers are for these prompts in this run; intervals assume independent
takes.
`;

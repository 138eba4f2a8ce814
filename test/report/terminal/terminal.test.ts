import { describe, expect, it } from 'vitest';
import { renderTerminal } from '../../../src/report/terminal/terminal.ts';
import { textWidth } from '../../../src/text/text-width.ts';
import { reported } from '../../fixtures/report-source.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import { ATTACKED, ORDINARY, scriptedRun, type Telling, unsentRun } from '../../fixtures/scripted-run.ts';

const STEADY: Telling['tell'] = (variant, _, seed, repeat) =>
  variant === 'fast' && seed === 2
    ? { outcome: 'error', totalMs: 9, code: 'http_503', message: 'overloaded', httpStatus: 503 }
    : { outcome: 'ok', totalMs: (variant === 'standard' ? 2000 : 700) + 10 * seed + ((seed + repeat) % 3), output: 0 };
const CALM: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 3), tell: STEADY };

const EVERY = [scriptedRun(ORDINARY), scriptedRun(ATTACKED), unsentRun(ORDINARY)];

describe('the summary on a terminal', () => {
  it('the summary on a terminal says what was measured, in 80 columns', () => {
    const source = reported(scriptedRun(CALM));
    expect(
      renderTerminal(
        { ...source, analysis: { ...source.analysis, warnings: source.analysis.warnings.slice(0, 1) } },
        { colour: false, width: 80 },
      ),
    ).toMatchInlineSnapshot(`
      "image-variants  20261120T154500Z-7f3a
      Complete: all 108 planned takes have a result; 111 requests in 1 min 08 s.

      fast and standard: no comparison: 3 rounds, needs 6.
      fast-lcm and standard: no comparison: 3 rounds, needs 6.

      Text to image
                ok     p50          p95            errors     same output  assets
      standard  36/36  2.02 s       2.03 s         0 %        12/12 bytes  –
                       2.01–2.02    no CI: n < 59  0–9.8      ≤ 11.8 %     slices < 80
      fast      24/36  0.721 s      0.732 s        33.3 %     8/8 bytes    –
                       0.711–0.731  no CI: n < 59  18.5–51.0  ≤ 17.1 %     slices < 80
      fast-lcm  36/36  0.721 s      0.732 s        0 %        12/12 bytes  –
                       0.712–0.722  no CI: n < 59  0–9.8      ≤ 11.8 %     slices < 80

      Below each number: its 95 % interval, or why it has none. Same output: cells
      whose takes are all equal at the named level; below, the share of takes that
      differed; where none did, a bound (≤) on further takes that would differ
      (one-sided 95 %). All numbers are for these prompts in this run; intervals
      assume independent takes.

      Failures
      fast  12 of 36  error  http_503: overloaded

      ! 12 of 36 takes of fast failed (33.3 %)
        cause: most often error (http_503), HTTP 503: 12 times; message: overloaded
        remedy: fix the failures first: failed takes other than time-outs are left out
        of latency

      No gate: the suite declares no rule.
      "
    `);
  });

  it.each([40, 60, 72, 80, 100, 200])('the summary on a terminal never writes beyond %d columns', (width) => {
    for (const record of [...EVERY, openRun(), sweepRun(), lateRun()]) {
      const lines = renderTerminal(reported(record), { colour: false, width }).split('\n');
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
    }
  });

  it('the summary on a terminal lets no control character of others reach the terminal', () => {
    const text = renderTerminal(reported(scriptedRun(ATTACKED)), { colour: false, width: 100 });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  it('the summary on a terminal says in colour exactly what it says without', () => {
    for (const record of [...EVERY, sweepRun(), lateRun()]) {
      const source = reported(record);
      const plain = renderTerminal(source, { colour: false, width: 80 });
      const coloured = renderTerminal(source, { colour: true, width: 80 });
      expect(coloured).toContain('\u001b[');
      const stripped = coloured
        .replace(/\u001b\[\d+m/g, '')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n');
      expect(stripped).toBe(plain);
    }
  });

  it('the summary on a terminal says of a run that sent nothing that it is incomplete, and why', () => {
    const text = renderTerminal(reported(unsentRun(ORDINARY)), { colour: false, width: 80 });
    expect(text).toContain('Incomplete: 216 of 216 planned takes have no result. Why: interrupted');
    expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  it('the summary on a terminal gives a sweep step by step, with the knee, and no latency over all of them', () => {
    const source = reported(sweepRun());
    const text = renderTerminal(
      { ...source, analysis: { ...source.analysis, warnings: [] } },
      { colour: false, width: 80 },
    );
    expect(text.slice(text.indexOf('Text to image'), text.indexOf('\nfast\n'))).toMatchInlineSnapshot(`
      "Text to image
                ok       knee           errors   same output
      standard  474/480  concurrency 2  1.3 %    10/10 bytes
                                        0.4–2.8  ≤ 0.7 %
      fast      480/480  concurrency 2  0 %      10/10 bytes
                                        0–0.8    ≤ 0.7 %

      standard
                     p50          p95             assets        errors
      concurrency 1  0.400 s      0.436 s         2.50/s        0 %
                     0.392–0.406  0.432–0.438     2.47–2.53/s   0–3.1
      concurrency 2  0.394 s      0.437 s         4.85–5.07/s   0 %       < knee
                     0.388–0.407  0.434–0.439     slices < 80   0–3.1
      concurrency 4  0.793 s      0.853 s         4.84–5.36/s   0 %
                     0.782–0.802  0.843–0.878     slices < 160  0–3.1
      concurrency 8  1.56 s       1.63 s          4.70–5.67/s   5.0 %
                     1.19–1.59    no CI: n < 255  slices < 320  1.8–10.6
      "
    `);
    expect(text).toContain('Load: concurrency 1, 2, 4 and 8 in turn.');
  });

  it('the summary on a terminal says why a sweep has no knee', () => {
    const text = renderTerminal(reported(sweepRun([1, 2])), { colour: false, width: 100 });
    expect(text).toContain('no knee: fewer than 3 steps delivered');
    expect(text).not.toContain('< knee');
  });

  it('the summary on a terminal prints latencies of open load from the schedule, and what was dropped', () => {
    const source = reported(openRun());
    const text = renderTerminal(
      { ...source, analysis: { ...source.analysis, warnings: [] } },
      { colour: false, width: 80 },
    );
    expect(text.slice(text.indexOf('Load:'), text.indexOf('Below'))).toMatchInlineSnapshot(`
      "Load: 4 / s for 20 s, then 8 / s for 10 s, at most 12 in flight.

      fast and standard: no comparison: 1 round, needs 6.

      Text to image
                ok          p50          p95             errors  same output  assets
      standard  141/160     1.20 s       2.34 s          0 %     47/47 bytes  4.32/s
                19 dropped  0.437–1.89   no CI: n < 244  0–2.6   ≤ 3.6 %      no CI
      fast      160/160     0.150 s      0.799 s         0 %     50/50 bytes  5.29/s
                            0.146–0.154  0.165–2.14      0–2.3   ≤ 3.0 %      no CI

      "
    `);
    expect(text.replaceAll('\n', ' ')).toContain('count from when a call was due (latency.response)');
  });

  it('the summary on a terminal says that the machine could not keep up before any number', () => {
    const source = reported(lateRun());
    const text = renderTerminal(source, { colour: false, width: 100 });
    expect(text.indexOf('could not keep up')).toBeGreaterThan(0);
    expect(text.indexOf('could not keep up')).toBeLessThan(text.indexOf('p50'));
    expect(text.match(/could not keep up/g)).toHaveLength(1);
    expect(text).toMatch(/standard: 400 ms \[3\d\d – 4\d\d ms\] with, 391 ms \[3\d\d – 4\d\d ms\] without; they agree/);
  });

  it('the summary on a terminal counts the failures it leaves out', () => {
    const record = scriptedRun({
      ...ORDINARY,
      tell: (variant, prompt) => ({
        outcome: 'error',
        totalMs: 5,
        code: `${variant} ${prompt}`,
        message: '',
        httpStatus: null,
      }),
    });
    expect(renderTerminal(reported(record), { colour: false, width: 80 })).toContain('and 16 more groups');
  });

  it('the summary on a terminal keeps the message of a failure whole, since it may name the remedy', () => {
    const message = 'model "latent-consistency" is not known by this service; known are standard, fast, fast-lcm';
    const record = scriptedRun({
      ...ORDINARY,
      tell: () => ({ outcome: 'rejected', totalMs: 5, code: 'invalid_model', message, httpStatus: 400 }),
    });
    for (const width of [40, 80, 120]) {
      const source = reported(record);
      const text = renderTerminal(
        { ...source, analysis: { ...source.analysis, warnings: [] } },
        { colour: false, width },
      );
      expect(text.replace(/\s+/g, ' ')).toContain(`rejected invalid_model (HTTP 400): ${message}`);
      const warned = renderTerminal(
        { ...source, analysis: { ...source.analysis, failures: [] } },
        { colour: false, width },
      );
      expect(warned.replace(/\s+/g, ' ')).toContain(message);
    }
  });
});

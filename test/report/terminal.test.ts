import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/kit/text-width.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import type { GateRule } from '../../src/suite/rule.ts';
import { blanked } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { lateRun, mostlyLateRun, openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ATTACKED, gateRule, ORDINARY, scriptedRun, type Telling, unsentRun } from '../fixtures/scripted-run.ts';

const STEADY: Telling['tell'] = (variant, _, seed, repeat) =>
  variant === 'fast' && seed === 2
    ? { outcome: 'error', totalMs: 9, code: 'http_503', message: 'overloaded', httpStatus: 503 }
    : { outcome: 'ok', totalMs: (variant === 'standard' ? 2000 : 700) + 10 * seed + ((seed + repeat) % 3), output: 0 };
const CALM: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 3), tell: STEADY };

const PLAIN = { colour: false, width: 80, hasPage: true };

const EVERY = [scriptedRun(ORDINARY), scriptedRun(ATTACKED), unsentRun(ORDINARY)];

describe('blocked takes', () => {
  it('blocked takes are as many in the head as in the table: moderated ones and blank ones', () => {
    const moderated: Telling['tell'] = (variant, prompt, seed, repeat) =>
      variant === 'standard' && prompt === 'market' && seed === 1
        ? { outcome: 'moderated', totalMs: 9, code: 'content_policy', message: 'flagged', httpStatus: 422 }
        : STEADY(variant, prompt, seed, repeat);
    const text = renderTerminal(reported(blanked(scriptedRun({ ...CALM, tell: moderated }), 'standard', 'fox')), {
      ...PLAIN,
      width: 120,
    });
    expect(text).toContain('; 12 failed, 12 blocked');
    expect(text).toMatch(/standard .* 12\/36/);
    expect(text).toContain(
      'standard  9 of 36 images (25.0 %)  blank  one_colour, HTTP 200: shows only one colour: suspected moderation',
    );
  });
});

describe('the summary on a terminal', () => {
  it('the summary on a terminal says what was measured, in 80 columns', () => {
    const source = reported(scriptedRun(CALM));
    expect(
      renderTerminal(
        { ...source, analysis: { ...source.analysis, warnings: source.analysis.warnings.slice(0, 1) } },
        PLAIN,
      ),
    ).toMatchInlineSnapshot(`
      "image-variants  111 requests in 1 min 08 s; 12 failed, none blocked

      fast against standard: too few groups of pairs to tell (3 of 7); estimate 2.8x
        as fast; likeness to standard unknown: their media are gone or were not
        compared (8), the variant delivered nothing (4).
      fast-lcm against standard: too few groups of pairs to tell (3 of 7); estimate
        2.8x as fast; likeness to standard unknown: their media are gone or were not
        compared.

                 p50 [95 %]             p95      similar  errors
      Text to image                                               0.710–2.03 s
       standard  2.02 s [2.01–2.02]     2.03 s            0/36                       █
       fast      0.721 s [0.711–0.731]  0.732 s  unknown  12/36   █
       fast-lcm  0.721 s [0.712–0.722]  0.732 s  unknown  0/36    █

      fast  12 of 36 images (33.3 %)  error  http_503: overloaded

      More prompts, seeds or repeats give more groups of pairs.
      Repeats of each variant are byte-identical in 32 of 32 prompts x seeds.

      No gate: the suite declares no rule. Columns: retake run --help
      "
    `);
  });

  it.each([40, 60, 72, 80, 100, 200])('the summary on a terminal never writes beyond %d columns', (width) => {
    for (const record of [...EVERY, openRun(), sweepRun(), lateRun()]) {
      const lines = renderTerminal(reported(record), { ...PLAIN, width }).split('\n');
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
    }
  });

  it('the summary on a terminal names label and vantage behind the suite', () => {
    const record = scriptedRun(CALM);
    const firstLine = (own: object) =>
      renderTerminal(reported({ ...record, run: { ...record.run, ...own } }), PLAIN).split('\n')[0];
    expect(firstLine({ vantage: 'eu' })).toMatch(/^image-variants \(sent from eu\)/);
    expect(firstLine({ label: 'build 7', vantage: 'eu' })).toMatch(/^image-variants \(build 7, sent from eu\)/);
    expect(firstLine({ label: 'build 7' })).toMatch(/^image-variants \(build 7\)/);
  });

  it('the summary on a terminal takes few lines for every kind of run, however many variants it has', () => {
    const [first] = ORDINARY.variants;
    if (first === undefined) throw new Error('there is one');
    const gate = [
      gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
      gateRule('error_rate', { is: 'max', value: 0.01 }),
      gateRule('determinism.byte', { is: 'none', event: 'departure' }),
    ];
    const gated = (record: ReturnType<typeof scriptedRun>) => ({ ...record, run: { ...record.run, gate } });
    const forty = Array.from({ length: 40 }, (_, at) => ({ ...first, name: `variant-${at}`, baseline: at === 0 }));
    const runs = [
      scriptedRun({ ...ORDINARY, concurrency: 1 }),
      scriptedRun({ ...CALM, variants: CALM.variants.slice(0, 1) }),
      blanked(scriptedRun(CALM), 'standard', 'fox'),
      scriptedRun({ ...CALM, variants: forty }),
      unsentRun(ORDINARY),
      openRun(),
      sweepRun(),
      lateRun(),
    ];
    for (const record of runs) {
      const lines = renderTerminal(reported(gated(record)), PLAIN).split('\n');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80);
    }
  });

  it('the summary on a terminal lets no control character of others reach the terminal', () => {
    const text = renderTerminal(reported(scriptedRun(ATTACKED)), { ...PLAIN, width: 100 });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  it('the summary on a terminal says in colour exactly what it says without', () => {
    for (const record of [...EVERY, sweepRun(), lateRun()]) {
      const source = reported(record);
      const plain = renderTerminal(source, PLAIN);
      const coloured = renderTerminal(source, { ...PLAIN, colour: true });
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
    const text = renderTerminal(reported(unsentRun(ORDINARY)), PLAIN);
    expect(text).toContain(
      'image-variants  INCOMPLETE  nothing was sent\n216 of 216 planned takes have no result. Why: interrupted',
    );
    expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  it('the summary on a terminal gives a sweep step by step, with the knee, and no latency over all of them', () => {
    const source = reported(sweepRun());
    const text = renderTerminal({ ...source, analysis: { ...source.analysis, warnings: [] } }, PLAIN);
    expect(text.slice(text.indexOf(' standard'), text.indexOf('\n fast'))).toMatchInlineSnapshot(`
      " standard at concurrency 1 to 8; likeness to
        standard unknown: their media are gone or were not compared.

                 p50      speed [95 %]        throughput            errors
      Text to image
       standard  knee at concurrency 2
        at 1     0.400 s  baseline            2.50 / s [2.47–2.53]  0/120
        at 2     0.394 s  baseline            4.97 / s [4.87–5.07]  0/120
        at 4     0.793 s  baseline            –                     0/120
        at 8     1.56 s   baseline            –                     6/120"
    `);
    expect(text).toContain('Load: concurrency 1, 2, 4 and 8 in turn.');
  });

  it('the summary on a terminal says why a sweep has no knee', () => {
    const text = renderTerminal(reported(sweepRun([1, 2])), { ...PLAIN, width: 100 });
    expect(text).toContain('no knee: needs 3 steps that deliver');
    expect(text).not.toContain('< knee');
  });

  it('the summary on a terminal prints latencies of open load from the schedule, and what was dropped', () => {
    const source = reported(openRun());
    const text = renderTerminal({ ...source, analysis: { ...source.analysis, warnings: [] } }, PLAIN);
    expect(text.slice(text.indexOf('Load:'), text.indexOf('No gate'))).toMatchInlineSnapshot(`
      "Load: 4 / s for 20 s, then 8 / s for 10 s, at most 12 in flight; p50 counts from
      the planned send time.

      fast: likeness to standard unknown: their media are gone or were not compared
        (57), the baseline variant delivered nothing (3).

                 p50 [95 %]             p95      similar  errors  dropped
      Text to image                                                       0.136–2.40 s
       standard  1.20 s [0.425–2.04]    2.34 s            0/141   19/160    █▂▁▂▂▂▁▁▂▆
       fast      0.150 s [0.142–0.157]  0.799 s  unknown  0/160   0/160    █▁▁▁▁▁▁▁▁▁

      Open load measures one variant after the other: to compare latencies, use closed
      load in paired order.
      Repeats of each variant are byte-identical in 97 of 97 prompts x seeds.

      "
    `);
  });

  it('the summary on a terminal says before any number that latencies of a machine that could not keep up are not to be used', () => {
    const text = renderTerminal(reported(mostlyLateRun()), { ...PLAIN, width: 100 });
    expect(text.indexOf('could not keep up')).toBeGreaterThan(0);
    expect(text.indexOf('could not keep up')).toBeLessThan(text.indexOf('p50'));
    expect(text.match(/: do not use these latencies/g)).toHaveLength(1);
    const whole = renderTerminal(reported(mostlyLateRun()), { ...PLAIN, width: 100, hasPage: false });
    expect(whole).toContain('remedy: run nothing else on this machine');
    const agreeing = renderTerminal(reported(lateRun()), { ...PLAIN, width: 100 });
    expect(agreeing.indexOf('do not rely on p95 and small differences')).toBeGreaterThan(agreeing.indexOf('p50'));
    expect(agreeing).not.toContain('do not use');
  });

  it('the summary on a terminal warns of a gate on latencies that are not to be used', () => {
    const record = mostlyLateRun();
    const saidUnder = (gate: GateRule) =>
      renderTerminal(reported({ ...record, run: { ...record.run, gate: [gate] } }), PLAIN).replaceAll('\n', ' ');
    const warned = /s; this +machine +could +not +keep +up/;
    const slower = gateRule('latency.total', { is: 'max', value: 5000 }, { statistic: 'p50' });
    expect(saidUnder(slower)).toMatch(/GATE PASSED, LATENCIES UNFIT.*PASS\? {2}latency\.total p50/);
    expect(saidUnder(slower)).toMatch(warned);
    expect(saidUnder({ ...slower, bound: { is: 'max', value: 5 } })).toMatch(warned);
    expect(saidUnder(gateRule('error_rate', { is: 'max', value: 0.5 }))).toMatch(/GATE PASSED {2}.*PASS {2}error_rate/);
  });

  it('the summary on a terminal names the variants that no rule covers, but not one that others are compared with', () => {
    const saidUnder = (...gate: readonly GateRule[]) => {
      const record = scriptedRun(CALM);
      return renderTerminal(reported({ ...record, run: { ...record.run, gate } }), PLAIN);
    };
    const errors = gateRule('error_rate', { is: 'max', value: 0.5 }, { variants: ['fast'] });
    expect(saidUnder(errors)).toMatch(/^image-variants {2}GATE PASSED {2}111 requests/m);
    expect(saidUnder(errors)).toMatch(/^Without a rule: standard and fast-lcm\. Columns: /m);
    const slower = gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { variants: ['fast'] });
    expect(saidUnder(slower)).toMatch(/^Without a rule: fast-lcm\. Columns: /m);
    expect(saidUnder(gateRule('error_rate', { is: 'max', value: 0.5 }))).not.toContain('Without a rule');
    expect(saidUnder()).not.toContain('Without a rule');
    const both = saidUnder(
      gateRule('error_rate', { is: 'max', value: 0.5 }),
      errors,
      gateRule('block_rate', { is: 'max', value: 0.9 }, { variants: ['fast'] }),
    );
    expect(both).toMatch(/^No rule for block_rate of standard and fast-lcm\. Columns: /m);
  });

  it('the summary on a terminal tells a cause of failures once, however many variants it hit', () => {
    const record = scriptedRun({
      ...CALM,
      tell: () => ({ outcome: 'error', totalMs: 9, code: 'busy', message: 'try again later', httpStatus: 503 }),
    });
    const text = renderTerminal(reported(record), PLAIN);
    expect(text).toContain(
      'standard, fast and fast-lcm  108 of 108 images (100 %)  error\n    busy, HTTP 503: try again later',
    );
    expect(text.match(/try again later/g)).toHaveLength(1);
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
    expect(renderTerminal(reported(record), PLAIN)).toContain('and 19 more causes in the report');
  });

  it('the summary on a terminal keeps the message of a failure whole, since it may name the remedy', () => {
    const message = 'model "latent-consistency" is not known by this service; known are standard, fast, fast-lcm';
    const record = scriptedRun({
      ...ORDINARY,
      tell: () => ({ outcome: 'rejected', totalMs: 5, code: 'invalid_model', message, httpStatus: 400 }),
    });
    for (const width of [40, 80, 120]) {
      const source = reported(record);
      const text = renderTerminal({ ...source, analysis: { ...source.analysis, warnings: [] } }, { ...PLAIN, width });
      expect(text.replace(/\s+/g, ' ')).toContain(`rejected invalid_model, HTTP 400: ${message}`);
      const warned = renderTerminal(
        { ...source, analysis: { ...source.analysis, failures: [] } },
        { ...PLAIN, width, hasPage: false },
      );
      expect(warned.replace(/\s+/g, ' ')).toContain(message);
    }
  });

  it('the summary on a terminal of 40 variants ranks them, folds most and says how many', () => {
    const [first] = ORDINARY.variants;
    if (first === undefined) throw new Error('there is one');
    const latencyOf = (name: string) => 500 + 10 * Number(name.slice(1));
    const many = scriptedRun({
      ...ORDINARY,
      concurrency: 1,
      variants: Array.from({ length: 40 }, (_, at) => ({ ...first, name: `v${39 - at}`, baseline: at === 0 })),
      tell: (name, _, seed, repeat) => ({ outcome: 'ok', totalMs: latencyOf(name) + seed + repeat, output: 0 }),
    });
    const lines = renderTerminal(reported(many), PLAIN).split('\n');
    expect(lines.length).toBeLessThan(31);
    const rows = lines.flatMap((line) => /^ (v\d+) /.exec(line)?.[1] ?? []);
    expect(rows).toHaveLength(16);
    expect(rows.slice(0, 3)).toEqual(['v0', 'v1', 'v2']);
    expect(rows.at(-1)).toBe('v39'); // the baseline variant is never folded
    expect(lines).toContain('  24 more in the report; shown: the baseline variant and the lowest p50');
  });

  /** Every cell of a variant lasts its own time, give or take a little; one call at a time. */
  const pairedRun = (ms: Readonly<Record<string, number>>) =>
    renderTerminal(
      reported(
        scriptedRun({
          ...CALM,
          concurrency: 1,
          variants: CALM.variants.map((variant) => ({ ...variant, name: `image-${variant.name}` })),
          tell: (name, _, seed, repeat) => ({
            outcome: 'ok',
            totalMs: (ms[name] ?? 0) + 10 * seed + repeat,
            output: 0,
          }),
        }),
      ),
      PLAIN,
    );
  const cellsOf = (text: string, name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(` ${name} `))
      ?.trim()
      .split(/ {2,}/) ?? [];

  it('the summary on a terminal says speeds in its table with their intervals, and in a sentence where few variants were measured', () => {
    const text = pairedRun({ 'image-standard': 2000, 'image-fast': 1000, 'image-fast-lcm': 500 });
    expect(text).toMatch(/^image-fast is 2\.0x as fast as image-standard; likeness to image-standard\n {2}unknown: /m);
    expect(text).toMatch(/^ +p50 +speed \[95 %\] +similar +errors/m);
    expect(cellsOf(text, 'image-standard')[2]).toBe('baseline');
    expect(cellsOf(text, 'image-fast')[2]).toMatch(/^1\.98x \[1\.9\d, 1\.9\d\]$/);
  });

  it('the summary on a terminal says which speeds are slower, and gives no number where no difference was found', () => {
    const both = pairedRun({ 'image-standard': 1000, 'image-fast': 500, 'image-fast-lcm': 2000 });
    expect(both).toMatch(/^image-fast-lcm takes 2\.0x as long as image-standard; /m);
    expect(cellsOf(both, 'image-fast')[2]).toMatch(/^1\.96x \[/);
    expect(cellsOf(both, 'image-fast-lcm')[2]).toMatch(/^1\.98x as long \[/);
    const alike = pairedRun({ 'image-standard': 1000, 'image-fast': 1000, 'image-fast-lcm': 1000 });
    expect(alike).toContain(': no difference found in speed');
    expect(cellsOf(alike, 'image-fast')[2]).toBe('– [1.00, 1.00]');
  });

  it('the summary on a terminal of too few pairs says an estimate without a verb, and no speed', () => {
    const few = reported(scriptedRun({ ...CALM, seeds: [2], repeats: 1, concurrency: 1, tell: ORDINARY.tell }));
    const text = renderTerminal(few, PLAIN);
    expect(text).toMatch(/^fast against standard: too few pairs of takes to tell \(4 of 7\); estimate 2\.\dx/m);
    expect(text).not.toContain('speed [95 %]');
    expect(text).toContain('More prompts, seeds or repeats give more pairs of takes.');
  });

  it('the summary on a terminal puts a long name above its numbers, so that there is room for the strips', () => {
    const [standard, fast, lcm] = CALM.variants;
    if (standard === undefined || fast === undefined || lcm === undefined) throw new Error('three variants');
    const named = [standard, { ...fast, name: 'fast-with-a-rather-long-name' }, lcm];
    const ms = (name: string) => (name === 'standard' ? 1000 : name === 'fast-lcm' ? 2000 : 500);
    const record = scriptedRun({
      ...CALM,
      concurrency: 1,
      variants: named,
      tell: (name, _, seed, repeat) => ({ outcome: 'ok', totalMs: ms(name) + 10 * seed + repeat, output: 0 }),
    });
    const lines = renderTerminal(reported(record), PLAIN).split('\n');
    const at = lines.indexOf(' fast-with-a-rather-long-name');
    expect(at).toBeGreaterThan(0);
    expect(lines[at + 1]).toMatch(/^ +0\.\d+ s .* 0\/36 +[▁-█]/);
    expect(lines.find((line) => line.startsWith(' fast-lcm '))).toMatch(/ 0\/36 +[▁-█]/);
  });

  it('the summary on a terminal draws the takes of a kind on one axis', () => {
    const lines = renderTerminal(reported(scriptedRun(CALM)), PLAIN).split('\n');
    const strips = lines.flatMap((line) => /^ (?:standard|fast|fast-lcm) .*\d\/36( +[▁-█ ]+)$/.exec(line)?.[1] ?? []);
    const [slow = '', quick = ''] = strips;
    expect(strips).toHaveLength(3);
    expect(slow.search(/[▁-█]/)).toBeGreaterThan(quick.search(/[▁-█]/) + 10);
    expect(lines.find((line) => line.startsWith('Text to image'))).toMatch(/ 0\.710–2\.03 s$/);
  });

  it('the summary on a terminal that shows ASCII only has no other character, in as many columns', () => {
    for (const record of [scriptedRun(CALM), openRun(), sweepRun(), lateRun()]) {
      const source = reported(record);
      const ascii = renderTerminal(source, { ...PLAIN, ascii: true }).split('\n');
      const unicode = renderTerminal(source, PLAIN).split('\n');
      expect(ascii.join('')).toMatch(/^[ -~]*$/);
      expect(ascii.map(textWidth)).toEqual(unicode.map(textWidth));
    }
  });

  it('the summary on a terminal gives each warning one line where a page explains it, else its cause and remedy', () => {
    const source = reported(scriptedRun(CALM));
    const short = renderTerminal(source, PLAIN);
    expect(short).not.toContain('remedy:');
    const whole = renderTerminal(source, { ...PLAIN, hasPage: false });
    expect(whole.match(/ {2}remedy: /g)).toHaveLength(Math.min(2, source.analysis.warnings.length));
  });
});

import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/kit/text-width.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { blanked } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { lateRun, openRun, sweepOfFour, sweepRun } from '../fixtures/scripted-load.ts';
import {
  ATTACKED,
  failed,
  gated,
  gateRule,
  named,
  ORDINARY,
  ok,
  scriptedRun,
  type Telling,
  unsentRun,
} from '../fixtures/scripted-run.ts';

const STEADY: Telling['tell'] = (variant, _, seed) =>
  variant === 'fast' && seed === 2 ? failed() : ok((variant === 'standard' ? 2000 : 700) + 10 * seed);
const CALM: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 3), tell: STEADY };

const PLAIN = { colour: false, width: 80, hasPage: true };

const EVERY = [scriptedRun(ORDINARY), scriptedRun(ATTACKED), unsentRun(ORDINARY)];

describe('the summary on a terminal', () => {
  it.each([40, 60, 72, 80, 100, 200])('the summary on a terminal never writes beyond %d columns', (width) => {
    for (const record of [...EVERY, openRun(), sweepRun(), lateRun()]) {
      const lines = renderTerminal(reported(record), { ...PLAIN, width }).split('\n');
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
    }
  });

  it('the summary of a sweep on a terminal counts outputs where replies bring several, else takes', () => {
    const tableOf = (record: StoredRun) => renderTerminal(reported(record), { ...PLAIN, width: 120 });
    expect(tableOf(sweepRun())).toMatch(/ errors +throughput\n(?:.*\n)*?.*2\.50 \/ s/);
    expect(tableOf(sweepOfFour())).toMatch(/ errors +outputs\n(?:.*\n)*?.*10\.0 \/ s/);
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
    const gate = [
      gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
      gateRule('error_rate', { is: 'max', value: 0.01 }),
      gateRule('determinism.byte', { is: 'none', event: 'departure' }),
    ];
    const forty = named(...Array.from({ length: 40 }, (_, at) => `variant-${at}`));
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
      const lines = renderTerminal(reported(gated(record, gate)), PLAIN).split('\n');
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

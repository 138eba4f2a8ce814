import { describe, expect, it } from 'vitest';
import { GATE_VERDICTS } from '../../src/record/codes.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { verdictsSentence } from '../../src/report/trend-statement.ts';
import { listPage } from '../../src/view/pages/list-page.ts';
import { rendered } from '../contracts/reporter.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { chance, gated, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const PASSES = gateRule('latency.total', { is: 'max', value: 60_000 }, { statistic: 'p50' });

const MACHINES = ['fit', 'unfit'] as const;
const UNITS = ['enough', 'too few'] as const;
const FLAGGED = ['none', 'of no consequence', 'that change the conclusion'] as const;

interface Combination {
  readonly machine: (typeof MACHINES)[number];
  readonly units: (typeof UNITS)[number];
  readonly flagged: (typeof FLAGGED)[number];
}

const TWO: Telling = { ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, 2) };

/** `fast` takes half as long; or as long as `standard`, but for its flagged takes. */
function measured({ machine, units, flagged }: Combination): StoredRun {
  const size = units === 'enough' ? { repeats: 2 } : { repeats: 5, prompts: ORDINARY.prompts.slice(0, 1), seeds: [1] };
  const isFlagged = (place: readonly (string | number)[]) => flagged !== 'none' && Number(place.at(-1)) % 2 === 0;
  const tell: Telling['tell'] = (variant, ...place) => {
    const isFast = flagged === 'that change the conclusion' ? isFlagged(place) : true;
    return ok((variant === 'fast' && isFast ? 700 : 1400) * (1 + 0.1 * chance(variant, ...place)));
  };
  const record = scriptedRun({ ...TWO, ...size, tell });
  return {
    ...record,
    samples: record.samples.map((sample) => {
      const { phase, variant, prompt, seed, repeat } = sample.trial;
      if (phase !== 'trial' || sample.outcome !== 'ok') return sample;
      const late = machine === 'unfit' ? ['harness_lag' as const] : [];
      const orphans = variant === 'fast' && isFlagged([prompt, seed ?? 0, repeat]) ? ['orphans' as const] : [];
      return { ...sample, flags: [...late, ...orphans] };
    }),
  };
}

const COMBINATIONS = MACHINES.flatMap((machine) =>
  UNITS.flatMap((units) => FLAGGED.map((flagged): Combination => ({ machine, units, flagged }))),
);

const OPTIONS = { colour: false, width: 300, hasPage: true };
const DOUBT = 'do not rely on it';

async function saidOf(source: ReportSource) {
  return {
    page: await pageOf(source),
    terminal: renderTerminal(source, OPTIONS),
    summary: ((await rendered(markdown, source)).get('summary.md') ?? '').replaceAll('\\', ''),
  };
}

describe('what a report says first', () => {
  it.each(COMBINATIONS)('verdict, headline, Sure? and box never contradict each other: %o', async (combination) => {
    const { machine, units, flagged } = combination;
    const source = reported(gated(measured(combination), [PASSES]));
    const isChanged = flagged === 'that change the conclusion' && units === 'enough';
    const isDoubted = machine === 'unfit' || isChanged;
    // Takes of `fast` then depend on those before them: too few for a bound.
    expect(source.verdict.verdict).toBe(isChanged ? 'inconclusive' : machine === 'unfit' ? 'pass_unfit' : 'pass');
    const { page, terminal, summary } = await saidOf(source);
    expect(page.document.querySelector('.warnings.unfit') !== null).toBe(machine === 'unfit');
    expect(summary.includes('> __Warning:__ this machine could not keep up')).toBe(machine === 'unfit');
    // A rule that passes on unfit latencies is a PASS in the terminal.
    expect(page.text('.run-head')).not.toContain('of 1 rule');
    const headline = page.text('#outcome .headlines');
    for (const text of [headline, terminal, summary]) expect(text.includes(DOUBT), text).toBe(isDoubted);
    const [sure = ''] = page.words('#outcome .short dd');
    expect(sure).toMatch(isDoubted ? /^No\b/ : units === 'enough' ? /^Yes: / : /^Not yet: /);
    if (isChanged && machine === 'fit') expect(headline).toContain(`${DOUBT}: ${sure.slice('No: '.length)}`);
    if (units !== 'enough') expect(headline).toContain(sure.replace(/^.*: /, ''));
    // Of a machine that could not keep up the box says why, and nothing else at sight.
    const seen = page.text('#outcome');
    expect(seen.split('could not keep up').length - 1, seen).toBe(machine === 'unfit' ? 1 : 0);
  });

  it('no interval is called sure beside a box that says not to use the latencies of a sweep', async () => {
    const record = sweepRun();
    const samples = record.samples.map((sample) =>
      sample.trial.phase === 'step' ? { ...sample, flags: ['harness_lag' as const] } : sample,
    );
    const { page, summary } = await saidOf(reported({ ...record, samples }));
    expect(page.document.querySelector('.warnings.unfit')).not.toBeNull();
    expect(page.words('#outcome .short dd')[0]).toBe('No');
    expect(page.text('#outcome .headlines')).toContain(DOUBT);
    expect(summary).toContain(DOUBT);
  });

  it('a list and a history of runs say of a pass on unfit latencies what its badge says', () => {
    const of = { suite: 's', startedAt: '', label: null, isBaseline: false, live: null, why: null, shown: null };
    const listed = GATE_VERDICTS.map((verdict) => {
      return { ...of, run: verdict, line: { startedAt: '', complete: true, verdict, medians: [] } };
    });
    const { text } = listPage({ folder: 'results', isThere: true, runs: listed, nowMs: 0 });
    expect(text).toContain('>Gate passed</span>');
    expect(text).toContain('>Gate passed, latencies unfit</span>');
    const runs = GATE_VERDICTS.map((verdict) => ({ run: verdict, startedAt: '', complete: true, verdict }));
    expect(verdictsSentence({ runs })).toBe(
      'gate: 1 passed, 1 passed on unfit latencies, 1 failed (fail), 1 not decided',
    );
  });
});

it('what makes the comparison void is told before anything else, on each surface', async () => {
  const code = 'equal_variants';
  const source = reported(scriptedRun(ORDINARY));
  const because = `a reason of ${code}`;
  const unfit = buildWarning(code, { variants: ['standard'], unfit: ['comparison', because] });
  const warnings = [...source.analysis.warnings, unfit, unfit];
  const { page, terminal, summary } = await saidOf({ ...source, analysis: { ...source.analysis, warnings } });
  const { what: words } = unfit;
  const [, , third = ''] = terminal.split('\n').filter((line) => line !== '');
  const quoted = summary.split('\n').find((line) => line.startsWith('>')) ?? '';
  for (const line of [third, quoted]) expect(line.toLowerCase()).toContain(words.toLowerCase());
  expect(page.text('.short')).toContain('What went wrong? 3 requests failed');
  expect(page.text('.unfit').toLowerCase()).toContain(`${words.toLowerCase()} (1 more like it)`);
});

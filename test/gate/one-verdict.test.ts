import { describe, expect, it } from 'vitest';
import type { RuleResult, Verdict } from '../../src/gate/verdict.ts';
import { gateState } from '../../src/markup/document.ts';
import { textOf } from '../../src/markup/markup.ts';
import { GATE_VERDICTS } from '../../src/record/codes.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { junit } from '../../src/report/reporters/junit.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { alarmsIn } from '../../src/report/story.ts';
import { renderTerminal, renderVerdict } from '../../src/report/terminal.ts';
import { verdictsSentence } from '../../src/report/trend-statement.ts';
import type { GateRule } from '../../src/suite/rule.ts';
import { compareForm } from '../../src/view/pages/parts/compare-form.ts';
import { rendered } from '../contracts/reporter.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { onceFor } from '../fixtures/once-for.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { chance, gated, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const RULES: Readonly<Record<string, GateRule | null>> = {
  'no rule': null,
  'a latency that passes': gateRule('latency.total', { is: 'max', value: 60_000 }, { statistic: 'p50' }),
  'a latency that fails': gateRule('latency.total', { is: 'max', value: 1 }, { statistic: 'p50' }),
  'an undecided latency': gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { against: 'history' }),
  'an event that passes': gateRule('error_rate', { is: 'none', event: 'error' }),
  'a rate that fails': gateRule('error_rate', { is: 'min', value: 0.6 }),
  'an undecided rate': gateRule('error_rate', { is: 'max', value: 0.0001 }),
};

const MACHINES = ['fit', 'unfit'] as const;
const UNITS = ['enough', 'too few'] as const;
const FLAGGED = ['none', 'of no consequence', 'that change the conclusion'] as const;

interface Combination {
  readonly machine: (typeof MACHINES)[number];
  readonly units: (typeof UNITS)[number];
  readonly flagged: (typeof FLAGGED)[number];
}

const TWO: Telling = { ...ORDINARY, concurrency: 1, variants: ORDINARY.variants.slice(0, 2) };

const measuredOnce = onceFor(measured);

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

/** All where doubt changes what is said of the gate; of each other rule some. */
function combinationsOf(rule: string): readonly Combination[] {
  const at = Object.keys(RULES).indexOf(rule);
  return rule === 'a latency that passes' ? COMBINATIONS : COMBINATIONS.filter((_, index) => index % 5 === at % 5);
}

function underRule(record: StoredRun, rule: GateRule | null): ReportSource {
  return reported(gated(record, rule === null ? [] : [rule]));
}

const OPTIONS = { colour: false, width: 300, hasPage: true };
const DOUBT = 'do not rely on it: ';

interface Said {
  readonly page: Awaited<ReturnType<typeof pageOf>>;
  readonly terminal: string;
  readonly summary: string;
  readonly gate: string;
  readonly cases: string;
}

async function saidOf(source: ReportSource): Promise<Said> {
  const file = async (reporter: typeof markdown | typeof junit, name: string) =>
    (await rendered(reporter, source)).get(name) ?? '';
  return {
    page: await pageOf(source),
    terminal: renderTerminal(source, OPTIONS),
    summary: (await file(markdown, 'summary.md')).replaceAll('\\', ''),
    gate: renderVerdict(source.verdict, source.analysis, OPTIONS),
    cases: await file(junit, 'junit.xml'),
  };
}

const BADGES: Readonly<Record<Verdict['verdict'], readonly [words: string, tone: string, exitCode: number]>> = {
  pass: ['Gate passed', 'good', 0],
  pass_unfit: ['Gate passed, latencies unfit', 'warn', 0],
  fail: ['Gate failed', 'bad', 1],
  inconclusive: ['Gate inconclusive', 'warn', 4],
  none: ['No gate', '', 0],
};

/** By what was measured alone, not by what the sources of the reports say of it. */
function expectedOf(rule: string, { machine, units, flagged }: Combination, rules: readonly RuleResult[]) {
  const verdicts = rules.map(({ verdict }) => verdict);
  const isUnfit = machine === 'unfit' && rule === 'a latency that passes';
  const passed = verdicts.length === 0 ? 'none' : isUnfit ? 'pass_unfit' : 'pass';
  const verdict: Verdict['verdict'] = verdicts.includes('fail')
    ? 'fail'
    : verdicts.includes('inconclusive')
      ? 'inconclusive'
      : passed;
  const isChanged = units === 'enough' && flagged === 'that change the conclusion';
  return { verdict, isDoubted: machine === 'unfit' || isChanged };
}

describe('what a report says first', () => {
  const reached = new Set<string>();

  it.each(Object.keys(RULES))(
    'headline, Sure?, box, badge and exit code never contradict each other: %s',
    async (rule) => {
      for (const combination of combinationsOf(rule)) {
        const source = underRule(measuredOnce(combination), RULES[rule] ?? null);
        const { verdict } = source;
        const expected = expectedOf(rule, combination, verdict.rules);
        const said = await saidOf(source);
        const where = JSON.stringify({ rule, ...combination });
        reached.add(`${rule}: ${verdict.verdict}`);

        const [words, tone, exitCode] = BADGES[expected.verdict];
        expect(verdict, where).toMatchObject({ verdict: expected.verdict, exitCode });
        const badge = said.page.document.querySelector('.run-head .chip, .run-head .muted');
        expect([badge?.textContent, badge?.className.replace(/^chip ?|muted/, '')], where).toEqual([words, tone]);
        const first = said.terminal.split('\n')[0];
        if (verdict.verdict === 'none') expect(first, where).not.toContain('GATE');
        else expect(first, where).toContain(`${words.toUpperCase()}  `);
        expect(said.summary, where).toMatch(new RegExp(`^__${words}: `, 'm'));
        expect(said.gate, where).toMatch(new RegExp(`^${words}: `));

        const isBoxed = said.page.document.querySelector('.warnings.unfit') !== null;
        expect(isBoxed, where).toBe(combination.machine === 'unfit');
        expect(said.summary.includes('> __Warning:__ this machine could not keep up'), where).toBe(isBoxed);
        const headline = said.page.text('#outcome .headlines');
        const [sure = ''] = said.page.words('#outcome .short dd');
        for (const text of [headline, said.terminal, said.summary])
          expect(text.includes(DOUBT), `${where} ${text}`).toBe(expected.isDoubted);
        if (expected.isDoubted) expect(sure, where).toMatch(/^No: /);
        else expect(sure, where).toMatch(combination.units === 'enough' ? /^Yes: / : /^Not yet: /);
        const [doubt = '', few = ''] = sure.split('; ');
        if (expected.isDoubted) expect(headline, where).toContain(`${DOUBT}${doubt.slice('No: '.length)}`);
        if (combination.units !== 'enough') expect(sure, where).toContain('too few pairs of takes to tell (');
        expect(headline, where).toContain(few);

        const passes = [said.terminal, said.gate].join('\n').match(/^PASS\??/gm) ?? [];
        expect(new Set(passes).size, where).toBeLessThan(2);
        if (expected.verdict === 'pass_unfit') {
          expect(passes[0], where).toBe('PASS?');
          expect(said.page.words('#looks .passed .state.warn'), where).toEqual(['PASS?']);
          expect(said.cases, where).toMatch(/<skipped message="[^"]*this machine could not keep up/);
        }
        if (expected.verdict === 'pass') expect(said.cases, where).not.toContain('<skipped');
      }
    },
  );

  it('the combinations reach every verdict, with rules of latencies and with others', () => {
    expect([...reached].sort()).toEqual([
      'a latency that fails: fail',
      'a latency that passes: inconclusive',
      'a latency that passes: pass',
      'a latency that passes: pass_unfit',
      'a rate that fails: fail',
      'an event that passes: pass',
      'an undecided latency: inconclusive',
      'an undecided rate: inconclusive',
      'no rule: none',
    ]);
  });

  it('no interval is called sure beside a box that says not to use the latencies of a sweep', async () => {
    const record = sweepRun();
    const samples = record.samples.map((sample) =>
      sample.trial.phase === 'step' ? { ...sample, flags: ['harness_lag' as const] } : sample,
    );
    const { page, summary } = await saidOf(reported({ ...record, samples }));
    expect(page.document.querySelector('.warnings.unfit')).not.toBeNull();
    expect(page.words('#outcome .short dd')[0]).toBe('No: this machine could not keep up');
    expect(page.text('#outcome .headlines')).toContain(DOUBT);
    expect(summary).toContain(DOUBT);
  });

  it('lists, history and choices of runs say of a pass on unfit latencies what its badge says', () => {
    expect(textOf(gateState('pass_unfit'))).toBe('<span class="state warn">passed, latencies unfit</span>');
    const choices = GATE_VERDICTS.map((verdict) => {
      return { suite: 's', run: verdict, line: { verdict, label: 'build 7' }, isBaseline: false };
    });
    const form = textOf(compareForm(choices, { a: 's/pass', b: 's/fail' }));
    for (const [verdict, [words]] of Object.entries(BADGES)) {
      const gate = verdict === 'none' ? '' : `, ${words.toLowerCase()}`;
      expect(form).toContain(`>build 7, ${verdict}${gate}</option>`);
    }
    const runs = GATE_VERDICTS.map((verdict) => ({ run: verdict, startedAt: '', complete: true, verdict }));
    expect(verdictsSentence({ runs })).toBe(
      'gate: 1 passed, 1 passed on unfit latencies, 1 failed (fail), 1 inconclusive',
    );
  });
});

it.each(['equal_variants', 'seed_ignored', 'same_for_all_seeds'] as const)(
  'what makes the comparison void is told before anything else, on each surface: %s',
  async (code) => {
    const source = reported(scriptedRun(ORDINARY));
    const because = `a reason of ${code}`;
    const unfit = buildWarning(code, { variants: ['standard'], unfit: ['comparison', because] });
    const warnings = [...source.analysis.warnings, unfit, unfit];
    const { page, terminal, summary } = await saidOf({ ...source, analysis: { ...source.analysis, warnings } });
    const { what: words } = unfit;
    const [, second = ''] = terminal.split('\n').filter((line) => line !== '');
    const quoted = summary.split('\n').find((line) => line.startsWith('>')) ?? '';
    for (const line of [second, quoted]) expect(line.toLowerCase()).toContain(words.toLowerCase());
    const { bad, warn } = alarmsIn(JSON.stringify({ ...source.verdict, warnings: [unfit] }));
    expect(bad[0]).toBe(`do not rely on the numbers: ${because}`);
    expect(warn).toBe(`1 warning: ${words}`);
    expect(page.text('.short')).toContain(`What went wrong? ${bad[0]}; 3 requests failed`);
    expect(page.text('.unfit').toLowerCase()).toContain(`${words.toLowerCase()} (+1 like it)`);
  },
);

import type { RuleResult } from '../../gate/verdict.ts';
import { limitWords, ruleFinding, ruleSubject } from '../../gate/verdict-statement.ts';
import { visible, visibleLine } from '../../kit/visible.ts';
import type { Kind } from '../../suite/kind.ts';
import type { Reporter, ReportSource } from '../reporter.ts';
import { completeness } from '../run-statement.ts';
import { byKind } from '../statement.ts';

/** Rules as test cases, so that a CI system lists what failed; the first case is whether the run is complete. */
export const junit: Reporter<'junit'> = {
  format: 'junit',
  description: 'the gate as test cases for CI',
  render: (source) => [{ name: 'junit.xml', content: [documentOf(source)] }],
};

interface CaseOutcome {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
}

interface JunitCase {
  readonly name: string;
  readonly outcome: CaseOutcome | null;
}

function documentOf({ analysis, verdict }: ReportSource): string {
  const { run, variants } = analysis;
  const kinds = new Set<Kind>([...byKind(variants).map(([kind]) => kind), ...verdict.rules.map(({ kind }) => kind)]);
  const whole: CaseOutcome = { element: 'error', type: 'incomplete', message: completeness(analysis) };
  const suites: readonly (readonly [name: string, cases: readonly JunitCase[]])[] = [
    ['run', [{ name: 'run complete', outcome: verdict.complete ? null : whole }]],
    ...[...kinds].flatMap((kind) => {
      const cases = casesOf(verdict.rules.filter((result) => result.kind === kind));
      return cases.length === 0 ? [] : [[kind, cases] as const];
    }),
  ];
  const all = suites.flatMap(([, cases]) => cases);
  const seconds = run.durationMs === null ? 0 : Math.round(run.durationMs) / 1000;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(run.suite)}" ${decided(all)} time="${seconds}">
${suites.map(([name, cases]) => suiteOf(run.suite, name, cases)).join('')}</testsuites>
`;
}

function suiteOf(suite: string, name: string, cases: readonly JunitCase[]): string {
  const classname = `${suite}.${name}`;
  return `  <testsuite name="${attribute(name)}" ${counts(cases)}>
${cases.map((testCase) => caseElement(classname, testCase)).join('')}  </testsuite>
`;
}

function caseElement(classname: string, { name, outcome }: JunitCase): string {
  const start = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}"`;
  if (outcome === null) return `${start}/>\n`;
  const { element, type, message } = outcome;
  const why = `message="${attribute(message)}"`;
  const inner =
    element === 'skipped'
      ? `<skipped ${why}/>`
      : `<${element} type="${attribute(type)}" ${why}>${text(message)}</${element}>`;
  return `${start}>\n      ${inner}\n    </testcase>\n`;
}

function counts(cases: readonly JunitCase[]): string {
  return `${decided(cases)} skipped="${countOf(cases, 'skipped')}"`;
}

/** Jenkins' schema allows no other attributes of `testsuites`; `skipped` is not among them. */
function decided(cases: readonly JunitCase[]): string {
  return `tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}"`;
}

function countOf(cases: readonly JunitCase[], element: CaseOutcome['element']): number {
  return cases.filter(({ outcome }) => outcome?.element === element).length;
}

/** A CI system joins cases with one name: equal names get their limits, then their places. */
function casesOf(results: readonly RuleResult[]): readonly JunitCase[] {
  const names = [
    ruleSubject,
    (result: RuleResult) => `${ruleSubject(result)}: ${limitWords(result)}`,
    (result: RuleResult) => `${ruleSubject(result)}: ${limitWords(result)} (rule ${result.index + 1})`,
  ];
  return results.map((result): JunitCase => {
    const isAlone = (name: (of: RuleResult) => string) =>
      results.filter((other) => name(other) === name(result)).length === 1;
    const name = names.find(isAlone) ?? ruleSubject;
    return { name: name(result), outcome: outcomeOf(result) };
  });
}

function outcomeOf(result: RuleResult): CaseOutcome | null {
  const { verdict, code, letPass, unfit } = result;
  if (verdict === 'pass' && unfit.length === 0) return null;
  const isError = verdict === 'inconclusive' && !letPass;
  const element = verdict === 'fail' ? 'failure' : isError ? 'error' : 'skipped';
  return { element, type: code, message: ruleFinding(result) };
}

/** On one line: a parser turns line feeds in an attribute into spaces. */
function attribute(hostile: string): string {
  return escaped(visibleLine(hostile));
}

function text(hostile: string): string {
  return escaped(visible(hostile));
}

/** `visible` spells out what XML 1.0 does not allow, except two code points. */
function escaped(shown: string): string {
  return shown
    .replaceAll('\ufffe', '\\ufffe')
    .replaceAll('\uffff', '\\uffff')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

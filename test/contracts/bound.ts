import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { isBeyond } from '../../src/gate/allowed-range.ts';
import { kindOf } from '../../src/gate/bounds.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { allowedWords, limitWords, ruleFinding, ruleSubject } from '../../src/gate/verdict-statement.ts';
import { boundsIn, gateSchema } from '../../src/suite/format/gate-schema.ts';
import { type GateRule, gateRuleSchema } from '../../src/suite/rule.ts';

/** A kind of bound with runs that it decides. */
export interface DecidedBound {
  readonly rule: GateRule;
  /** The bound as a suite declares it: `5%`. */
  readonly written: unknown;
  readonly passing: () => RuleResult;
  readonly failing: () => RuleResult;
  /** A run in which nothing was delivered. */
  readonly empty: () => RuleResult;
}

/** What holds for every kind of bound. Called at the top of its test file. */
export function keepsTheBoundContract(name: string, { rule, written, passing, failing, empty }: DecidedBound): void {
  describe(`the contract of ${name}`, () => {
    const { bound } = rule;

    it(`${name} is declared, decided and recorded alike`, () => {
      const [declared] = gateSchema.parse([{ metric: rule.metric, [bound.is]: written }]);
      expect(declared === undefined ? [] : boundsIn(declared).map((each) => each.bound)).toEqual([bound]);
      expect(gateRuleSchema.parse(rule)).toEqual(rule);
    });

    it(`${name} passes what is within it, fails what is beyond it, and decides nothing without a take`, () => {
      expect(passing()).toMatchObject({ rule, verdict: 'pass' });
      expect(failing()).toMatchObject({ rule, verdict: 'fail' });
      expect(empty()).toMatchObject({ rule, verdict: 'inconclusive', n: 0 });
    });

    it(`${name} has an estimate beyond it where it fails, none where it passes, and a part in looks`, () => {
      const { allows, lookPart } = kindOf(rule);
      const beyond = [passing(), failing()].map(({ estimate }) => estimate !== null && isBeyond(allows, estimate));
      expect(beyond).toEqual([false, true]);
      expect(['each_look', 'events', 'whole']).toContain(lookPart(rule, METRICS));
    });

    it(`${name} is said as a clause, a limit and a finding`, () => {
      for (const result of [passing(), failing(), empty()]) {
        const said = [allowedWords(result), limitWords(result), ruleSubject(result), ruleFinding(result)];
        for (const words of said) expect(words).toMatch(/^[^\n]*\w[^\n]*$/);
        expect(said.join()).not.toMatch(/undefined|NaN|null|\[object/);
        expect(allowedWords(result)).toContain(rule.metric);
      }
    });
  });
}

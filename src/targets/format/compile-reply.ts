import type { Path } from '../../kit/document.ts';
import type { FailRule, Meta, ResultRule, StatusRange, ValueCondition } from '../model/target.ts';
import type { Compiler } from './compile.ts';
import type { DeclaredFailRule, DeclaredTarget } from './schema.ts';

export function compileResult(declared: DeclaredTarget['result'], compiler: Compiler): ResultRule {
  const { from, items, at, expect = null } = declared;
  if (from === 'body') {
    if (items !== undefined) compiler.refuse(['result', 'items'], 'a body is one output', 'remove items', 'key');
    if (at !== undefined) compiler.refuse(['result', 'at'], 'from: body takes no "at"', 'remove at', 'key');
    return { from, expect };
  }
  if (at === undefined) {
    const what = from === 'url' ? 'the URL' : 'the text';
    compiler.refuse(['result', 'from'], `from: ${from} needs "at", the location of ${what}`, 'add at: a locator');
  }
  return {
    from,
    expect,
    items: items === undefined ? null : compiler.locators(['result', 'items'], items),
    at: compiler.locators(['result', 'at'], at ?? []),
  };
}

export function compileFailRule(declared: DeclaredFailRule, path: Path, compiler: Compiler): FailRule {
  const { when, is, after = [], code = [], message = [] } = declared;
  if (when.status === undefined && when.at === undefined) {
    compiler.refuse([...path, 'when'], 'this rule would match every reply', 'add status or at');
  }
  const tests = [when.in, when.not, when.contains].filter((values) => values !== undefined);
  if (when.at === undefined && tests.length > 0) {
    compiler.refuse([...path, 'when'], 'in, not and contains need a value to look at', 'add at: a locator');
  }
  if (tests.length > 1) {
    compiler.refuse([...path, 'when'], 'in, not and contains exclude each other', 'keep one of them');
  }
  if (after.length > 0 && is !== 'throttled') {
    compiler.refuse(
      [...path, 'after'],
      '"after" is only for throttled replies',
      'remove after, or write is: throttled',
    );
  }
  return {
    when: { statuses: statusesOf(when.status), value: conditionOf(when, [...path, 'when', 'at'], compiler) },
    is,
    after: compiler.times([...path, 'after'], after),
    code: compiler.locators([...path, 'code'], code),
    message: compiler.locators([...path, 'message'], message),
  };
}

/** A rule that can never match, because an earlier one matches first, would be ignored silently. */
export function reportForestalled(rules: readonly FailRule[], { refuse }: Compiler): void {
  for (const [index, { when }] of rules.entries()) {
    const { statuses } = when;
    if (statuses === null) continue;
    const first = rules
      .slice(0, index)
      .findIndex((earlier) => earlier.when.value === null && takesAll(earlier, statuses));
    if (first === -1) continue;
    const cause = `this rule can never match: rule ${first + 1} matches all of its statuses`;
    refuse(['fail', index], cause, 'put it before that rule');
  }
}

function takesAll({ when }: FailRule, statuses: readonly StatusRange[]): boolean {
  return statuses.every(({ from, to }) => when.statuses?.some((range) => range.from <= from && range.to >= to));
}

function statusesOf(declared: DeclaredFailRule['when']['status']): readonly StatusRange[] | null {
  if (declared === undefined) return null;
  return (Array.isArray(declared) ? declared : [declared]).map((status) => {
    if (typeof status === 'number') return { from: status, to: status };
    const from = Number(status.charAt(0)) * 100;
    return { from, to: from + 99 };
  });
}

function conditionOf(when: DeclaredFailRule['when'], path: Path, compiler: Compiler): ValueCondition | null {
  if (when.at === undefined) return null;
  const at = compiler.locators(path, when.at);
  if (when.in !== undefined) return { at, test: 'in', values: when.in };
  if (when.not !== undefined) return { at, test: 'not', values: when.not };
  if (when.contains !== undefined) {
    return { at, test: 'contains', values: when.contains.map((text) => text.toLowerCase()) };
  }
  return { at, test: 'present', values: [] };
}

export function compileMeta(declared: DeclaredTarget['meta'], compiler: Compiler): Meta {
  const { inference = [], seed = [], request_id: requestId = [], cost_usd: cost = [], cached = [] } = declared;
  return {
    inference: compiler.times(['meta', 'inference'], inference),
    seed: compiler.locators(['meta', 'seed'], seed),
    requestId: compiler.locators(['meta', 'request_id'], requestId),
    cost: Array.isArray(cost)
      ? { at: compiler.locators(['meta', 'cost_usd'], cost), usdEach: 1 }
      : { at: compiler.locators(['meta', 'cost_usd', 'at'], cost.at), usdEach: cost.each },
    cached: compiler.locators(['meta', 'cached'], cached),
  };
}

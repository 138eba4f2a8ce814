import type { DeclaredTarget, FailRule, StatusRange } from '../model/schema.ts';
import type { ResultRule } from '../target.ts';
import type { Check } from './check.ts';

export function compileResult(declared: DeclaredTarget['result'], { refuse, isWhole }: Check): ResultRule {
  const { from, items, at, expect = null } = declared;
  if (from === 'body') {
    if (items !== undefined) refuse(['result', 'items'], 'a body is one output', 'remove items', 'key');
    if (at !== undefined) refuse(['result', 'at'], 'from: body takes no "at"', 'remove at', 'key');
    return { from, expect };
  }
  if (at === undefined && isWhole('result')) {
    const what = from === 'url' ? 'the URL' : 'the text';
    refuse(['result', 'from'], `from: ${from} needs "at", the location of ${what}`, 'add at: a locator');
  }
  return { from, expect, items: items ?? null, at: at ?? [] };
}

/** Refuses conditions that exclude each other, match every reply, or can never match. */
export function checkFailRules(rules: readonly FailRule[], { refuse, isWhole }: Check): void {
  if (!isWhole('fail')) return;
  for (const [index, { when, is, after }] of rules.entries()) {
    const path = ['fail', index, 'when'];
    if (when.status === undefined && when.at === undefined) {
      refuse(path, 'this rule would match every reply', 'add status or at');
    }
    const tests = [when.in, when.not, when.contains].filter((values) => values !== undefined);
    if (when.at === undefined && tests.length > 0) {
      refuse(path, 'in, not and contains need a value to look at', 'add at: a locator');
    }
    if (tests.length > 1) refuse(path, 'in, not and contains exclude each other', 'keep one of them');
    if (after !== undefined && is !== 'throttled') {
      const remedy = 'remove after, or write is: throttled';
      refuse(['fail', index, 'after'], '"after" is only for throttled replies', remedy);
    }
    const first = when.status === undefined ? -1 : firstToTakeAll(rules.slice(0, index), when.status);
    if (first === -1) continue;
    const cause = `this rule can never match: rule ${first + 1} matches all of its statuses`;
    refuse(['fail', index], cause, 'put it before that rule');
  }
}

function firstToTakeAll(rules: readonly FailRule[], statuses: readonly StatusRange[]): number {
  return rules.findIndex(
    ({ when }) =>
      when.at === undefined &&
      statuses.every(({ from, to }) => when.status?.some((range) => range.from <= from && range.to >= to)),
  );
}

/** Refuses what only a judge may have. */
export function checkKind({ kind, result, inputs, price }: DeclaredTarget, { refuse }: Check): void {
  if (kind !== 'judge') {
    const remedy = 'write body, url, b64 or data_uri, or kind: judge';
    if (result.from === 'text') refuse(['result', 'from'], 'only a judge answers with text', remedy);
    return;
  }
  if (result.from !== 'text') refuse(['result', 'from'], 'a judge answers with text', 'write from: text');
  const [input] = Object.keys(inputs);
  if (input !== undefined) refuse(['inputs', input], 'a judge takes no inputs', 'remove inputs', 'key');
  if (price.some(({ per }) => per !== 'request')) {
    refuse(['price'], 'a judge has a price per request', 'write per: request', 'key');
  }
}

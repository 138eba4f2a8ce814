import { suggest } from '../../kit/nearest.ts';
import { JUDGE_MEMBERS } from '../model/judge-question.ts';
import type { Compiler } from './compile.ts';
import type { DeclaredTarget } from './schema.ts';

/** What a judge needs and what only a judge may have. @param named the members of `judge` that templates name */
export function checkJudge(declared: DeclaredTarget, named: readonly string[], { refuse }: Compiler): void {
  const { kind, result, inputs, price } = declared;
  if (kind !== 'judge') {
    const remedy = 'write body, url, b64 or data_uri, or kind: judge';
    if (result.from === 'text') refuse(['result', 'from'], 'only a judge answers with text', remedy);
    return;
  }
  const misspelt = named.filter((name) => JUDGE_MEMBERS.every((member) => member !== name));
  for (const name of misspelt) {
    refuse(['submit'], `a template names "judge.${name}"`, suggest(name, JUDGE_MEMBERS), 'key');
  }
  if (misspelt.length === 0 && !named.includes('content')) {
    refuse(['submit'], 'a judge must be shown the outputs', 'put ${judge.content} into submit.body', 'key');
  }
  if (result.from !== 'text') refuse(['result', 'from'], 'a judge answers with text', 'write from: text');
  const [input] = Object.keys(inputs);
  if (input !== undefined) refuse(['inputs', input], 'a judge takes no inputs', 'remove inputs', 'key');
  if (price.some(({ per }) => per !== 'request')) {
    refuse(['price'], 'a judge has a price per request', 'write per: request', 'key');
  }
}

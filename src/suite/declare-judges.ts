import type { Checked } from '../kit/diagnostic.ts';
import { type Document, sourceAt, valueAt } from '../kit/document.ts';
import { expandEnvironment } from '../kit/environment.ts';
import { isObject, type JsonObject } from '../kit/json.ts';
import { sourcesOf } from './declare/prompts.ts';
import { keptDocument } from './declare-stored.ts';
import type { DeclaredScorer, JudgeScorer } from './scorer.ts';
import type { DeclaredJudge } from './suite.ts';

/** The judges of a suite with `${env.X}` replaced. */
export function declareJudges(document: Document, scorers: readonly DeclaredScorer[]): readonly DeclaredJudge[] {
  return judgesOf(scorers).map((scorer) => declareJudge(document, scorer));
}

/** The judges of a record, whose texts are as the suite wrote them. `file` names the record in diagnostics. */
export function declareStoredJudges(
  file: string,
  scorers: readonly DeclaredScorer[],
  env: Readonly<Record<string, string | undefined>>,
): Checked<readonly DeclaredJudge[]> {
  const judges = judgesOf(scorers);
  const written = judges.map(({ name, target, const: constants, baseUrl, question }): readonly [string, JsonObject] => [
    name,
    { target, const: constants, question, ...(baseUrl === null ? {} : { base_url: baseUrl }) },
  ]);
  const expanded = expandEnvironment(keptDocument(file, { scorers: Object.fromEntries(written) }), env);
  return expanded.ok ? { ok: true, value: declareJudges(expanded.value.document, judges) } : expanded;
}

function judgesOf(scorers: readonly DeclaredScorer[]): readonly JudgeScorer[] {
  return scorers.flatMap((scorer) => (scorer.use === 'judge' ? [scorer] : []));
}

function declareJudge(document: Document, scorer: JudgeScorer): DeclaredJudge {
  const { name, priceUsd } = scorer;
  const at = (...path: readonly string[]) => ['scorers', name, ...path];
  const textOf = (key: string): string | null => {
    const text = valueAt(document.value, at(key));
    return typeof text === 'string' ? text : null;
  };
  const written = valueAt(document.value, at('const'));
  const constants = isObject(written) ? written : {};
  const baseUrl = textOf('base_url');
  return {
    scorer,
    name,
    question: textOf('question') ?? scorer.question,
    target: textOf('target') ?? scorer.target,
    targetSource: sourceAt(document, at('target')),
    place: document.placeOf(at(), 'key'),
    constants,
    constantSources: sourcesOf(constants, (key) => sourceAt(document, at('const', key))),
    price: priceUsd === null ? null : { per: 'request', usd: priceUsd },
    baseUrl: baseUrl === null ? null : { text: baseUrl, source: sourceAt(document, at('base_url')) },
  };
}

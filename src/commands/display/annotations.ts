import type { Verdict } from '../../compare/gate/verdict.ts';
import { ruleFinding, ruleSubject } from '../../report/statements/verdict-statement.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Edge } from '../edge.ts';

/** GitHub shows so many errors of a step. */
const MOST_SHOWN = 10;

/** In a GitHub Actions job, annotates it with each rule that failed; elsewhere writes nothing. */
export function annotate({ rules }: Pick<Verdict, 'rules'>, { err }: Pick<Edge, 'err'>): void {
  const failed = rules.filter(({ verdict }) => verdict === 'fail');
  for (const result of failed.slice(0, MOST_SHOWN)) {
    err.command?.(`::error title=${property(`Retake: ${ruleSubject(result)}`)}::${data(ruleFinding(result))}`);
  }
}

/** Text in a workflow command, as GitHub's toolkit escapes it; hidden characters are spelled out before. */
function data(hostile: string): string {
  return visibleLine(hostile).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(hostile: string): string {
  return data(hostile).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

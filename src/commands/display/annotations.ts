import type { Verdict } from '../../compare/gate/verdict.ts';
import { ruleFinding, ruleSubject } from '../../report/statements/verdict-statement.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Edge } from '../edge.ts';

/** GitHub shows at most so many errors of a step. */
const MOST_SHOWN = 10;

export function annotate({ rules }: Pick<Verdict, 'rules'>, { err }: Pick<Edge, 'err'>): void {
  const failed = rules.filter(({ verdict }) => verdict === 'fail');
  for (const result of failed.slice(0, MOST_SHOWN)) {
    err.command?.(`::error title=${property(`Retake: ${ruleSubject(result)}`)}::${data(ruleFinding(result))}`);
  }
}

/** Escaped as by GitHub's toolkit, with hidden characters spelled out. */
function data(hostile: string): string {
  return visibleLine(hostile).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(hostile: string): string {
  return data(hostile).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

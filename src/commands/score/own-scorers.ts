import { isDeepStrictEqual } from 'node:util';
import { refusal } from '../../kit/diagnostic.ts';
import { visibleLine } from '../../kit/visible.ts';
import { commandLine, listed } from '../../kit/wording.ts';
import type { PreparedJudge } from '../../run/prepare-judges.ts';
import type { PreparedSuite } from '../../run/prepare-suite.ts';
import type { CommandScorer, DeclaredScorer } from '../../suite/scorer.ts';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import { agree } from '../../workflow/questions.ts';
import { describeAsked } from '../../workflow/run-header.ts';
import { commandScorers } from './program-scorers.ts';

/**
 * Asks on a terminal before programs start that a record names and the user's own suite does not; an error elsewhere,
 * since `--allow-commands` and `--yes` may mean those of the suite. Gives the judges of the record with the lower limits
 * and the higher price of both.
 * @param own null: there is none
 */
export async function holdToSuite(
  { id, scorers = [] }: { readonly id: string; readonly scorers?: readonly DeclaredScorer[] },
  judges: readonly PreparedJudge[],
  own: Pick<PreparedSuite, 'suite' | 'judges'> | null,
  edge: Edge,
): Promise<readonly PreparedJudge[]> {
  const mine = own === null ? [] : commandScorers(describeAsked(own.suite, edge.env).scorers);
  const others = (own === null ? [] : commandScorers(scorers)).flatMap((program) => {
    const found = mine.find(({ name }) => name === program.name);
    if (found !== undefined && startWords(found) === startWords(program)) return [];
    const has = found === undefined ? 'has no such program' : `starts ${startWords(found)}`;
    return [
      visibleLine(`scorer ${program.name}: the record of run ${id} starts ${startWords(program)}, your suite ${has}`),
    ];
  });
  if (others.length > 0 && !edge.asks) throw refusal(listed(others), REMEDY);
  for (const sentence of others) printSentence(edge.err, sentence);
  if (others.length > 0) await agree(edge, 'the command to the suite', 'Start this?');
  return judges.map((judge) => boundJudge(id, judge, own?.judges ?? [], edge));
}

const REMEDY = 'if you trust it, write the command of the record into the suite';

function startWords({ command, env }: CommandScorer): string {
  return `${commandLine(command)}${env.length === 0 ? '' : ` with ${listed(env)}`}`;
}

function boundJudge(
  run: string,
  judge: PreparedJudge,
  own: readonly PreparedJudge[],
  edge: Pick<Edge, 'err'>,
): PreparedJudge {
  const { scorer, endpoint } = judge;
  const mine = own.find(({ name }) => name === judge.name) ?? judge;
  const least = (of: 'requests' | 'usd') => {
    const lower = Math.min(scorer.limits[of] ?? Infinity, mine.scorer.limits[of] ?? Infinity);
    return lower === Infinity ? null : lower;
  };
  const limits = { requests: least('requests'), usd: least('usd') };
  const isDearer = (mine.endpoint.price?.usd ?? -1) > (endpoint.price?.usd ?? -1);
  if (!isDearer && isDeepStrictEqual(limits, scorer.limits)) return judge;
  const said = `judge ${judge.name}: the record of run ${run} has a higher limit or a lower price than your suite`;
  printSentence(edge.err, visibleLine(`${said}; the lower limits and the higher price hold`));
  const { price } = isDearer ? mine.endpoint : endpoint;
  return { ...judge, scorer: { ...scorer, limits }, endpoint: { ...endpoint, price } };
}

import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import { appendLines } from '../../record/line-files.ts';
import { readRun } from '../../record/read-record.ts';
import type { Run, RunPrompt } from '../../record/run.ts';
import { writtenScores } from '../../record/score-key.ts';
import { lockRecord } from '../../record/store.ts';
import { findSuite } from '../../run/declared-files.ts';
import { prepareJudges } from '../../run/prepare-judges.ts';
import { readValues, type ScoredMetric } from '../../score/read-values.ts';
import { loadSuite } from '../../suite/load-suite.ts';
import { loadNamed, shownPath } from '../../suite/named-file.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import type { DeclaredJudge } from '../../suite/suite.ts';
import { examineStored } from '../../workflow/assess-run.ts';
import { checkAllowed, confirmCost, type JudgeCost } from '../../workflow/confirm-run.ts';
import { readKeys } from '../../workflow/endpoints.ts';
import { ownSuite } from '../../workflow/recorded-arguments.ts';
import { describeAsked } from '../../workflow/run-header.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { score } from '../declared/record-commands.ts';
import { reportAgain } from '../display/conclude.ts';
import { NOT_EXAMINED, withWarnings } from '../display/print.ts';
import { scoreTheRest } from '../display/resumption.ts';
import { type Edge, EXIT, type ExitCode, printCommand } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { askedScorers } from './program-scorers.ts';
import { scoreAndShow } from './score-and-show.ts';

type ScoreArguments = ArgumentsOf<typeof score>;

/** `retake score`: adds values to the outputs of a run and reports it again. Sends nothing to its targets. */
export async function scoreCommand(args: ScoreArguments, edge: Edge): Promise<ExitCode> {
  const { run, from, suite, allowCommands, quiet } = args;
  const given = suite !== undefined ? '--suite' : allowCommands ? '--allow-commands' : null;
  if (from !== undefined && given !== null) {
    const cause = `--from cannot be used with ${given}`;
    throw refusal(cause, 'score in two commands: one with the file, one with the programs');
  }
  const use = { lock: lockRecord, saysLatest: !quiet };
  return withRun(run, use, edge, (folder) =>
    from === undefined ? scoreAsked(folder, args, edge) : scoreFrom(from, folder, args, edge),
  );
}

async function scoreAsked(folder: string, args: ScoreArguments, edge: Edge): Promise<ExitCode> {
  const { allowCommands, quiet } = args;
  const run = accepted(await readRun(folder));
  const asked = await findAsked(folder, run, args, edge);
  checkAllowed(asked.scorers, allowCommands);
  const judges = withWarnings(edge, await prepareJudges(asked.judges, asked.suiteFile, edge));
  const endpoints = judges.map(({ endpoint }) => endpoint);
  const secrets = withWarnings(edge, readKeys(endpoints, edge));
  const agree = (costs: readonly JudgeCost[]) =>
    confirmCost({ variants: [], mostUsd: 0 }, costs, { yes: args.yes, limitUsd: null }, edge);
  const outputs = { folder, ...asked, judges, secrets, agree };
  const { complete, failed, started } = await scoreAndShow(outputs, { quiet }, edge);
  if (complete && started === 0 && !quiet) edge.say('nothing to score: every output has been scored');
  const code = await reportAgain(folder, quiet, edge);
  if (failed.some(({ scorer }) => scorer.use === 'command')) return EXIT.misuse;
  if (complete && failed.length === 0) return code;
  const uses = askedScorers(asked.scorers).map(({ use }) => use);
  printCommand(edge.err, scoreTheRest(folder, uses, args.suite ?? null, edge.cwd));
  return EXIT.incomplete;
}

interface AskedScorers {
  readonly scorers: readonly DeclaredScorer[];
  readonly judges: readonly DeclaredJudge[];
  readonly prompts: readonly RunPrompt[];
  /** Absolute. */
  readonly suiteFile: string;
}

/** The scorers of the user's suite, found or named; what a found one expects is in the record. */
async function findAsked(
  folder: string,
  run: Run,
  { suite: named }: ScoreArguments,
  edge: Edge,
): Promise<AskedScorers> {
  const { env, cwd } = edge;
  const file = named === undefined ? ownSuite(folder, run, SUITE_OPTION, cwd) : accepted(findSuite(named, cwd));
  const loaded = accepted(await loadSuite(file, { env, overrides: [], cwd }));
  const shown = shownPath(resolve(cwd, file), cwd);
  if (named === undefined && loaded.name !== run.suite.name) {
    throw refusal(
      `${shown} is the suite ${loaded.name}, not ${run.suite.name}`,
      `name that of the run: ${SUITE_OPTION}`,
    );
  }
  const { scorers, prompts } = describeAsked(loaded, env);
  if (askedScorers(scorers).length === 0) {
    throw refusal(
      `${shown} declares no scorer that is a program or a judge`,
      'name a file of scores (--from scores.csv), or a suite with such a scorer (--suite FILE)',
    );
  }
  if (named !== undefined) refuseOtherPrompts(run, prompts, shown);
  const { judges } = loaded;
  return { scorers, judges, prompts: named === undefined ? run.prompts : prompts, suiteFile: resolve(cwd, file) };
}

const SUITE_OPTION = 'retake score RUN --suite suite.yaml';

function refuseOtherPrompts(run: Run, prompts: readonly RunPrompt[], file: string): void {
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const changed = run.prompts.find(({ id, text, media }) => {
    const now = byId.get(id);
    return now?.text !== text || !isDeepStrictEqual(now.media, media);
  });
  if (changed === undefined) return;
  const how = byId.has(changed.id) ? 'has another text or image in' : 'is missing from';
  throw refusal(`prompt ${changed.id} of run ${run.id} ${how} ${file}`, 'name a suite with the same prompts');
}

async function scoreFrom(path: string, folder: string, { quiet }: ScoreArguments, edge: Edge): Promise<ExitCode> {
  const loaded = accepted(await loadNamed(path, edge.cwd));
  const examined = await examineStored(folder, { quiet }, edge);
  if (!examined.complete) {
    edge.say(NOT_EXAMINED);
    return EXIT.incomplete;
  }
  const { record } = examined;
  const scores = withWarnings(edge, readValues(loaded, record));
  const missing = writtenScores(record.scores).missing(scores.lines);
  appendLines(folder, 'scores.jsonl', missing);
  if (!quiet) {
    for (const sentence of scores.metrics.flatMap(sayScored)) edge.say(sentence);
    if (missing.length === 0) edge.say('the run already has these values');
  }
  return reportAgain(folder, quiet, edge);
}

function sayScored({ metric, better, outputs, without }: ScoredMetric): readonly string[] {
  const rest = without === 0 ? '' : `; ${plural(without, 'output')} ${without === 1 ? 'has' : 'have'} none`;
  const scored = `${metric}: values for ${plural(outputs, 'output')}${rest}`;
  return better === null ? [scored, `${metric} does not say which values are better: ${DIRECTION_REMEDY}`] : [scored];
}

const DIRECTION_REMEDY = 'add a column better with higher or lower';

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Analysis } from '../../analysis/analysis.ts';
import { BLOCKED } from '../../analysis/effective-sample.ts';
import { failuresWords, incompleteCause, incompleteRemedy, whyIncomplete } from '../../analysis/incomplete.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { ruleFinding, ruleSubject } from '../../gate/verdict-statement.ts';
import { visibleLine } from '../../kit/visible.ts';
import { listed, plural } from '../../kit/wording.ts';
import { isShardName, OUTCOMES, type Outcome } from '../../record/codes.ts';
import type { Run } from '../../record/run.ts';
import { recordedAnswer } from '../../report/run-answer.ts';
import { spendSentence } from '../../report/run-statement.ts';
import { renderTerminal } from '../../report/terminal.ts';
import { exceedFailureLimit } from '../../run/limits.ts';
import { keepHistory } from '../../workflow/history.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import { leftOutVariants } from './left-out.ts';
import { NOT_EXAMINED } from './print.ts';
import { type Published, publish } from './publish.ts';

interface Concluded extends Pick<Run, 'leftOut' | 'limits'> {
  /** What each load must hold; null: nothing. */
  readonly hold: Run['hold'] | null;
}

/**
 * Prints how a run ended, with each reason not to use it on standard error. The exit code is the verdict's if there is
 * none.
 */
export function conclude(
  json: boolean,
  edge: Pick<Edge, 'out' | 'err' | 'say'>,
  published: Published,
  { leftOut, limits, hold }: Concluded,
): ExitCode {
  const { analysis, verdict, files, examined } = published;
  const { complete, stop } = analysis.run;
  if (json) {
    const answer = recordedAnswer(published);
    const event = { event: 'report', complete, stop, verdict: verdict.verdict, ...answer, files };
    edge.out.write(`${JSON.stringify(event)}\n`);
  } else {
    printSummary(published, files.find((file) => file.endsWith('.html')) ?? null, edge.out, files);
  }
  annotate(verdict, edge);
  const needed = leftOut.filter(({ optional }) => !optional);
  const reasons = [
    ...(complete ? [] : [incompleteSentence(analysis)]),
    ...(examined ? [] : [NOT_EXAMINED]),
    ...(complete && examined ? unusable(analysis, hold ? 1 : limits.failures) : []),
    ...leftOutVariants(needed).map((sentence) => `the run is incomplete: ${sentence}; ${OPTIONAL_REMEDY}`),
  ];
  for (const reason of reasons) edge.say(reason);
  return reasons.length === 0 ? verdict.exitCode : EXIT.incomplete;
}

function incompleteSentence(analysis: Analysis): string {
  const why = whyIncomplete(analysis);
  return `the run is incomplete: ${incompleteCause(why)}; ${incompleteRemedy(why)}`;
}

const OPTIONAL_REMEDY = 'install what is missing, or mark them optional: true';

function hasSample({ outcomes }: VariantSummary): boolean {
  return Object.values(outcomes).some((count) => count > 0);
}

/** A sentence in place of an empty table. Warm-ups and probes are requests too, and may have been charged. */
function nothingMeasured(analysis: Analysis): string {
  const { requestsSent } = analysis.run;
  if (requestsSent === 0) return 'Nothing was measured: no request was sent.';
  const spent = spendSentence(analysis);
  const sent = `${plural(requestsSent, 'request')} ${requestsSent === 1 ? 'was' : 'were'} sent, no take`;
  return `Nothing was measured: ${sent}.${spent === null ? '' : ` ${spent}.`}`;
}

/** @param page the path of the report; null without one: then `files` are named */
function printSummary(
  source: Omit<Published, 'files' | 'examined' | 'line'>,
  page: string | null,
  out: Edge['out'],
  files: readonly string[] = [],
): void {
  const { analysis } = source;
  const { colour, width, ascii } = out;
  const isMeasured = analysis.variants.some(hasSample);
  if (isMeasured) out.write(renderTerminal(source, { colour, width, ascii, hasPage: page !== null }));
  else printSentence(out, nothingMeasured(analysis));
  if (!isMeasured && analysis.run.requestsSent === 0) return;
  if (page !== null) out.write(`Report: ${page}\n`);
  else if (files.length > 0) out.write(`${writtenWords(files)}\n`);
}

/** `Written: results/demo/x/samples.csv, measures.csv and verdict.json`. */
function writtenWords([first = '', ...others]: readonly string[]): string {
  return `Written: ${listed([first, ...others.map((file) => basename(file))])}`;
}

/**
 * Why the results of a complete run must not be used: a variant without outputs, or too many failures. Where loads must
 * hold something, failures are an answer.
 */
function unusable({ variants }: Analysis, mostFailures: number): readonly string[] {
  const empty = variants
    .filter(
      ({ outcomes, plannedTrials }) =>
        plannedTrials > 0 && !outcomes.ok && [...BLOCKED].every((outcome) => !outcomes[outcome]),
    )
    .map(({ name, plannedTrials }) => `${name}: 0 of ${plural(plannedTrials, 'take')} delivered; see the failures`);
  // The runner decided by the first bytes; outputs that examination could not decode count now.
  const broken = exceedFailureLimit(variants.flatMap(outcomesOf), mostFailures);
  return broken === null ? empty : [...empty, `after examination, ${failuresWords(broken)}`];
}

/** A blank output is not a failure: like a refusal, it shows that the service did its work. */
function outcomesOf({ outcomes }: VariantSummary): readonly (readonly [Outcome, number])[] {
  return [...OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0] as const), ['moderated', outcomes.blank ?? 0]];
}

export function annotate({ rules }: Pick<Verdict, 'rules'>, { err }: Pick<Edge, 'err'>): void {
  const failed = rules.filter(({ verdict }) => verdict === 'fail');
  for (const result of failed.slice(0, MOST_SHOWN)) {
    err.command?.(`::error title=${property(`Retake: ${ruleSubject(result)}`)}::${data(ruleFinding(result))}`);
  }
}

/** GitHub shows at most this many errors of a step. */
const MOST_SHOWN = 10;

/** Escaped as by GitHub's toolkit, with hidden characters spelled out. */
function data(hostile: string): string {
  return visibleLine(hostile).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(hostile: string): string {
  return data(hostile).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Writes the reports of a run again, after something was added to its record, and prints their summary. */
export async function reportAgain(folder: string, quiet: boolean, edge: Edge): Promise<ExitCode> {
  const published = await publish(folder, { formats: null, out: folder, quiet }, edge);
  // The verdict may have changed, and history.jsonl has it.
  const { line } = published;
  if (!isShardName(line.run)) keepHistory(folder, line, edge);
  return finish(folder, published, { summary: true, files: published.files }, edge);
}

/** Prints the summary of a run if it is wanted, and gives the exit code of a command that decides nothing. */
export function finish(
  folder: string,
  published: Published,
  { summary, files }: { readonly summary: boolean; readonly files: readonly string[] },
  edge: Pick<Edge, 'out' | 'say'>,
): ExitCode {
  const page = join(folder, 'report.html');
  if (summary) printSummary(published, existsSync(page) ? page : null, edge.out, files);
  if (published.examined) return EXIT.ok;
  edge.say(NOT_EXAMINED);
  return EXIT.incomplete;
}

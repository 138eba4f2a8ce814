import { closeSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPairs } from '../../analysis/pair-levels.ts';
import { stabilityOfVariants } from '../../analysis/stability.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { refusal } from '../../kit/diagnostic.ts';
import { isObject, type Json } from '../../kit/json.ts';
import { listedInShort } from '../../kit/wording.ts';
import { hasMedia, heatFormat, inputImages, readSmall } from '../../record/output-files.ts';
import { shownImages } from '../../record/output-pairs.ts';
import { readText } from '../../record/own-files.ts';
import type { ReportFileName } from '../../record/own-names.ts';
import type { ReportFile, ReportSource } from '../../report/reporter.ts';
import { recordedAnswer } from '../../report/run-answer.ts';
import { FILES_OF_FORMAT, type ReportFormat } from '../../suite/report-format.ts';
import { type AssessedRun, assessRun, collectSooner } from '../../workflow/assess-run.ts';
import { type Edge, printSentence } from '../edge.ts';
import { REPORTERS } from './reporters.ts';
import { openInto, writeFile } from './write-file.ts';

interface ReportOptions {
  /** Null: the formats of the suite. */
  readonly formats: readonly ReportFormat[] | null;
  /** The folder for reports and verdict; null: nothing is written. */
  readonly out: string | null;
}

export interface Published
  extends Pick<ReportSource, 'analysis' | 'samples' | 'comparisons' | 'verdict' | 'stability'>,
    Pick<AssessedRun, 'line' | 'examined'> {
  /** Paths of the reports in the order of the formats, then of the verdict. */
  readonly files: readonly string[];
}

/** Assesses a record and writes its reports and verdict. */
export async function publish(
  folder: string,
  options: ReportOptions & { readonly quiet: boolean },
  edge: Edge,
): Promise<Published> {
  collectSooner();
  return writeReports(folder, await assessRun(folder, options, edge), options, edge);
}

/** Writes reports and verdict of a record; the same record gives the same bytes. */
export async function writeReports(
  folder: string,
  assessed: AssessedRun,
  options: ReportOptions,
  edge: Pick<Edge, 'env' | 'err'>,
): Promise<Published> {
  const { record, comparisons, verdict, line, examined } = assessed;
  const source = sourceOf(folder, assessed, options.out === folder);
  const { analysis, samples, stability } = source;
  const published = { analysis, samples, comparisons, verdict, stability, line, examined };
  const { out } = options;
  if (out === null) return { ...published, files: [] };
  const formats: readonly string[] = options.formats ?? record.run.reports;
  const reporters = REPORTERS.filter(({ format }) => formats.includes(format));
  if (out !== folder)
    checkOut(
      out,
      reporters.flatMap(({ format }) => FILES_OF_FORMAT[format]),
    );
  // First: it marks the folder as Retake's.
  const decided = await writeVerdict(out, { ...verdict, ...recordedAnswer(source) });
  const files: string[] = [];
  for (const reporter of reporters) {
    for (const { name, content } of reporter.render(source)) {
      const written = await writeFile(join(out, name), content);
      files.push(written);
      if (reporter.format === 'markdown') appendStepSummary(written, edge);
    }
  }
  return { ...published, files: [...files, decided] };
}

/** The texts that `writeReports` writes, of all formats; not the page, whose pictures depend on the encoder of a machine. */
export function textsOf(folder: string, assessed: Parameters<typeof sourceOf>[1]): readonly ReportFile[] {
  const source = sourceOf(folder, assessed, false);
  const texts = REPORTERS.filter(({ format }) => format !== 'html').flatMap(({ render }) => render(source));
  const verdict = { ...assessed.verdict, ...recordedAnswer(source) };
  return [...texts, { name: VERDICT, content: [verdictText(verdict)] }];
}

/** Throws if a report would replace a file of the user: one in a folder without a verdict.json of Retake's. */
function checkOut(out: string, files: readonly ReportFileName[]): void {
  const others = [VERDICT, ...files].filter((name) => statSync(join(out, name), { throwIfNoEntry: false })?.isFile());
  if (others.length === 0 || isVerdict(join(out, VERDICT))) return;
  throw refusal(`${out} has ${listedInShort(others)}, not written by Retake`, 'name another folder with --out');
}

function isVerdict(path: string): boolean {
  const read = readText(path);
  try {
    const value: Json = JSON.parse((read.ok ? read.value : null) ?? 'null');
    return isObject(value) && 'run' in value && 'verdict' in value;
  } catch {
    return false;
  }
}

const VERDICT: ReportFileName = 'verdict.json';

export function pageOf(folder: string, assessed: AssessedRun): ReportFile['content'] {
  const reporter = REPORTERS.find(({ format }) => format === 'html');
  const page = reporter?.render(sourceOf(folder, assessed, true)).find(({ name }) => name === 'report.html');
  if (page === undefined) throw new Error('the html reporter renders report.html');
  return page.content;
}

/** @param isInFolder whether reports are written into the folder of the record, beside its media */
function sourceOf(
  folder: string,
  { record, analysed, comparisons, verdict, against }: Omit<AssessedRun, 'line' | 'examined' | 'open'>,
  isInFolder: boolean,
): ReportSource {
  const stability = against === null ? [] : stabilityOfVariants(against, analysed.analysis.variants, verdict.rules);
  const stored = stability.flatMap(({ changed }) => changed.flatMap(({ outputs }) => outputs?.[0] ?? []));
  const kept = new Set([...inputImages(record.run), ...stored]);
  const keptFacts = new Map(
    record.facts.flatMap((fact) =>
      fact.fact === 'output' && fact.decodes === true && kept.has(fact.sha256) ? [[fact.sha256, fact] as const] : [],
    ),
  );
  const { pairOf } = shownImages(record.facts);
  const heatMaps = new Map(
    record.facts.flatMap((fact) => (fact.fact === 'pair' ? [[pairOf(fact.a, fact.b), fact] as const] : [])),
  );
  return {
    analysis: analysed.analysis,
    samples: analysed.samples,
    comparisons,
    verdict,
    stability,
    pairs: findPairs(record.facts),
    keptFact: (sha256) => keptFacts.get(sha256) ?? null,
    isBeside: (file) => isInFolder && hasMedia(folder, file),
    copy: (sha256) => readSmall(folder, sha256, '1024.webp'),
    thumbnail: (sha256) => readSmall(folder, sha256, 'webp'),
    smallThumbnail: (sha256) => readSmall(folder, sha256, '200.webp'),
    preview: (sha256) => readSmall(folder, sha256, 'mp4'),
    heatMap: (one, other) => {
      const pair = heatMaps.get(pairOf(one, other));
      return pair === undefined ? null : readSmall(folder, pair.a, heatFormat(pair.b));
    },
  };
}

export function writeVerdict(folder: string, verdict: Verdict): Promise<string> {
  return writeFile(join(folder, VERDICT), [verdictText(verdict)]);
}

function verdictText(verdict: Verdict): string {
  return `${JSON.stringify(verdict, null, 2)}\n`;
}

/** Does nothing outside GitHub Actions. If the file cannot be written, only says so: the run's folder has the summary too. */
export function appendStepSummary(report: string, { env, err }: Pick<Edge, 'env' | 'err'>): void {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    const opened = openInto(file, constants.O_APPEND);
    try {
      writeFileSync(opened, readFileSync(report));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    printSentence(
      err,
      `cannot append to GITHUB_STEP_SUMMARY: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

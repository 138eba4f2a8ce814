import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { EMBEDDED } from '../targets/model/target.ts';
import { plural } from '../text/quantity.ts';
import { visibleLine } from '../text/visible.ts';
import { printDiagnostics, printWarnings } from './display/print.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { gatherAnswers } from './init/answers.ts';
import type { EndpointOptions } from './init/endpoint.ts';
import { type NewSuite, newSuite } from './init/new-suite.ts';
import { withQuestions } from './init/questions.ts';
import { refuseExisting, writeNewFiles } from './init/write-files.ts';
import { type Prepared, prepare } from './setup/prepare.ts';

export interface InitArguments extends EndpointOptions {
  /** The suite to write. */
  readonly file: string;
}

/**
 * `retake init`: writes a suite for an endpoint of the user, and a target file where no preset describes it. Asks on a terminal what
 * the options leave open. Never overwrites a file.
 */
export async function initCommand(args: InitArguments, edge: Edge): Promise<ExitCode> {
  const written = await initSuite(args, edge);
  if (!written.ok) return printDiagnostics(edge, written.diagnostics);
  const { files, tried } = written.value;
  edge.out.write(`Written: ${files.map(({ path }) => visibleLine(path)).join(', ')}\n`);
  const prepared = await prepare(args.file, { set: [] }, edge);
  if (!prepared.ok) return printDiagnostics(edge, prepared.diagnostics);
  printWarnings(edge, prepared.warnings);
  edge.out.write(nextSteps(args.file, tried, prepared.value));
  return EXIT.ok;
}

async function initSuite(args: InitArguments, edge: Edge): Promise<Checked<NewSuite>> {
  // Before any question.
  if (existsSync(resolve(edge.cwd, args.file))) return refuseExisting(args.file);
  if (!/\.(ya?ml)$/i.test(args.file)) return refused(`${args.file} is not the name of a YAML file`, 'write suite.yaml');
  const answers = await withQuestions(edge, (ask) => gatherAnswers(args, args.file, ask, edge));
  if (!answers.ok) return answers;
  const suite = newSuite(answers.value, args.file, edge.cwd);
  const written = await writeNewFiles(suite.files, edge.cwd);
  return written.ok ? { ok: true, value: suite } : written;
}

function nextSteps(file: string, tried: string, { variants, plan }: Prepared): string {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const secrets = [...new Set(hosted.flatMap(({ target }) => target.secrets))];
  const steps: (readonly [command: string, why: string])[] = [
    ...secrets.map((name) => [`export ${name}=...`, 'the key; it is read from the environment only'] as const),
    [`retake try ${tried}`, 'make one call, and compare the target with the reply'],
    [`retake plan ${file}`, `show the ${plural(plan.requests, 'request')} of a run; send nothing`],
    [`retake run ${file}`, 'measure, and write the reports'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = steps.map(([command, why]) => `  ${command.padEnd(width)}   # ${why}`);
  return visibleLines(['', 'Next:', ...lines]);
}

function visibleLines(lines: readonly string[]): string {
  return `${lines.map(visibleLine).join('\n')}\n`;
}

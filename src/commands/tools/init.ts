import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import { visibleLine } from '../../kit/visible.ts';
import { commandLine, plural } from '../../kit/wording.ts';
import { findSuite } from '../../run/declared-files.ts';
import { neededSecrets } from '../../targets/secrets.ts';
import { type PlannedSuite, planSuite } from '../../workflow/plan-suite.ts';
import type { writeSuite } from '../declared/tool-commands.ts';
import { withWarnings } from '../display/print.ts';
import { existRefusal, writeNewFiles } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode, printSentence, printText } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { withQuestions } from '../line/questions.ts';
import { askDeployments, checkCiPath, ciNeeds, ciSteps, ciText, findCiFile } from './init/ci-file.ts';
import { NEVER_OVERWRITES, newSuite } from './init/new-suite.ts';
import { notGuarded } from './init/not-guarded.ts';
import { gatherAnswers, givenOptions } from './init/questions.ts';

export type InitArguments = ArgumentsOf<typeof writeSuite>;

/** `retake init`: writes a suite and its target, with `--ci` also a CI file. Never overwrites a file. */
export async function initCommand(args: InitArguments, edge: Edge): Promise<ExitCode> {
  const { suiteExists, ciFile } = placesOf(args, edge);
  if (!suiteExists && !/\.ya?ml$/i.test(args.file)) {
    throw refusal(`${args.file} is not the name of a YAML file`, 'write suite.yaml');
  }
  const existing = suiteExists ? await planSuite(args.file, { set: [] }, edge, { withoutTwins: true }) : null;
  if (existing !== null) accepted(existing);
  // All questions come before the first file: an end of the input leaves no files.
  const assumed: string[] = [];
  const answered = await withQuestions(
    edge,
    async (ask) => ({
      suite: suiteExists ? null : await gatherAnswers(args, args.file, ask, edge),
      deployments: ciFile === null ? null : await askDeployments(args, ask),
    }),
    (option, fallback) => assumed.push(option, fallback),
  );
  const { deployments } = answered;
  const suite = answered.suite === null ? null : newSuite(answered.suite, args.file, edge.cwd);
  if (suite !== null) {
    writeNewFiles(suite.files, NEVER_OVERWRITES, edge.cwd);
    tellWritten(edge, suite.files);
    if (assumed.length > 0) printSentence(edge.out, `Assumed without a question: ${commandLine(assumed)}`);
  }
  const prepared = withWarnings(edge, existing ?? (await planSuite(args.file, { set: [] }, edge)));
  if (suite !== null) edge.out.write(lines(['', 'Next:', ...firstSteps(args.file, suite.tried, prepared, edge.out)]));
  if (args.ci === undefined || ciFile === null || deployments === null) return EXIT.ok;
  const needs = ciNeeds(prepared, args.file, deployments, edge);
  const files = [{ path: ciFile, content: { text: ciText(args.ci, needs) } }];
  writeNewFiles(files, NEVER_OVERWRITES, edge.cwd);
  if (suite !== null) edge.out.write('\n');
  tellWritten(edge, files);
  const list = (head: string, items: readonly string[]) => {
    if (items.length > 0) printText(edge.out, lines(['', head, ...items.map((item) => `  - ${item}`)]));
  };
  list('Before CI can run it:', ciSteps(args.ci, ciFile, needs, edge.cwd));
  // A deployment in use is sent beside that of the suite, from the first night on.
  if (needs.inUse === null) list('Not guarded yet:', notGuarded(prepared, edge.cwd));
  return EXIT.ok;
}

function placesOf(
  args: InitArguments,
  { cwd, asks }: Pick<Edge, 'cwd' | 'asks'>,
): { readonly suiteExists: boolean; readonly ciFile: string | null } {
  const { file, ci } = args;
  if (ci === undefined && (args.inUse !== undefined || args.serverFiles.length > 0)) {
    throw refusal('--in-use and --server-files describe a job of CI', 'add --ci github or --ci gitlab');
  }
  if (ci === undefined) {
    if (existsSync(resolve(cwd, file))) throw existRefusal([file], NEVER_OVERWRITES);
    return { suiteExists: false, ciFile: null };
  }
  const ciFile = findCiFile(ci, cwd);
  checkCiPath(file);
  const suiteExists = existsSync(resolve(cwd, file)) || isBuiltIn(file, cwd);
  const [option] = givenOptions(args);
  if (suiteExists && option !== undefined) {
    throw refusal(`${file} exists, and ${option} describes a new suite`, `leave out ${option}, or name another file`);
  }
  if (!suiteExists && option === undefined && !asks) {
    throw refusal(`${file} does not exist`, 'name an existing suite, or its endpoint with --target or --base-url');
  }
  return { suiteExists, ciFile };
}

function isBuiltIn(name: string, cwd: string): boolean {
  const suite = findSuite(name, cwd);
  return suite.ok && suite.value !== name;
}

/** A comment without room beside its command stands above it: the command stays whole for copying. */
function firstSteps(
  file: string,
  tried: readonly string[],
  { variants, plan }: PlannedSuite,
  out: Edge['out'],
): readonly string[] {
  const secrets = [...new Set(neededSecrets(variants))];
  const steps: (readonly [command: string, why: string])[] = [
    ...secrets.map((name) => [`export ${name}=...`, 'the key; it is read from the environment only'] as const),
    [commandLine(['retake', 'try', ...tried]), 'make one call, and compare the target with the reply'],
    [commandLine(['retake', 'plan', file]), `show the ${plural(plan.requests, 'request')} of a run; send nothing`],
    [commandLine(['retake', 'run', file]), 'measure, and write the reports'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const beside = steps.map(([command, why]) => `  ${command.padEnd(width)}   # ${why}`);
  if (!out.interactive || beside.every(({ length }) => length <= out.width)) return beside;
  return steps.flatMap(([command, why]) => [`  # ${why}`, `  ${command}`]);
}

function tellWritten({ out }: Pick<Edge, 'out'>, files: readonly { readonly path: string }[]): void {
  printSentence(out, `Written: ${files.map(({ path }) => path).join(', ')}`);
}

function lines(all: readonly string[]): string {
  return `${all.map(visibleLine).join('\n')}\n`;
}

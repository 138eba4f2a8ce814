import { readFileSync } from 'node:fs';
import { loadTargetFile } from '../prepare/load-target.ts';
import { listTargets, type NamedTarget } from '../prepare/target-files.ts';
import { KIND_NAMES } from '../report/words/run/kind-name.ts';
import { KINDS, type Kind } from '../suite/format/kind.ts';
import { shownPath } from '../suite/load.ts';
import type { Target } from '../targets/model/target.ts';
import { padded, textWidth, wrapped } from '../text/text-width.ts';
import { visibleLine } from '../text/visible.ts';
import { describeCall, describeInterface, keyState } from './display/describe/describe-target.ts';
import { printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode, printSentence, printText } from './edge.ts';

export interface TargetsArguments {
  /** A part of `provider/endpoint`; an exact name shows its details. */
  readonly name?: string | undefined;
  readonly kind?: Kind | undefined;
}

interface KnownTarget extends NamedTarget {
  readonly target: Target;
}

/** `retake targets`: by kind, with key and call; an exact name shows its details. */
export async function targetsCommand({ name = '', kind }: TargetsArguments, edge: Edge): Promise<ExitCode> {
  const known: KnownTarget[] = [];
  let faults = 0;
  const named = listTargets(edge.cwd).filter((each) => each.name.includes(name));
  const exact = named.filter((each) => each.name === name);
  for (const each of exact.length > 0 ? exact : named) {
    const target = await loadTargetFile(each.path, { ...edge, suiteFolder: edge.cwd });
    if (target.ok) known.push({ ...each, target: target.value });
    else {
      printDiagnostics(edge, target.diagnostics);
      faults += 1;
    }
  }
  const shown = known.filter(({ target }) => kind === undefined || target.kind === kind);
  const [only] = shown;
  if (only !== undefined && exact.length > 0) printText(edge.out, lines(describe(only, edge)));
  else if (only !== undefined) edge.out.write(lines(list(shown, edge.env)));
  else if (faults === 0) {
    const what = kind === undefined ? '' : ` of the kind ${kind}`;
    printSentence(
      edge.err,
      `retake targets: no target${what} has "${visibleLine(name)}" in its name; see retake targets`,
    );
    return EXIT.misuse;
  }
  return faults === 0 ? EXIT.ok : EXIT.misuse;
}

function list(known: readonly KnownTarget[], env: Edge['env']): readonly string[] {
  const names = known.map(({ name }) => textWidth(visibleLine(name)));
  const width = Math.max(...Object.values(KIND_NAMES).map((heading) => heading.length), ...names) + 2;
  const kinds = KINDS.filter((kind) => known.some(({ target }) => target.kind === kind));
  return kinds.flatMap((kind, index) => [
    ...(index === 0 ? [] : ['']),
    `${padded(KIND_NAMES[kind], width + 2)}${padded('key', 11)}call`,
    ...known
      .filter(({ target }) => target.kind === kind)
      .map(
        ({ name, target }) =>
          `  ${padded(visibleLine(name), width)}${padded(keyState(target, env), 11)}${describeCall(target)}`,
      ),
  ]);
}

function describe({ path, target }: KnownTarget, edge: Edge): readonly string[] {
  const width = Math.max(40, Math.min(100, edge.out.width));
  const about = headComment(readFileSync(path, 'utf8')).flatMap((paragraph) => wrapped(visibleLine(paragraph), width));
  return [...describeInterface(target, shownPath(path, edge.cwd), edge.env).map(visibleLine), '', ...about];
}

function headComment(text: string): readonly string[] {
  const paragraphs: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('#')) break;
    const words = line.replace(/^#+\s*/, '');
    if (words.startsWith('yaml-language-server')) continue;
    if (paragraphs.length === 0 || /^[A-Z][a-z ]+: /.test(words)) paragraphs.push(words);
    else paragraphs.push(`${paragraphs.pop() ?? ''} ${words}`);
  }
  return paragraphs;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n').trimEnd()}\n`;
}

import { readFileSync } from 'node:fs';
import { KIND_NAMES } from '../../kit/names.ts';
import { padded, textWidth } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { utcDay } from '../../run/clock.ts';
import { listTargets, loadTargetFile, type NamedTarget } from '../../run/declared-files.ts';
import { TARGET_KINDS, type TargetKind } from '../../suite/kind.ts';
import { shownPath } from '../../suite/named-file.ts';
import { EMBEDDED } from '../../targets/origins.ts';
import type { Target } from '../../targets/target.ts';
import type { targets } from '../declared/measuring-commands.ts';
import { misuse, printDiagnostics } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

interface KnownTarget extends NamedTarget {
  readonly target: Target;
}

/** `retake targets`: by kind, with key and call; an exact name shows its file. */
export async function targetsCommand(
  { name = '', kind, check = false }: ArgumentsOf<typeof targets>,
  edge: Edge,
): Promise<ExitCode> {
  const known: KnownTarget[] = [];
  let faults = 0;
  const named = listTargets(edge.cwd).filter((entry) => entry.name.includes(name));
  const exact = named.filter((entry) => entry.name === name);
  for (const entry of exact.length > 0 ? exact : named) {
    const target = await loadTargetFile(entry.path, { ...edge, suiteFolder: edge.cwd });
    if (target.ok) known.push({ ...entry, target: target.value });
    else {
      printDiagnostics(edge, target.diagnostics);
      faults += 1;
    }
  }
  const shown = known.filter(({ target }) => kind === undefined || target.kind === kind);
  const [only] = shown;
  if (check && only !== undefined) {
    const targets = shown.map(({ target }) => target);
    const checked = await (await import('./check-targets.ts')).checkTargets(targets, utcDay(), edge);
    return faults === 0 ? checked : EXIT.misuse;
  }
  if (only !== undefined && exact.length > 0) edge.out.write(lines(describe(only, edge)));
  else if (only !== undefined) edge.out.write(lines(list(shown, edge.env)));
  else if (faults === 0) {
    const what = kind === undefined ? '' : ` of the kind ${kind}`;
    return misuse(edge, 'targets', `no target${what} has "${name}" in its name; see retake targets`);
  }
  return faults === 0 ? EXIT.ok : EXIT.misuse;
}

const TARGET_KIND_NAMES: Readonly<Record<TargetKind, string>> = { ...KIND_NAMES, judge: 'Judge of outputs' };

function list(known: readonly KnownTarget[], env: Edge['env']): readonly string[] {
  const names = known.map(({ name }) => textWidth(visibleLine(name)));
  const width = Math.max(...Object.values(TARGET_KIND_NAMES).map((heading) => heading.length), ...names) + 2;
  const kinds = TARGET_KINDS.filter((kind) => known.some(({ target }) => target.kind === kind));
  return kinds.flatMap((kind, index) => [
    ...(index === 0 ? [] : ['']),
    `${padded(TARGET_KIND_NAMES[kind], width + 2)}${padded('key', 11)}call`,
    ...known
      .filter(({ target }) => target.kind === kind)
      .map(
        ({ name, target }) =>
          `  ${padded(visibleLine(name), width)}${padded(keyState(target, env), 11)}${describeCall(target)}`,
      ),
  ]);
}

/** Whether its keys are set, then its file, which says the rest. */
function describe({ path, target }: KnownTarget, { env, cwd }: Pick<Edge, 'env' | 'cwd'>): readonly string[] {
  const file = readFileSync(path, 'utf8').split(/\r?\n/);
  const head = [`file  ${shownPath(path, cwd)}`, `key   ${keysOf(target, env)}`, ''];
  return [...head, ...file].map(visibleLine);
}

function keysOf({ secrets, baseUrl }: Target, env: Edge['env']): string {
  if (secrets.length === 0) return 'none';
  if (baseUrl === EMBEDDED) return `${secrets.join(', ')} (made for the run)`;
  return secrets.map((name) => `${name} (${isSet(name, env) ? 'set' : 'not set'})`).join(', ');
}

function describeCall({ wait }: Target): string {
  if (wait?.until?.by === 'poll') return 'job';
  return wait?.until?.by === 'events' ? 'events' : 'one request';
}

/** The reference service gets a key made for the run. */
function keyState({ secrets, baseUrl }: Target, env: Edge['env']): string {
  if (secrets.length === 0 || baseUrl === EMBEDDED) return 'none';
  return secrets.every((name) => isSet(name, env)) ? 'set' : 'not set';
}

function isSet(name: string, env: Edge['env']): boolean {
  return env[name] !== undefined && env[name] !== '';
}

function lines(all: readonly string[]): string {
  return `${all.join('\n').trimEnd()}\n`;
}

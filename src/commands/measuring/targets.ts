import { readFileSync } from 'node:fs';
import { isList, isObject, type Json, ownValue } from '../../kit/json.ts';
import { KIND_NAMES } from '../../kit/names.ts';
import { padded, textWidth, wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { bytes, duration, usd } from '../../kit/wording.ts';
import { utcDay } from '../../run/clock.ts';
import { listTargets, loadTargetFile, type NamedTarget } from '../../run/declared-files.ts';
import { TARGET_KINDS, type TargetKind } from '../../suite/kind.ts';
import { shownPath } from '../../suite/named-file.ts';
import { describeConstType, type MediaRule, retirementsOf, retirementWords } from '../../targets/inputs.ts';
import { EMBEDDED } from '../../targets/origins.ts';
import { type Target, tellsRunning } from '../../targets/target.ts';
import type { targets } from '../declared/measuring-commands.ts';
import { misuse, printDiagnostics } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printText } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

interface KnownTarget extends NamedTarget {
  readonly target: Target;
}

/** `retake targets`: by kind, with key and call; an exact name shows its details. */
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
  if (only !== undefined && exact.length > 0) printText(edge.out, lines(describe(only, edge)));
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

function describeInterface(target: Target, file: string, env: Edge['env']): readonly string[] {
  const { id, kind, baseUrl, inputs, constants, constTypes, uses, prices } = target;
  const { seed, others, media } = inputs;
  const range = uses.case.includes('seed') ? `${seed.min} to ${seed.max}, claim ${seed.claim}` : 'not sent';
  const omitted = seed.omit_means === 'unknown' ? '' : `; without one ${seed.omit_means}`;
  return [
    `${id} (${kind})`,
    `file      ${file}`,
    `at        ${baseUrl === EMBEDDED ? 'the reference service, started for the run' : baseUrl}`,
    `key       ${keysOf(target, env)}`,
    ...(kind === 'judge' ? [] : [`measured  ${describeMeasured(target)}`]),
    ...(kind === 'judge' ? [] : [`seed      ${range}${omitted}`]),
    ...(media === null ? [] : describeMedia(media)),
    ...Object.entries(others).map(([name, rule]) => `input     ${name}: ${describeRule(rule)}`),
    ...uses.const.map(
      (name) => `const     ${name}: ${describeConstant(ownValue(constants, name), ownValue(constTypes, name))}`,
    ),
    ...prices.map((price) => `price     ${describePrice(price)}`),
    ...describeEnds(target, utcDay()),
  ];
}

function describeMedia({ images: { least, most, types, mostBytes }, mask }: MediaRule): readonly string[] {
  const limit = (value: number | null) => (value === null ? '' : `, at most ${bytes(value)}`);
  const count = least === most ? `${most}` : `${least} to ${most}`;
  return [
    `image     ${count} of ${types.map((type) => type.replace('image/', '')).join(', ')}${limit(mostBytes)}`,
    ...(mask === null ? [] : [`mask      ${mask.changes} changes${limit(mask.mostBytes)}`]),
  ];
}

/** `ends      model-1 ended on 2026-10-29; use model-2`. */
function describeEnds({ constTypes, seen }: Target, today: string): readonly string[] {
  const ends = Object.entries(constTypes).flatMap(([name, type]) => {
    const { retires = {} } = 'retires' in type ? type : {};
    return Object.keys(retires).flatMap((value) => retirementsOf(constTypes, { [name]: value }));
  });
  return [
    ...ends.map((end) => `ends      ${retirementWords(end, today)}${end.to === null ? '' : `; use ${end.to}`}`),
    ...(seen === null ? [] : [`seen      ${seen.on}, ${seen.at}`]),
  ];
}

function describeMeasured(target: Target): string {
  const { meta } = target;
  const says = [
    ...(meta.inference === undefined ? [] : ['its time']),
    ...(meta.seed === undefined ? [] : ['the seed']),
    ...(meta.cost_usd === undefined ? [] : ['the cost']),
    ...(meta.cached === undefined ? [] : ['whether it was cached']),
    ...(meta.model === undefined ? [] : ['the model']),
    ...(meta.prompt === undefined ? [] : ['the prompt']),
    ...(Object.keys(meta.stages).length === 0 ? [] : ['its stages']),
    ...(meta.memory_mb === undefined ? [] : ['its memory']),
    ...(Object.keys(meta.usage).length === 0 ? [] : ['what it counted']),
  ];
  return describeTimings(target) + (says.length === 0 ? '' : `; the server reports ${says.join(', ')}`);
}

function describeTimings({ wait, hops, result }: Target): string {
  const download = hops.length > 0 || result.from === 'url' ? ', download' : '';
  switch (wait?.until?.by) {
    case 'poll': {
      const timings = tellsRunning(wait.until.state) ? 'submit, queue, run' : 'submit, run (with queue)';
      return `${timings}, detect${download}; polls every ${duration(wait.until.minEveryMs)}`;
    }
    case 'events':
      return `submit, events${download}`;
    default:
      return download === '' ? 'first byte, done' : `submit${download}`;
  }
}

function describePrice({ per, usd: most, when }: Target['prices'][number]): string {
  const holds = Object.entries(when).map(([name, values]) => `${name} ${values.join(' or ')}`);
  return `${usd(most)} per ${per}, at most${holds.length === 0 ? '' : `, for ${holds.join(', ')}`}`;
}

function keysOf({ secrets, baseUrl }: Target, env: Edge['env']): string {
  if (secrets.length === 0) return 'none';
  if (baseUrl === EMBEDDED) return `${secrets.join(', ')} (made for the run)`;
  return secrets.map((name) => `${name} (${isSet(name, env) ? 'set' : 'not set'})`).join(', ');
}

function describeRule(rule: Target['inputs']['others'][string]): string {
  switch (rule.as) {
    case 'number':
      return [rule.whole ? 'a whole number' : 'a number', ...limitsOf(rule)].join(' ');
    case 'text':
      return 'any text';
    case 'pixels': {
      const sides = [
        ...limitsOf(rule),
        ...(rule.multiple_of === undefined ? [] : [`multiples of ${rule.multiple_of}`]),
      ];
      const sizes = rule.map === undefined ? 'WxH' : `${Object.keys(rule.map).join(', ')}, or WxH`;
      return sides.length === 0 ? sizes : `${sizes}, sides ${sides.join(' ')}`;
    }
    case 'enum':
      return rule.values?.join(', ') ?? namesOf(rule.map) ?? 'any';
    case 'ratio':
      return namesOf(rule.map) ?? 'W:H';
  }
}

function namesOf(map: object | undefined): string | null {
  return map === undefined ? null : Object.keys(map).join(', ');
}

function limitsOf({ min, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): string[] {
  return [...(min === undefined ? [] : [`from ${min}`]), ...(max === undefined ? [] : [`to ${max}`])];
}

/** `standard; one of standard, fast, fast-lcm`. */
function describeConstant(value: Json | undefined, type: Target['constTypes'][string] | undefined): string {
  const words = type === undefined ? '' : `; ${describeConstType(type)}`;
  if (value === undefined || value === null) return `left out${words}`;
  const text = isObject(value) || isList(value) ? JSON.stringify(value) : value === '' ? '""' : String(value);
  return text + words;
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

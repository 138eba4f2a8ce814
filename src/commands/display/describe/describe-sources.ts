import { dirname, resolve, sep } from 'node:path';
import { PRESETS } from '../../../prepare/target-files.ts';
import type { Suite } from '../../../suite/format/suite.ts';
import { shownPath } from '../../../suite/load.ts';
import type { OriginPattern } from '../../../targets/model/origins.ts';
import { EMBEDDED } from '../../../targets/model/target.ts';
import type { Variant } from '../../../targets/model/variant.ts';
import { plural } from '../../../text/quantity.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { Edge } from '../../edge.ts';

/** The folder of what comes with Retake. */
const BUILT_IN = `${dirname(PRESETS)}${sep}`;

/** Something that a suite takes from the machine, and the origins that may get it. */
interface Taken {
  readonly name: string;
  readonly to: readonly string[];
}

/**
 * What a suite and its targets take from the environment and from other files, and where each may be sent, a line each: for someone who
 * runs a suite of somebody else. Files that come with Retake are left out.
 */
export function describeSources(
  suite: Suite,
  variants: readonly Variant[],
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): readonly string[] {
  const state = (name: string) => (env[name] === undefined || env[name] === '' ? ', not set' : '');
  const lines = [
    ...keysOf(variants).map(({ name, to }) => line(`${name} (key${state(name)})`, to)),
    ...variablesOf(suite, variants).map(({ name, to }) => line(`${name} (variable${state(name)})`, to)),
    ...filesOf(suite, variants, cwd).map(({ name, to }) => line(name, to)),
  ];
  return lines.length === 0
    ? []
    : ['', 'Taken from the environment and from files, and where each may be sent:', ...lines];
}

function line(name: string, to: readonly string[]): string {
  return `  ${visibleLine(`${name}: ${to.join(', ')}`)}`;
}

/** A run makes a key of its own for the reference service that it starts. */
function keysOf(variants: readonly Variant[]): readonly Taken[] {
  return merged(
    variants
      .filter(({ baseUrl }) => baseUrl !== EMBEDDED)
      .flatMap((variant) => {
        const to = variant.origins.auth.map((pattern) => originOf(pattern, variant));
        return variant.target.secrets.map((name) => ({ name, to }));
      }),
  );
}

/** A variable can stand in any text, also in that of a request for a status or for media. */
function variablesOf(suite: Suite, variants: readonly Variant[]): readonly Taken[] {
  return merged(
    variants.flatMap((variant) => {
      const { auth, download } = variant.origins;
      const to = [baseOf(variant), ...[...auth, ...download].map((pattern) => originOf(pattern, variant))];
      return Object.keys({ ...suite.environment, ...variant.target.environment }).map((name) => ({ name, to }));
    }),
  );
}

function filesOf(suite: Suite, variants: readonly Variant[], cwd: string): readonly Taken[] {
  const files = variants.flatMap((variant) => {
    const { file, storedBodyFile } = variant.target;
    const of = variant.twinOf === undefined ? [file, storedBodyFile ?? file].map((path) => resolve(cwd, path)) : [];
    const own = [...suite.files, ...of].filter((path) => !path.startsWith(BUILT_IN));
    return own.map((name) => ({ name, to: [baseOf(variant)] }));
  });
  return byFolder(merged(files), cwd);
}

/** So many files of one folder that they are counted. */
const MANY = 6;

function byFolder(files: readonly Taken[], cwd: string): readonly Taken[] {
  const folders = new Map<string, Taken[]>();
  for (const file of files) {
    // Files of one folder may go to different origins.
    const key = [dirname(file.name), ...file.to].join('\n');
    const together = folders.get(key) ?? [];
    together.push(file);
    folders.set(key, together);
  }
  return [...folders.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined || together.length < MANY) {
      return together.map(({ name, to }) => ({ name: shownPath(name, cwd), to }));
    }
    const folder = shownPath(dirname(first.name), cwd);
    return [{ name: `${folder} (${plural(together.length, 'file')})`, to: first.to }];
  });
}

/** Each name once with all its origins, in the order of the names. */
function merged(taken: readonly Taken[]): readonly Taken[] {
  const origins = new Map<string, Set<string>>();
  for (const { name, to } of taken) {
    const known = origins.get(name) ?? new Set();
    for (const origin of to) known.add(origin);
    origins.set(name, known);
  }
  return [...origins].map(([name, to]) => ({ name, to: [...to] })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function baseOf({ baseUrl }: Variant): string {
  return baseUrl === EMBEDDED ? baseUrl : new URL(baseUrl).origin;
}

function originOf(pattern: OriginPattern, variant: Variant): string {
  switch (pattern.match) {
    case 'base':
      return baseOf(variant);
    case 'origin':
      return pattern.origin;
    case 'below':
      return `${pattern.protocol}//*.${pattern.domain}`;
    case 'any':
      return 'any origin';
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../../kit/visible.ts';
import { listTargets } from '../../run/declared-files.ts';
import type { Edge } from '../edge.ts';
import { suiteSchemaOf } from './help-text.ts';
import type { Completes } from './options.ts';

/** What a shell completes a value to, beside files. A shell reads each line as one word. */
export function completionsIn(edge: Pick<Edge, 'cwd' | 'program'>): (of: Completes) => readonly string[] {
  return (of) => SOURCES[of](edge).filter((word) => visibleLine(word) === word);
}

const SOURCES: Readonly<Record<Completes, (edge: Pick<Edge, 'cwd' | 'program'>) => readonly string[]>> = {
  targets: ({ cwd }) => listTargets(cwd).map(({ name }) => name),
  suites: ({ cwd }) => {
    try {
      const entries = readdirSync(join(cwd, 'results'), { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    } catch {
      return [];
    }
  },
  settings: ({ program }) => {
    const { properties = {} }: SchemaOfSuite = JSON.parse(readFileSync(suiteSchemaOf(program), 'utf8'));
    return Object.entries(properties).flatMap(([name, { properties: inner }]) => {
      if (SUITE_ONLY.has(name)) return [];
      return inner === undefined ? [`${name}=`] : Object.keys(inner).map((key) => `${name}.${key}=`);
    });
  },
};

interface SchemaOfSuite {
  readonly properties?: Readonly<Record<string, SchemaOfSuite>>;
}

/** Not set on a command line: they make the suite, or have their own keys. */
const SUITE_ONLY: ReadonlySet<string> = new Set(['$schema', 'suite', 'name', 'description', 'variants', 'prompts']);

import { readFileSync } from 'node:fs';

/** As far as completion reads it: a published JSON Schema. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
}

/** What is not overridden on a command line: it is what makes the suite, or has keys of its own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', 'suite', 'name', 'description', 'variants', 'prompts']);

/**
 * What `--set` of a suite can be: `repeats=`, `load.concurrency=`; behind the sign, the values of a key that has a few:
 * `load.order=paired`. Nothing where the schema cannot be read.
 *
 * @param schemaFile of suites
 */
export function settings(schemaFile: URL): readonly string[] {
  const { properties = {} } = readSchema(schemaFile);
  return Object.entries(properties)
    .filter(([name]) => !LEFT_OUT.has(name))
    .flatMap(([name, schema]) =>
      schema.properties === undefined
        ? assignments(name, schema)
        : Object.entries(schema.properties).flatMap(([key, inner]) => assignments(`${name}.${key}`, inner)),
    );
}

/** The key first: a shell that offers it goes on with its values. */
function assignments(key: string, { enum: values = [] }: Schema): readonly string[] {
  return [`${key}=`, ...values.map((value) => `${key}=${String(value)}`)];
}

function readSchema(file: URL): Schema {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

import { readFileSync } from 'node:fs';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
}

/** Not set on a command line: they make the suite, or have keys of their own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', 'suite', 'name', 'description', 'variants', 'prompts']);

/** `repeats=`, `load.concurrency=`, and for few values `load.order=paired`. Empty if the schema cannot be read. */
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

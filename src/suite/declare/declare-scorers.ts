import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, valueAt } from '../../kit/document.ts';
import { isList, isObject, ownValue } from '../../kit/json.ts';
import type { WrittenScorer, WrittenScorers } from '../format/scorers-schema.ts';
import type { DeclaredScorer, GivenValue } from '../scorer.ts';

type WrittenCommand = Extract<WrittenScorer, { readonly use: 'command' }>;

/**
 * The scorers in declared order. Commands are recorded as `written`, before `${env.X}` was replaced: its values may be
 * secret.
 */
export function declareScorers(
  document: Document,
  written: Document,
  scorers: WrittenScorers,
  env: Readonly<Record<string, string | undefined>>,
): Checked<readonly DeclaredScorer[]> {
  const entries = Object.entries(scorers);
  const diagnostics = entries.flatMap(([name, scorer]) =>
    scorer.use === 'command' ? refuseUnset(document, name, scorer, env) : [],
  );
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, value: entries.map(([name, scorer]) => declareScorer(name, scorer, written)) };
}

function declareScorer(name: string, scorer: WrittenScorer, written: Document): DeclaredScorer {
  switch (scorer.use) {
    case 'command':
      return {
        use: scorer.use,
        name,
        gives: declareValues(scorer.gives),
        command: textsAt(written, ['scorers', name, 'command']),
        env: [...new Set(scorer.env)],
        timeoutMs: scorer.timeout,
        frames: scorer.frames,
        original: scorer.original,
      };
    case 'file':
      return { use: scorer.use, name, gives: declareValues(scorer.gives) };
    case 'judge': {
      const textOf = (key: string) => {
        const text = valueAt(written.value, ['scorers', name, key]);
        return typeof text === 'string' ? text : null;
      };
      const constants = valueAt(written.value, ['scorers', name, 'const']);
      const { requests = null, usd = null } = scorer.limits;
      return {
        use: scorer.use,
        name,
        target: textOf('target') ?? scorer.target,
        const: isObject(constants) ? constants : {},
        baseUrl: textOf('base_url'),
        question: textOf('question') ?? scorer.question,
        priceUsd: scorer.price?.usd ?? null,
        limits: { requests, usd },
      };
    }
  }
}

function declareValues(gives: WrittenCommand['gives']): readonly GivenValue[] {
  return Object.entries(gives).map(([value, { better, range = null, unit, meaning = null, label }]) => ({
    value,
    better,
    range,
    unit,
    meaning,
    ...(label === undefined ? {} : { label }),
  }));
}

function refuseUnset(
  document: Document,
  scorer: string,
  { env: names }: WrittenCommand,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  return names.flatMap((name, index) => {
    if (ownValue(env, name) !== undefined) return [];
    const fault = { cause: `the environment variable ${name} is not set`, remedy: 'set it, or remove it here' };
    return [diagnoseAt(document, ['scorers', scorer, 'env', index], fault)];
  });
}

function textsAt(document: Document, path: readonly string[]): readonly string[] {
  const texts = valueAt(document.value, path);
  return isList(texts) ? texts.filter((text) => typeof text === 'string') : [];
}

/** Programs whose arguments are read in a container or on another machine. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'apptainer',
  'docker',
  'kubectl',
  'nerdctl',
  'podman',
  'singularity',
  'ssh',
]);

const SCRIPT = /^(?!-)(?!\w+:\/\/)\S+\.(?:[cm]?[jt]s|jar|jl|lua|php|pl|py|rb|[rR]|sh)$/;

/**
 * Indices of files that a command cannot start without: the program if it is a path, and scripts. Other arguments may
 * be models, code, or files that the program makes.
 */
export function neededFiles(command: readonly string[]): readonly number[] {
  const [program = ''] = command;
  const isElsewhere = ELSEWHERE.has(program.slice(program.lastIndexOf('/') + 1));
  return command.flatMap((part, index) => {
    if (index === 0) return part.includes('/') ? [index] : [];
    return !isElsewhere && SCRIPT.test(part) ? [index] : [];
  });
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Checked, type Diagnostic, Refused } from '../../kit/diagnostic.ts';
import { parseDocument } from '../../kit/document.ts';
import { expandEnvironment } from '../../kit/environment.ts';
import { isList } from '../../kit/json.ts';
import type { ScoringProgram } from '../../score/program-scorer.ts';
import type { AskedScorer } from '../../score/score-run.ts';
import { isWithin } from '../../suite/named-file.ts';
import type { CommandScorer, DeclaredScorer } from '../../suite/scorer.ts';
import { knowSecrets } from '../../targets/secrets.ts';
import type { Edge } from '../edge.ts';

export function askedScorers(scorers: readonly DeclaredScorer[]): readonly AskedScorer[] {
  return scorers.flatMap((scorer) => (scorer.use === 'command' || scorer.use === 'judge' ? [scorer] : []));
}

function commandScorers(scorers: readonly DeclaredScorer[]): readonly CommandScorer[] {
  return scorers.flatMap((scorer) => (scorer.use === 'command' ? [scorer] : []));
}

/** A shorter value may occur in any text by chance, and is no secret. */
const LEAST_SECRET = 8;

/**
 * How the programs of a suite are started: PATH and the variables that a scorer names are all of its environment.
 * @param folder of the suite: absolute
 */
export async function programScorers(
  scorers: readonly DeclaredScorer[],
  folder: string,
  env: Edge['env'],
): Promise<readonly ScoringProgram[]> {
  const programs: ScoringProgram[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const declared of commandScorers(scorers)) {
    const expanded = expandCommand(declared, env);
    const unset = declared.env.filter((name) => env[name] === undefined);
    for (const name of unset) {
      const cause = `the environment variable ${name} of scorer ${declared.name} is not set`;
      diagnostics.push({ place: null, cause, remedy: 'set it' });
    }
    if (!expanded.ok) diagnostics.push(...expanded.diagnostics);
    if (!expanded.ok || unset.length > 0) continue;
    const { command, variables } = expanded.value;
    const passedEnv = Object.fromEntries(['PATH', ...declared.env].flatMap((name) => entryOf(env, name)));
    const secrets = [...declared.env, ...variables].map((name) => env[name] ?? '');
    const { redact } = knowSecrets(secrets.filter(({ length }) => length >= LEAST_SECRET));
    const files = await filesOf(declared, folder);
    programs.push({ declared, command, files, env: passedEnv, redact });
  }
  if (diagnostics.length > 0) throw new Refused(diagnostics);
  return programs;
}

interface ExpandedCommand {
  readonly command: readonly string[];
  /** Names of the variables that it contains. */
  readonly variables: readonly string[];
}

/** Fills in variables: a record has the command as written. */
function expandCommand({ name, command }: CommandScorer, env: Edge['env']): Checked<ExpandedCommand> {
  const document = parseDocument(`scorer ${name}`, JSON.stringify(command));
  const expanded = document.ok ? expandEnvironment(document.value, env) : document;
  if (!expanded.ok) {
    const diagnostics = expanded.diagnostics.map(({ cause, remedy }) => ({
      place: null,
      cause: `scorer ${name}: ${cause}`,
      remedy,
    }));
    return { ok: false, diagnostics };
  }
  const words = expanded.value.document.value;
  const texts = isList(words) ? words.filter((word) => typeof word === 'string') : [];
  return { ok: true, value: { command: texts, variables: Object.keys(expanded.value.used) } };
}

function entryOf(env: Edge['env'], name: string): readonly (readonly [string, string])[] {
  const value = env[name];
  return value === undefined ? [] : [[name, value]];
}

/** SHA-256 of each file in the suite's folder that a command line names. Files that variables name are left out. */
async function filesOf({ command }: CommandScorer, folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const word of command) {
    const path = resolve(folder, word);
    if (path === folder || !isWithin(folder, path)) continue;
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) files[word] = await digestOfFile(path);
  }
  return files;
}

async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(path)) digest.update(piece);
  return digest.digest('hex');
}

import { ownValue } from '../../kit/json.ts';
import { withWire } from '../../run/wire.ts';
import { endFaults } from '../../targets/inputs.ts';
import { modelsTarget, readModels } from '../../targets/models.ts';
import { EMBEDDED, proxiesOf } from '../../targets/origins.ts';
import { renderQuestion } from '../../targets/request.ts';
import type { Endpoint, Target } from '../../targets/target.ts';
import { readKeys } from '../../workflow/endpoints.ts';
import { withWarnings } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';

type Dated = Pick<Target, 'id' | 'constants' | 'constTypes' | 'seen'>;

/** So many days before a default ends, the check fails; so many days after it was last seen, it is old. */
const FAILS_DAYS = 14;
const OLD_DAYS = 90;

export interface DatedFindings {
  readonly ended: readonly string[];
  readonly notes: readonly string[];
}

/** Defaults that have ended or end within 14 days, then those that end soon, and files last seen 90 days ago. */
export function datedFindings(targets: readonly Dated[], today: string): DatedFindings {
  const found = targets.flatMap((target) =>
    endFaults(`${target.id}: its default `, target, target.constants, today).map(({ on, cause, remedy }) => ({
      fails: on !== null && daysBetween(today, on) <= FAILS_DAYS,
      line: `${cause}; ${remedy}`,
    })),
  );
  return {
    ended: found.filter(({ fails }) => fails).map(({ line }) => line),
    notes: [
      ...found.filter(({ fails }) => !fails).map(({ line }) => line),
      ...targets.flatMap(({ id, seen }) => {
        if (seen === undefined || daysBetween(seen.on, today) <= OLD_DAYS) return [];
        return [`${id}: its defaults were last found on ${seen.on}, in ${seen.at}`];
      }),
    ],
  };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** `retake targets --check`: by the days in the files; of one target also by its provider's list of models. */
export async function checkTargets(targets: readonly Target[], today: string, edge: Edge): Promise<ExitCode> {
  const { ended, notes } = datedFindings(targets, today);
  for (const line of [...ended, ...notes]) printSentence(edge.out, line);
  const [target, ...others] = targets;
  const listed = target !== undefined && others.length === 0 ? await checkListed(target, edge) : EXIT.ok;
  if (ended.length === 0 && notes.length === 0 && others.length > 0) {
    printSentence(edge.out, `no default ends within 30 days of ${today}`);
  }
  return ended.length > 0 ? EXIT.failed : listed;
}

/** `failed` if the default is not in the list, `incomplete` without a list. */
async function checkListed(target: Target, edge: Edge): Promise<ExitCode> {
  const { models, constants, constTypes, baseUrl } = target;
  if (models === undefined || baseUrl === EMBEDDED) {
    printSentence(edge.out, `${target.id} does not say where its provider lists models; its page is in the file`);
    return EXIT.ok;
  }
  const asked = await askForModels(target, models, edge);
  if (typeof asked === 'string') {
    printSentence(edge.out, `${target.id}: ${asked}`);
    return EXIT.incomplete;
  }
  const type = ownValue(constTypes, models.constant);
  const known = type === undefined ? [] : 'known' in type ? type.known : 'values' in type ? type.values : [];
  const byDefault = ownValue(constants, models.constant);
  const names = new Set([...(byDefault === undefined || byDefault === null ? [] : [byDefault]), ...known].map(String));
  for (const name of names) {
    const ends = asked.get(name);
    const mark = name === byDefault ? ' (default)' : '';
    const state = ends === undefined ? 'is not in the list' : ends === null ? 'is in the list' : `ends on ${ends}`;
    printSentence(edge.out, `${name}${mark} ${state}`);
  }
  return typeof byDefault === 'string' && !asked.has(byDefault) ? EXIT.failed : EXIT.ok;
}

/** The provider's list of models, or why there is none. */
async function askForModels(
  target: Target,
  models: NonNullable<Target['models']>,
  edge: Edge,
): Promise<ReturnType<typeof readModels> | string> {
  const asking = modelsTarget(target, models);
  const { id, baseUrl } = target;
  const endpoint: Endpoint = { ...asking, name: id, target: asking, price: null };
  const secrets = withWarnings(edge, readKeys([endpoint], edge));
  const submit = renderQuestion(endpoint, NO_QUESTION, { baseUrl, secrets, digest: '' });
  const setup = {
    targets: { [id]: asking },
    connections: 1,
    proxies: proxiesOf(edge.env),
    secrets: Object.values(secrets),
  };
  return withWire(setup, { abort: edge.drain }, async (wire) => {
    const request = { target: id, baseUrl, submit, timeoutMs: TIMEOUT_MS, onThrottle: 'fail' } as const;
    const result = await wire.call(request, () => false);
    if (result.outcome !== 'ok') return `its provider gave no list: ${result.error.message || result.error.code}`;
    const listed = readModels(models, result.assets[0].bytes);
    return listed.size === 0 ? 'the reply of its provider has no list of models' : listed;
  });
}

const TIMEOUT_MS = 30_000;
const NO_QUESTION = { instructions: '', content: [], schema: {} };

import { type Checked, refused } from '../../suite/document/diagnostic.ts';
import { parseBaseUrl } from '../../targets/format/base-url.ts';
import type { Ask } from '../setup/plan/questions.ts';
import type { Deployments, InUse } from './ci-needs.ts';

export interface DeploymentOptions {
  readonly inUse?: string | undefined;
  readonly serverFiles?: readonly string[] | undefined;
}

export async function askDeployments(
  { inUse, serverFiles = [] }: DeploymentOptions,
  ask: Ask,
): Promise<Checked<Deployments>> {
  const used = await ask<string | null>({
    option: '--in-use',
    given: inUse,
    asks: 'Base URL of the deployment in use, to compare that of the suite with; none: with its own earlier runs',
    fallback: '',
    parse: (text) => {
      if (text === '') return { ok: true, value: null };
      const base = parseBaseUrl(text);
      return base.ok ? { ok: true, value: base.baseUrl } : refused(base.cause, base.remedy);
    },
  });
  if (!used.ok) return used;
  const files = await ask<readonly string[]>({
    option: '--server-files',
    given: serverFiles.length === 0 ? undefined : serverFiles.join(','),
    asks: 'Files of the server in this repository, such as server/**, separated by commas; none: it is elsewhere',
    fallback: '',
    parse: (text) => ({
      ok: true,
      value: text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    }),
  });
  return files.ok ? { ok: true, value: { inUse: used.value, serverFiles: files.value } } : files;
}

/** Rules for `plan` and `run`: a suite by itself cannot have `against: baseline` without a stored baseline. */
export const IN_USE_GATE =
  'gate=[{ metric: latency.total, against: baseline, max_increase: 10% }, { metric: error_rate, against: baseline, max_rise: 10% }]';

/** @param run name of the run, for the shell */
export function inUseCommands({ suiteName, variants }: InUse, run: string): readonly string[] {
  const servers = variants.map((name) => `--set "variants.${name}.base_url=$RETAKE_IN_USE"`).join(' ');
  return [
    `npx --no -- retake run "$RETAKE_SUITE" --out results/in-use --run "${run}" --quiet --yes ${servers} --set repeats=1 --set 'gate=[]' --set 'probes=[]' --set 'reports=[json]'`,
    `npx --no -- retake baseline "results/in-use/${suiteName}/${run}" --quiet`,
  ];
}

/** Arguments for `retake plan`; empty without a deployment in use. */
export function againstInUse(inUse: InUse | null): string {
  return inUse === null ? '' : ` --against results/in-use/${inUse.suiteName}/baseline.json --set "$RETAKE_GATE"`;
}

/** Arguments for `retake run`, which allow the origin that the stored baseline adds. */
export function runAgainstInUse(inUse: InUse | null): string {
  const origin = '"$(echo "$RETAKE_IN_USE" | cut -d/ -f1-3)"';
  return inUse === null ? '' : `${againstInUse(inUse)} --allow-origin ${origin}`;
}

import type { Checked } from '../kit/diagnostic.ts';
import type { Baseline } from '../record/kept-run.ts';
import type { Run } from '../record/run.ts';
import { declareRecorded } from '../suite/recorded-suite.ts';
import { resolveVariants } from '../targets/resolve.ts';
import type { Variant } from '../targets/target.ts';
import { keptTargets } from './prepare/kept-targets.ts';
import { storedVariants } from './prepare/stored-variants.ts';
import { distinctTargets, expandDeclared, needsEncoder, type PreparedSuite } from './prepare-suite.ts';

/** Values of variables, in place of those of this process. */
export type GivenValues = Readonly<Record<string, string | undefined>>;

/**
 * The suite of a record with its plan, expanded again from the documents in run.json. Reads no file, and of the
 * environment only what is given: the values themselves are in no record. Judges are left out.
 * @param baseline the stored baseline whose variants were sent again; null: none
 */
export async function prepareRecorded(
  run: Run,
  env: GivenValues,
  baseline: Baseline | null,
): Promise<Checked<PreparedSuite>> {
  const { looks, probes } = run.shard?.whole.plan ?? run.plan;
  const declared = await declareRecorded(run.suite.declared, run.prompts, env);
  if (!declared.ok) return declared;
  const suite = declared.value;
  const targets = keptTargets(run, suite.variants, env, { file: 'run.json', remedy: 'restore the file' });
  if (!targets.ok) return targets;
  const day = run.createdAt.slice(0, 10);
  const resolved = resolveVariants(suite, targets.value, day);
  if (!resolved.ok) return resolved;
  const own = resolved.value.map((variant) => atRecordedServer(variant, run));
  const todays = { day, suite, variants: own, targets: [...targets.value.values()] };
  const stored = baseline === null ? null : storedVariants(baseline, 'the stored baseline', todays, env);
  if (stored?.ok === false) return stored;
  const all = [...own, ...(stored?.value.variants ?? []).map((variant) => atRecordedServer(variant, run))];
  const absent = new Set(run.leftOut.map(({ variant }) => variant));
  const variants = all.filter((variant) => !(absent.has(variant.name) && needsEncoder(variant)));
  const nonce = probes?.nonce ?? 0;
  const planned = expandDeclared({
    ...suite,
    variants,
    nonce,
    // Claims follow from the suite.
    looks: looks?.kind === 'claim' ? undefined : looks?.kind,
  });
  if (!planned.ok) return planned;
  return {
    ok: true,
    value: {
      suite,
      overrides: run.suite.overrides,
      targets: distinctTargets([...todays.targets, ...(stored?.value.targets ?? [])]),
      variants,
      against: stored === null ? null : { run: stored.value.against, declared: stored.value.declared },
      judges: [],
      leftOut: run.leftOut,
      ...planned.value,
      nonce,
    },
  };
}

/** A server that a variable names is known from the record alone; no request depends on it. */
function atRecordedServer(variant: Variant, { variants }: Run): Variant {
  const recorded = variants.find(({ name }) => name === variant.name);
  const isNamed = (variant.baseUrlVariable ?? null) === null || recorded === undefined;
  return isNamed ? variant : { ...variant, baseUrl: recorded.baseUrl };
}

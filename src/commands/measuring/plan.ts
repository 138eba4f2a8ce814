import { resolve } from 'node:path';
import type { PlannedCase } from '../../gate/planned-reach.ts';
import { accepted } from '../../kit/diagnostic.ts';
import { type Redact, redactText } from '../../kit/redact.ts';
import { visibleLine } from '../../kit/visible.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { HistoryLine } from '../../record/kept-run.ts';
import { salvageHistory } from '../../record/read-record.ts';
import { isClaim } from '../../suite/gate.ts';
import type { Case } from '../../suite/suite.ts';
import { type ShownRequest, showBody, showRequest } from '../../targets/call-event.ts';
import type { Credential } from '../../targets/credential.ts';
import { EMBEDDED } from '../../targets/origins.ts';
import { encodeBody, outgoingSubmit } from '../../targets/outgoing.ts';
import { type RenderedRequest, renderSubmit, requestDigest } from '../../targets/request.ts';
import type { Variant } from '../../targets/target.ts';
import { costEstimate } from '../../workflow/confirm-run.ts';
import { type PlannedSuite, planSuite } from '../../workflow/plan-suite.ts';
import { takeShare } from '../../workflow/prepare-run.ts';
import { chooseLooks, readNewRun, readShard } from '../../workflow/run-arguments.ts';
import { plannedHeader, withoutQuery } from '../../workflow/run-header.ts';
import { scorersOf, sourcesOf } from '../../workflow/sources.ts';
import { storedAdditions } from '../../workflow/stored-additions.ts';
import type { plan } from '../declared/measuring-commands.ts';
import { describeSent } from '../display/describe-call.ts';
import { plannedHold } from '../display/plan/describe-hold.ts';
import type { EarlierCalls } from '../display/plan/describe-load.ts';
import { describePlan } from '../display/plan/describe-plan.ts';
import { variantReaches } from '../display/plan/describe-reach.ts';
import { withWarnings } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printText } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type PlanArguments = Partial<ArgumentsOf<typeof plan>> &
  Pick<ArgumentsOf<typeof plan>, 'suite' | 'set' | 'json' | 'bodies'>;

/** `retake plan`: what a run of the suite, or a shard, would send, and what it could show. Sends nothing. */
export async function planCommand(args: PlanArguments, edge: Edge): Promise<ExitCode> {
  const { suite, json, bodies, shard } = args;
  const share = readShard(shard);
  const looks = chooseLooks(args);
  const { named, label, vantage } = readNewRun({ ...args, shard: undefined, resendUnknown: false });
  const run = { id: named.run, label, ...(vantage === null ? {} : { vantage }) };
  const whole = withWarnings(edge, await planSuite(suite, args, edge, { looks }));
  const prepared = accepted(takeShare(whole, share));
  const cost = costEstimate(prepared);
  const reaches = variantReaches(cost, prepared);
  const additions = storedAdditions(prepared, args.allowOrigin ?? [], edge);
  const { plan, variants } = prepared;
  const { cases, seeds, limits } = prepared.suite;
  const requests = bodies ? plannedRequests(variants, cases, seeds) : [];
  const folder = resolve(edge.cwd, args.out ?? 'results', whole.suite.name);
  const hasClaims = prepared.suite.gate.some(isClaim);
  const published = hasClaims ? (plannedHeader(prepared, run.id ?? '', edge.env).published ?? null) : null;
  const lines = salvageHistory(folder);
  const gate = await gateByHistory(whole, run.vantage ?? null, folder, lines);
  if (json) {
    for (const request of requests) edge.out.write(`${JSON.stringify(request)}\n`);
    if (run.id !== null || run.label !== null || run.vantage !== undefined)
      edge.out.write(`${JSON.stringify({ run })}\n`);
    for (const line of planLines(plan)) edge.out.write(line);
    const hold = plannedHold(prepared.suite, variants.length, plan);
    const found = [
      ...reaches.map((reach) => ({ reach })),
      ...gate.map((plannedCase) => ({ rule: ruleReach(plannedCase) })),
      ...(hold === null ? [] : [{ hold }]),
      ...(plan.looks === null ? [] : [{ looks: plan.looks }]),
      ...(published === null ? [] : [{ published }]),
      ...additions.map((addition) => ({ addition })),
      ...sourcesOf(prepared, edge).map((source) => ({ source })),
      ...scorersOf(prepared).map((scorer) => ({ scorer })),
      { cost: { ...cost, limitUsd: limits.usd } },
    ];
    for (const line of found) edge.out.write(`${JSON.stringify(line)}\n`);
  } else {
    const shown = {
      ...prepared,
      gate,
      earlier: earlierCalls(lines),
      run,
      published,
      additions,
      cost,
      reaches,
    };
    printText(edge.out, describePlan(shown, edge));
    for (const request of requests) edge.out.write(describePlanned(request));
  }
  return EXIT.ok;
}

const LATENCY = 'latency.total';

/** Mean times of calls in earlier runs; a sweep has none. */
function earlierCalls(lines: readonly HistoryLine[]): readonly EarlierCalls[] {
  return lines.flatMap(({ run, startedAt, variants }): EarlierCalls[] => {
    const callMs = variants.flatMap(({ variant, meanLn }): [string, number][] => {
      const ln = meanLn[LATENCY];
      return ln === undefined ? [] : [[variant, Math.exp(ln)]];
    });
    return callMs.length === 0 ? [] : [{ run, startedAt, callMs: new Map(callMs) }];
  });
}

/** What a rule can find of a variant; `index`: as in verdict.json. */
function ruleReach({ ruleCase, units, n, reach }: PlannedCase) {
  const { index, rule, variant, baseline } = ruleCase;
  return { index, metric: rule.metric, variant: variant.name, against: baseline?.name ?? null, units, n, reach };
}

function* planLines({ slices }: Plan): Iterable<string> {
  for (const { index, trials, pace } of slices) {
    for (const [at, trial] of trials.entries()) {
      const due = pace.mode === 'open' ? { dueMs: pace.startsMs[at] } : {};
      yield `${JSON.stringify({ slice: index, ...shown(trial), ...due })}\n`;
    }
  }
}

function shown(trial: Trial): Omit<Trial, 'seed' | 'requestDigest'> {
  if (trial.probe?.kind !== 'cache') return trial;
  const { seed: _seed, requestDigest: _digest, ...same } = trial;
  return same;
}

function describePlanned({ variant, prompt, seed, request }: PlannedRequest): string {
  const title = visibleLine(`${variant} asks for ${prompt} with ${seed === null ? 'no seed' : `seed ${seed}`}:`);
  return `\n${[title, ...describeSent(request)].join('\n')}\n`;
}

/** Adds earlier runs for the rules about them. */
async function gateByHistory(
  { gate, suite, plan, variants }: PlannedSuite,
  vantage: string | null,
  folder: string,
  lines: readonly HistoryLine[],
): Promise<PlannedSuite['gate']> {
  if (!gate.some(({ reach }) => reach.can === 'decide_runs')) return gate;
  const [{ withEarlierRuns }, { countedLines }] = await Promise.all([
    import('../../gate/check-rules.ts'),
    import('../../workflow/history.ts'),
  ]);
  const since = await countedLines(folder, lines);
  const recorded = variants.map(({ name, baseUrl }) => ({ name, baseUrl: withoutQuery(baseUrl) }));
  return withEarlierRuns(
    gate,
    { plan: { ...plan, load: suite.load }, variants: recorded, vantage },
    since.ok ? since.value : lines,
  );
}

export interface PlannedRequest {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly request: ShownRequest;
}

/** Redacts nothing: a plan contains names of secrets, not their values. */
const SHORTEN: Redact = (text, length) => redactText(() => [], 0, text, length);

/** Stands for the URL of the reference service, which only exists during a run. */
const EMBEDDED_ORIGIN = 'http://embedded.invalid';

/** One per variant and set of inputs, with `${secret.NAME}`, `${run.unique}` and `${run.jwt}` for their values. */
export function plannedRequests(
  variants: readonly Variant[],
  cases: readonly Case[],
  seeds: readonly number[],
): readonly PlannedRequest[] {
  const [seed = null] = seeds;
  return variants.flatMap((variant) => {
    const kinds = new Map<string, Case>();
    for (const one of cases.filter((promptCase) => promptCase.kinds.includes(variant.kind))) {
      const given = Object.keys(one.inputs).filter((name) => one.inputs[name] !== null);
      const kind = JSON.stringify([one.images.length, one.mask !== null, given.sort()]);
      if (!kinds.has(kind)) kinds.set(kind, one);
    }
    return [...kinds.values()].map((one) => ({
      variant: variant.name,
      prompt: one.id,
      seed,
      request: showPlanned(variant, one, seed),
    }));
  });
}

function showPlanned(variant: Variant, one: Case, seed: number | null): ShownRequest {
  const { target } = variant;
  const names = target.secrets.map((name) => [name, `\${secret.${name}}`] as const);
  const baseUrl = variant.baseUrl === EMBEDDED ? EMBEDDED_ORIGIN : variant.baseUrl;
  const inputs = { case: one, seed };
  const digest = requestDigest(variant, inputs);
  const scope = { baseUrl, secrets: Object.fromEntries(names), unique: '${run.unique}', digest };
  const submit = renderSubmit(variant, inputs, scope);
  const credential = () => placeholder(submit.credential);
  const encoded = { ...submit, body: encodeBody(submit.body) };
  const outgoing = outgoingSubmit(encoded, { origins: target.origins, baseUrl, credential });
  const shown = showRequest(outgoing, showBody(submit.body, SHORTEN), SHORTEN, true);
  return {
    ...shown,
    url: plain(shown.url, [...names.map(([, text]) => text), '${run.unique}', '${run.jwt}']).replace(
      EMBEDDED_ORIGIN,
      EMBEDDED,
    ),
    headers: shown.headers.map(([name, value]) => [name, withoutBase64(value, names)]),
  };
}

/** A token is signed when a call begins, so a plan has none. */
function placeholder(credential: RenderedRequest['credential']): Credential | null {
  if (credential === null || !('jwt' in credential)) return credential;
  const { before, after, in: where, name } = credential;
  return { in: where, name, value: `${before}\${run.jwt}${after}` };
}

/** Decodes placeholders that the URL has percent-encoded. */
function plain(url: string, placeholders: readonly string[]): string {
  return placeholders.reduce((text, one) => text.replaceAll(encodeURIComponent(one), one), url);
}

/** Restores a placeholder that the filter b64 has encoded. */
function withoutBase64(value: string, names: readonly (readonly [name: string, text: string])[]): string {
  return names.reduce(
    (text, [name, one]) => text.replaceAll(Buffer.from(one, 'utf8').toString('base64'), `\${secret.${name} | b64}`),
    value,
  );
}

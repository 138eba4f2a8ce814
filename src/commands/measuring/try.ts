import { statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { valueAt } from '../../kit/document.ts';
import { isMediaExtension } from '../../media/header.ts';
import { takesSeed } from '../../plan/probes.ts';
import { startClock } from '../../run/clock.ts';
import { startWire, type Wire } from '../../run/wire.ts';
import type { CallResult } from '../../targets/call.ts';
import { proxiesOf, proxyFor } from '../../targets/origins.ts';
import { renderSubmit, requestDigest } from '../../targets/request.ts';
import { knowSecrets, readSecrets, type Secrets } from '../../targets/secrets.ts';
import type { Target } from '../../targets/target.ts';
import { type Edge, EXIT, type ExitCode, printSentence, printText } from '../../workflow/edge.ts';
import { checkEmbedded, type Endpoints, withEndpoints } from '../../workflow/endpoints.ts';
import { createCallLog, type WrittenCredential } from '../display/call-log.ts';
import { describeOutcome, describeRequest, describeResult } from '../display/describe-call.ts';
import { withWarnings } from '../display/print.ts';
import {
  effectiveResult,
  type OutputSaver,
  openOutputSaver,
  type SavedOutput,
  summarise,
  type Tried,
} from '../display/save-outputs.ts';
import { openFolder } from '../display/write-file.ts';
import { resolveTry, type TriedTarget, type TryRequest } from './try-target.ts';

interface TryArguments extends TryRequest {
  readonly n: number;
  readonly bodies: boolean;
  readonly out: string;
}

const MOST_CALLS = 1000;

/** `retake try`: calls one target and shows every request and timestamp. With -n also p50. */
export async function tryCommand(args: TryArguments, edge: Edge): Promise<ExitCode> {
  if (!Number.isInteger(args.n) || args.n < 1 || args.n > MOST_CALLS) {
    printSentence(edge.err, `retake try: -n takes a whole number from 1 to ${MOST_CALLS}`);
    return EXIT.misuse;
  }
  if (!Number.isInteger(args.seed)) {
    printSentence(edge.err, 'retake try: --seed takes a whole number');
    return EXIT.misuse;
  }
  const tried = withWarnings(edge, await resolveTry(args, edge));
  checkEmbedded([tried.variant], edge);
  const secrets = withWarnings(edge, readSecrets([tried.variant], edge.env));
  edge.redactErrors(knowSecrets(Object.values(secrets)).redact);
  const { folder, stem: named } = placeOf(resolve(edge.cwd, args.out));
  // Before the call, which costs money.
  openFolder(folder);
  const stem = named ?? `try-${tried.variant.target.id.replace(/[^A-Za-z0-9.-]+/g, '-')}-seed-${args.seed}`;
  const saver = await openOutputSaver(folder, edge.drain);
  let results: readonly Tried[];
  try {
    results = await callRepeatedly(tried, secrets, args, { ...saver, stem }, edge);
  } finally {
    await saver.close();
  }
  summarise(results, edge);
  const allWell = results.every(({ totalMs, outputs }) => totalMs !== null && outputs[0]?.decodes === true);
  return allWell && results.length === args.n ? EXIT.ok : EXIT.incomplete;
}

/** The folder of the outputs, and the start of their names if a file is named; null: a name is made. */
function placeOf(path: string): { readonly folder: string; readonly stem: string | null } {
  const extension = extname(path);
  if (!isMediaExtension(extension.slice(1).toLowerCase()) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return { folder: path, stem: null };
  }
  return { folder: dirname(path), stem: basename(path, extension) };
}

async function callRepeatedly(
  tried: TriedTarget,
  secrets: Secrets,
  { n, seed, bodies }: TryArguments,
  saver: OutputSaver & { readonly stem: string },
  edge: Edge,
): Promise<readonly Tried[]> {
  const { variant } = tried;
  const results: Tried[] = [];
  const proxies = proxiesOf(edge.env);
  await withEndpoints([variant], secrets, edge, async (endpoints) => {
    const wire = await startWire({
      origin: startClock().origin,
      targets: { [variant.target.id]: variant.target },
      connections: 1,
      proxies,
      secrets: endpoints.secretValues,
      jitter: 1,
    });
    edge.drain.addEventListener('abort', wire.abort);
    try {
      const baseUrl = endpoints.baseUrlOf(variant);
      printText(edge.out, `${describeRequest(variant.target, baseUrl, takesSeed(variant) ? seed : null)}\n`);
      const proxy = proxyFor(new URL(baseUrl), proxies);
      if (proxy !== null)
        printText(edge.out, `through the proxy ${proxy.origin} (${proxy.variable}): its time is in each latency\n`);
      for (let call = 1; call <= n && !edge.drain.aborted; call += 1) {
        // Of several calls each that is ok is one line; all requests of the others are shown.
        const brief = n > 1 && !bodies;
        if (n > 1 && bodies) edge.out.write(`\ncall ${call} of ${n}\n`);
        const held: string[] = [];
        const result = await callOnce(
          tried,
          { seed, bodies },
          wire,
          endpoints,
          brief ? (text) => held.push(text) : null,
          edge,
        );
        const outputs: SavedOutput[] = [];
        if (brief) {
          printText(edge.out, `call ${call} of ${n}: ${describeOutcome(result)}\n`);
          if (result.outcome !== 'ok') printText(edge.out, held.join(''));
        }
        for (const [index, asset] of (result.outcome === 'ok' ? result.assets : []).entries()) {
          const name = `${saver.stem}${n > 1 ? `-call-${call}` : ''}${index === 0 ? '' : `-output-${index + 1}`}`;
          const output = await saver.save(asset, name);
          printText(edge.out, `${(brief ? [output.brief] : output.lines).join('\n')}\n`);
          outputs.push(output);
        }
        const { startedMs, doneMs } = result.marks;
        const ok = result.outcome === 'ok' && doneMs !== undefined;
        results.push({ totalMs: ok ? doneMs - startedMs : null, outputs });
      }
    } finally {
      edge.drain.removeEventListener('abort', wire.abort);
      await wire.close();
    }
  });
  return results;
}

/** @param hold gets the text instead of the terminal */
async function callOnce(
  { variant, case: oneCase }: TriedTarget,
  { seed, bodies }: Pick<TryArguments, 'seed' | 'bodies'>,
  wire: Wire,
  endpoints: Endpoints,
  hold: ((text: string) => void) | null,
  edge: Edge,
): Promise<CallResult> {
  const baseUrl = endpoints.baseUrlOf(variant);
  const inputs = { case: oneCase, seed };
  const digest = requestDigest(variant, inputs);
  const submit = renderSubmit(variant, inputs, { baseUrl, secrets: endpoints.secretsOf(variant), digest });
  const request = {
    target: variant.target.id,
    baseUrl,
    origins: variant.origins,
    submit,
    timeoutMs: variant.timeoutMs,
    onThrottle: 'wait',
    bodies,
  } as const;
  const log = createCallLog(baseUrl, writtenCredential(variant.target));
  // A body is shown as sent, for copying.
  const write = hold ?? (bodies ? edge.out.write : (text: string) => printText(edge.out, text));
  const print = (lines: readonly string[]) => {
    for (const line of lines) write(`${line}\n`);
  };
  const called = await wire.call(
    request,
    () => !edge.drain.aborted,
    () => {},
    (event) => print(log.add(event)),
  );
  print(log.end());
  const result = effectiveResult(called, variant.target, wire.secrets);
  print(describeResult(result, log.zeroMs() ?? result.marks.startedMs, takesSeed(variant) ? seed : null));
  return result;
}

/** Shows only the target's own text of a credential. */
function writtenCredential({ auth, declared }: Target): WrittenCredential | null {
  const written = valueAt(declared, ['auth', 'value']);
  return auth?.in === 'header' && typeof written === 'string' ? { header: auth.name.toLowerCase(), written } : null;
}

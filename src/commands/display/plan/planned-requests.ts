import { type Redact, redactText } from '../../../kit/visible.ts';
import type { Case } from '../../../suite/suite.ts';
import { type ShownRequest, showBody, showRequest } from '../../../targets/call-event.ts';
import type { Credential } from '../../../targets/credential.ts';
import { EMBEDDED } from '../../../targets/origins.ts';
import { encodeBody, outgoingSubmit } from '../../../targets/outgoing.ts';
import { type RenderedRequest, renderSubmit, requestDigest } from '../../../targets/request.ts';
import type { Variant } from '../../../targets/target.ts';

export interface PlannedRequest {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly request: ShownRequest;
}

/** A plan contains names of secrets, not their values. */
const SHORTEN: Redact = (text, length) => redactText(() => [], 0, text, length);

/** Stands for the address of the reference service, which only exists during a run. */
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
    for (const one of cases.filter((each) => each.kinds.includes(variant.kind))) {
      const given = Object.keys(one.inputs).filter((name) => one.inputs[name] !== null);
      const kind = JSON.stringify([one.image !== null, given.sort()]);
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

/** The token of a run is only signed when a call begins. */
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

import { type Checked, type Diagnostic, distinctDiagnostics } from '../kit/diagnostic.ts';
import { wholeBillionths } from '../kit/most-usd.ts';
import { CONTROL_SAMPLES, CONTROLS } from '../record/codes.ts';
import type { JudgeScorer } from '../suite/scorer.ts';
import type { DeclaredJudge } from '../suite/suite.ts';
import { resolveJudge } from '../targets/resolve.ts';
import type { Endpoint } from '../targets/target.ts';
import { utcDay } from './clock.ts';
import { loadReferenced, type ReferenceOptions } from './declared-files.ts';

export interface PreparedJudge extends DeclaredJudge {
  readonly endpoint: Endpoint;
}

/** Judges with their targets, or all faults. Sends nothing and reads no key. `suiteFile` is absolute. */
export async function prepareJudges(
  declared: readonly DeclaredJudge[],
  suiteFile: string,
  options: ReferenceOptions & { readonly today?: string | undefined },
): Promise<Checked<readonly PreparedJudge[]>> {
  const judges: PreparedJudge[] = [];
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  for (const judge of declared) {
    const target = await loadReferenced(judge.target, suiteFile, judge.targetSource, options);
    const endpoint = target.ok ? resolveJudge(judge, target.value, options.today ?? utcDay()) : target;
    if (!endpoint.ok) {
      diagnostics.push(...endpoint.diagnostics);
      continue;
    }
    if (target.ok) warnings.push(...(target.warnings ?? []));
    warnings.push(...(endpoint.warnings ?? []));
    const { limits } = judge.scorer;
    if (limits.usd !== null && endpoint.value.price === null) {
      const cause = `limits.usd needs the highest cost of a request of "${judge.name}", and its price is unknown`;
      const remedy = 'add price: { per: request, usd: 0.005 }, or limit the requests instead';
      diagnostics.push({ place: judge.place, cause, remedy });
    }
    const namesake = judges.find(
      ({
        endpoint: {
          target: { id, file },
        },
      }) => {
        const judge = endpoint.value.target;
        return id === judge.id && file !== judge.file;
      },
    );
    if (namesake !== undefined) {
      const cause = `the target of "${judge.name}" has the id of another target, that of "${namesake.name}"`;
      diagnostics.push({ place: judge.place, cause, remedy: 'give it another id' });
    }
    judges.push({ ...judge, endpoint: endpoint.value });
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics: distinctDiagnostics(diagnostics) };
  return { ok: true, value: judges, warnings: distinctDiagnostics(warnings) };
}

const ORDERS = 2;

export interface JudgeUse {
  /** If each is sent once. */
  readonly requests: number;
  /** Requests that its limits allow. */
  readonly allowedRequests: number;
  /** Cost of the allowed requests in US dollars; null: unknown price. */
  readonly mostUsd: number | null;
}

/** What a judge may use for a plan. `priceUsd` is of one request; null: unknown. */
export function plannedUse(
  { limits }: Pick<JudgeScorer, 'limits'>,
  priceUsd: number | null,
  { pairs, kinds }: { readonly pairs: number; readonly kinds: number },
): JudgeUse {
  return usedWithin(limits, priceUsd, ORDERS * (pairs + kinds * CONTROL_SAMPLES * CONTROLS.length));
}

/** The part of so many requests that a judge's limits allow. */
export function usedWithin(limits: JudgeScorer['limits'], priceUsd: number | null, requests: number): JudgeUse {
  const paid = limits.usd === null || priceUsd === null || priceUsd === 0 ? Infinity : limits.usd / priceUsd;
  // The quotient of 0.3 and 0.1 is slightly below 3.
  const affordable = Math.floor(wholeBillionths(paid));
  const allowedRequests = Math.min(requests, limits.requests ?? Infinity, affordable);
  const mostUsd = priceUsd === null ? null : wholeBillionths(allowedRequests * priceUsd);
  return { requests, allowedRequests, mostUsd };
}

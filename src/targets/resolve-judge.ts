import { type Checked, diagnoseFrom } from '../kit/diagnostic.ts';
import type { DeclaredEndpoint } from '../suite/format/suite.ts';
import { EMBEDDED, type Endpoint, type Target } from './model/target.ts';
import { refuseQuestion } from './request/request.ts';
import { resolveEndpoint } from './resolve-endpoint.ts';

/** A judge with its target, or diagnostics for all that the target does not accept. */
export function resolveJudge(declared: DeclaredEndpoint, target: Target): Checked<Endpoint> {
  if (target.kind !== 'judge') {
    const cause = `${target.id} is not a judge: it generates (${target.kind})`;
    const remedy = 'name a target of kind judge: retake targets judge';
    return { ok: false, diagnostics: [diagnoseFrom(declared.targetSource, { cause, remedy })] };
  }
  const { endpoint, diagnostics, warnings } = resolveEndpoint(declared, target);
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  if (endpoint.baseUrl === EMBEDDED) {
    const fault = { cause: 'the reference service has no judge', remedy: 'set base_url to the URL of a server' };
    return { ok: false, diagnostics: [diagnoseFrom(declared.baseUrl?.source ?? declared.targetSource, fault)] };
  }
  const problems = refuseQuestion(endpoint).map((cause) =>
    diagnoseFrom(declared.targetSource, {
      cause: `${target.id}: ${cause}`,
      remedy: `correct the template in ${target.file}`,
    }),
  );
  return problems.length > 0 ? { ok: false, diagnostics: problems } : { ok: true, value: endpoint, warnings };
}

import { type Checked, type Diagnostic, distinctDiagnostics } from '../kit/diagnostic.ts';
import type { DeclaredJudge } from '../suite/format/suite.ts';
import type { Endpoint } from '../targets/model/target.ts';
import { resolveJudge } from '../targets/resolve-judge.ts';
import { loadReferenced, type ReferenceOptions } from './load-target.ts';

/** A judge that can be asked. */
export interface PreparedJudge extends DeclaredJudge {
  readonly endpoint: Endpoint;
}

/**
 * Judges with their targets, or all that is wrong with them. Sends nothing and reads no key.
 * @param suiteFile absolute: what names their targets
 */
export async function prepareJudges(
  declared: readonly DeclaredJudge[],
  suiteFile: string,
  options: ReferenceOptions,
): Promise<Checked<readonly PreparedJudge[]>> {
  const judges: PreparedJudge[] = [];
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  for (const judge of declared) {
    const target = await loadReferenced(judge.target, suiteFile, judge.targetSource, options);
    const endpoint = target.ok ? resolveJudge(judge, target.value) : target;
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
        const own = endpoint.value.target;
        return id === own.id && file !== own.file;
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

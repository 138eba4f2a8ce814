import type { VariantSummary } from '../../../analysis/analysis.ts';
import type { Kind } from '../../../suite/format/kind.ts';
import { KIND_NAMES } from '../../words/names.ts';
import { html, type Markup } from './markup.ts';

/** False where the run has one kind only: its plan names it. */
export function kindHead(kind: Kind, variants: readonly Pick<VariantSummary, 'kind'>[]): Markup | false {
  return variants.some((variant) => variant.kind !== kind) && html`<h4>${KIND_NAMES[kind]}</h4>`;
}

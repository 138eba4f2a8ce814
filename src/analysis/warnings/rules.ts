import { COMPARABILITY } from './comparability.ts';
import { EVIDENCE } from './evidence.ts';
import { INPUTS } from './inputs.ts';
import { LATENCY } from './latency.ts';
import { MISSING } from './missing.ts';
import { OVERLOAD } from './overload.ts';
import { SEEDS } from './seeds.ts';

/** First warnings that make numbers void, then those that bias them, then those about missing evidence. */
export const RULES = [...OVERLOAD, ...MISSING, ...LATENCY, ...COMPARABILITY, ...INPUTS, ...SEEDS, ...EVIDENCE];

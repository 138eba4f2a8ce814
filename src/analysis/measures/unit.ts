import { z } from 'zod';
import type { Recorded } from '../../kit/declare.ts';

export const unitSchema = z
  .enum(['ms', '1', '1/s', 'usd', 'outputs', 'in_flight', 'levels', 'levels2', 'score'])
  .meta({ id: 'Unit', description: 'A unit.' });
export type Unit = Recorded<typeof unitSchema>;

export const better = z.enum(['lower', 'higher']).nullable();

export type Better = z.output<typeof better>;

import { z } from 'zod';
import { UNITS } from '../../kit/value-words.ts';

export const unitSchema = z.enum(UNITS).meta({ id: 'Unit', description: 'A unit.' });

export const better = z.enum(['lower', 'higher']).nullable();

export type Better = z.output<typeof better>;

import { z } from 'zod';
import { choice, type Recorded } from '../kit/declare.ts';
import { UNITS } from '../kit/value-words.ts';
import { NUMBERED_NOTE_CODES, PLAIN_NOTE_CODES } from './note.ts';

export const unitSchema = z.enum(UNITS).meta({ id: 'Unit', description: 'A unit.' });

export const betterSchema = z.enum(['lower', 'higher']).nullable();

export type Better = z.output<typeof betterSchema>;

export const methodSchema = z
  .enum([
    'order_statistics',
    'mean',
    'minimum',
    'maximum',
    'clopper_pearson',
    'clopper_pearson_upper',
    'jackknife_t',
    'full_slots',
    'done_while_due',
    'student',
    'count',
    'departures_of_takes',
    'first_warmup',
    'spend_per_output',
    'sum',
    'over_outputs',
    'loads',
  ])
  .meta({ id: 'MethodCode', description: 'How value and interval were made.' });
export type MethodCode = Recorded<typeof methodSchema>;

export const noteSchema = choice('Note', 'What must be known to read a number: a code, some with a number.', 'code', [
  z.strictObject({ code: z.enum(PLAIN_NOTE_CODES) }),
  z.strictObject({
    code: z.enum(NUMBERED_NOTE_CODES),
    value: z.number().describe('The number that belongs to the code.'),
  }),
]);

import { z } from 'zod';
import { choice } from '../kit/declare.ts';
import { NUMBERED_NOTE_CODES, PLAIN_NOTE_CODES } from './note.ts';

export const noteSchema = choice('Note', 'What must be known to read a measure: a code, some with a number.', 'code', [
  z.strictObject({ code: z.enum(PLAIN_NOTE_CODES) }),
  z.strictObject({
    code: z.enum(NUMBERED_NOTE_CODES),
    value: z.number().describe('The number that belongs to the code.'),
  }),
]);

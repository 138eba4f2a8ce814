import { count, milliseconds, part, type Recorded, shape } from '../../kit/declare.ts';

export const togetherSchema = shape('RunTogether', 'How far the workers of a fleet kept in step.', {
  slices: count.describe('Slices that were sent, each by all of its workers together.'),
  spreadMs: part('From the word to send a slice until its last worker had answered that it began, in milliseconds.', {
    p50: milliseconds.nullable().describe('The median over slices; null without a slice.'),
    most: milliseconds.nullable().describe('Of the slice with the most; null without a slice.'),
  }),
});
export type RunTogether = Recorded<typeof togetherSchema>;

import { z } from 'zod';

export const everyWarning = {
  unfit: z.literal(true).exactOptional().describe('The numbers are not fit for use; absent if they are.'),
};

export const variants = z.array(z.string()).describe('The names of the variants.');
export const mode = z.enum(['closed', 'open']);
export const media = z.enum(['image', 'video']);
export const statistic = z.enum(['p99', 'max']);
export const shardNumber = z.int().min(1);

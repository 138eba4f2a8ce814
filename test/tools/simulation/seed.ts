import { digestOf } from '../../fixtures/stored-run-builder.ts';

/** The seed of what is named so: streams of random numbers that have nothing to do with each other. */
export function seedOf(name: string): number {
  return Number.parseInt(digestOf(name).slice(0, 12), 16);
}

import type { Run } from '../model/run.ts';

/** The digests of the input images of a run, each once. */
export function inputImages({ prompts }: Pick<Run, 'prompts'>): ReadonlySet<string> {
  return new Set(prompts.flatMap(({ image }) => image ?? []));
}

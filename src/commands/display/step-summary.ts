import { appendFile } from 'node:fs/promises';
import { type Edge, printSentence } from '../edge.ts';

/** In a GitHub Actions job. If the file cannot be written, only says so: the run's folder has the summary too. */
export async function appendStepSummary(summary: string, { env, err }: Pick<Edge, 'env' | 'err'>): Promise<void> {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, summary);
  } catch (error) {
    printSentence(
      err,
      `cannot append to GITHUB_STEP_SUMMARY: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

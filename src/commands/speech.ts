import type { WorkflowEdge } from '../workflow/workflow-edge.ts';
import { type Edge, printSentence } from './edge.ts';

type Speech = Pick<WorkflowEdge, 'say' | 'count' | 'agree'>;

export type SilentEdge = Omit<Edge, keyof Speech>;

/** Adds how a process speaks with a person: on standard error, and by questions on a terminal. */
export function withSpeech<T extends SilentEdge>(edge: T): T & Speech {
  const { err } = edge;
  const speech: Speech = {
    say: (sentence) => printSentence(err, sentence),
    count: (doing, done, total) => {
      if (err.interactive) err.write(`\r${doing} ${done} / ${total}${done === total ? '\n' : ''}`);
    },
    agree: async (option, question) => {
      // Loaded only here: most commands ask nothing.
      const { agree } = await import('./line/questions.ts');
      return agree(edge, option, question);
    },
  };
  return Object.assign(edge, speech);
}

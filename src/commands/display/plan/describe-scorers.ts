import { commandLine } from '../../../kit/shell-words.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, listed, plural, usd } from '../../../kit/wording.ts';
import type { PlanScorer } from '../../../workflow/sources.ts';

/** A sentence for each scorer: what it starts, or where its values come from. */
export function describeScorers(scorers: readonly PlanScorer[]): readonly string[] {
  return scorers.map((scorer) => visibleLine(`scorer ${scorer.name} ${describeScorer(scorer)}`));
}

function describeScorer(scorer: PlanScorer): string {
  switch (scorer.use) {
    case 'command': {
      const { command, env, mostOutputs } = scorer;
      const gets = env.length === 0 ? '' : `, with ${listed(env)}`;
      const outputs = plural(mostOutputs, 'output');
      return `starts ${commandLine(command)}${gets}, for at most ${outputs}; a run needs --allow-commands`;
    }
    case 'file':
      return `takes values from a file, for at most ${plural(scorer.mostOutputs, 'output')}: retake score RUN --from FILE.csv`;
    case 'judge': {
      const { target, mostPairs, requests, allowedRequests, mostUsd, to } = scorer;
      const cost = mostUsd === null ? 'of unknown cost' : mostUsd === 0 ? 'at no cost' : usd(mostUsd);
      const pairs = `${plural(mostPairs, 'pair')} in both orders, and copies that are known to be worse`;
      const sends = `is a judge (${target}): sends prompts, input images and outputs to ${listed(to)}`;
      if (allowedRequests >= requests)
        return `${sends}; ${plural(requests, 'request')} if each is sent once (${pairs}), ${cost}`;
      return `${sends}; its limits allow ${count(allowedRequests)} of ${plural(requests, 'request')} (${pairs}), ${cost}: some pairs stay unjudged`;
    }
  }
}

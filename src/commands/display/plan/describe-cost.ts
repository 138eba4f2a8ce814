import { dirname } from 'node:path';
import { groupBy } from '../../../kit/grouping.ts';
import { variantNames } from '../../../kit/names.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { commandLine, count, listed, plural, usd } from '../../../kit/wording.ts';
import type { CostEstimate, VariantEstimate } from '../../../plan/estimate.ts';
import { shownPath } from '../../../suite/named-file.ts';
import type { Unbounded } from '../../../targets/cost-bounds.ts';
import type { PlanScorer, PlanSource } from '../../../workflow/sources.ts';

export function describeCost({ variants, ...all }: CostEstimate, limitUsd: number | null): readonly string[] {
  const priced = variants.filter((variant) => !('unknown' in variant));
  const unknown = variants.length - priced.length;
  const whole =
    priced.length === 0 ? 'unknown' : `${costRange(all)} by the declared prices, if each request is sent once`;
  const without = unknown === 0 || priced.length === 0 ? '' : `; without ${plural(unknown, 'variant')} of unknown cost`;
  const stops =
    limitUsd !== null && all.mostUsd > limitUsd
      ? [`  limits.usd (${usd(limitUsd)}) may stop the run before the end of the plan`]
      : [];
  const isFree = unknown === 0 && all.mostUsd === 0;
  const each = isFree || (variants.length === 1 && unknown === 0) ? [] : describeVariants(variants, priced.length > 0);
  return [`Cost: ${whole}${without}`, ...each, ...stops];
}

/** What a fleet sends that measures the plan once from each vantage; limits hold for each. */
export function describeVantages(cost: CostEstimate, requests: number, vantages: number): readonly string[] {
  if (vantages === 1) return [];
  const most = cost.mostUsd > 0 ? `, at most ${usd(vantages * cost.mostUsd)}` : '';
  return [`From ${vantages} vantages: ${vantages} runs, ${plural(vantages * requests, 'request')}${most}`];
}

/** `$1.20 to $2.40`, or one amount. */
function costRange({ leastUsd, mostUsd }: Pick<CostEstimate, 'leastUsd' | 'mostUsd'>): string {
  return leastUsd === mostUsd ? usd(mostUsd) : `${usd(leastUsd)} to ${usd(mostUsd)}`;
}

function describeVariants(variants: readonly VariantEstimate[], isKnownOfAny: boolean): readonly string[] {
  const groups = groupBy(variants, (each) =>
    'unknown' in each ? `${isKnownOfAny ? 'unknown: ' : ''}${UNKNOWN[each.unknown]}` : costRange(each),
  );
  return [...groups].map(([cost, group]) => {
    const names = group.map(({ variant }) => variant);
    const isEach = names.length > 1 && group.every((one) => !('unknown' in one));
    return visibleLine(`  ${variantNames(names, variants.length)}: ${cost}${isEach ? ' each' : ''}`);
  });
}

const UNKNOWN: Readonly<Record<Unbounded, string>> = {
  no_price: 'no price is declared',
  no_output_count: 'one reply may hold several outputs, and the price has no most',
  no_seconds: 'nothing limits the seconds',
  no_size: 'nothing limits the size',
  wrong_most: 'the units of a request are not a number above 0, at most 1e15',
};

/** Warns if a run would reach `limits.requests`. */
export function describeRequestLimit(requests: number, limit: number | null): readonly string[] {
  if (limit === null || limit >= requests) return [];
  const stops = `  limits.requests is ${count(limit)}: the run stops before the other ${count(requests - limit)}`;
  return [`${stops}; to send all, add --set limits.requests=${requests}`];
}

export function describeSources(sources: readonly PlanSource[], cwd: string): readonly string[] {
  const variables = sources.filter(({ kind }) => kind !== 'file');
  const files = sources.filter(({ kind }) => kind === 'file');
  const lines = [
    ...variables.map(({ kind, name, set, to }) => line(`${name} (${kind}${set === true ? '' : ', not set'})`, to)),
    ...byFolder(files, cwd),
  ];
  return lines.length === 0 ? [] : ['Taken from the environment and from files, and where each may be sent:', ...lines];
}

function line(name: string, to: PlanSource['to']): string {
  const origins = to.map((origin) => (origin === '*' ? 'any origin' : origin));
  return `  ${visibleLine(`${name}: ${origins.join(', ')}`)}`;
}

const MANY = 6;

function byFolder(files: readonly PlanSource[], cwd: string): readonly string[] {
  // Files of one folder may go to different origins.
  const folders = groupBy(files, ({ name, to }) => [dirname(name), ...to].join('\n'));
  return [...folders.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined || together.length < MANY) {
      return together.map(({ name, to }) => line(shownPath(name, cwd), to));
    }
    const folder = shownPath(dirname(first.name), cwd);
    return [line(`${folder} (${plural(together.length, 'file')})`, first.to)];
  });
}

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

import type { Path } from '../../kit/document.ts';
import { nearest } from '../../kit/nearest.ts';
import type { Template } from '../language/template.ts';
import type { Capture, FollowUp } from '../model/job.ts';
import type { DeclaredTarget } from '../model/schema.ts';
import { mayAsk } from '../origins.ts';
import { type Check, inFollowUp } from './check.ts';

/**
 * Refuses what follow-ups cannot know: names that no earlier reply gives, and other origins. Gives the names that a
 * reply must have; a job that succeeds need not give those that only a cancel names.
 */
export function checkFollowUps(declared: DeclaredTarget, check: Check): readonly string[] {
  const { wait, fetch } = declared;
  const polls = wait?.until?.by === 'poll' ? wait.until : null;
  const submitted = namesOf(wait?.capture);
  const polled = [...submitted, ...namesOf(polls?.capture)];
  const cancels = polls?.cancel ?? [];
  for (const [index, cancel] of cancels.entries()) {
    checkRequest(cancel, check.itemAt(['wait', 'cancel'], index), submitted, declared, check);
  }
  const needed = polls === null ? [] : checkRequest(polls.request, ['wait', 'poll'], submitted, declared, check);
  const fetched = fetch.flatMap(({ request }, index) => {
    const known = [...polled, ...fetch.slice(0, index).flatMap(({ capture }) => namesOf(capture))];
    return checkRequest(request, ['fetch', index], known, declared, check);
  });
  return [...new Set([...needed, ...fetched])];
}

/** The values of a job that a request names without a default. */
function checkRequest(
  request: FollowUp,
  at: Path,
  known: readonly string[],
  declared: DeclaredTarget,
  check: Check,
): readonly string[] {
  const names = inFollowUp(at, request).filter(({ reference }) => reference.namespace === 'job');
  for (const { path: place, reference } of names) {
    const [name = ''] = reference.path;
    if (known.includes(name) || !check.isWhole('wait', 'fetch')) continue;
    const near = nearest(name, known);
    const remedy = near === null ? `captured before it: ${known.join(', ') || 'nothing'}` : `did you mean "${near}"?`;
    check.refuse(place, `"job.${name}" is not captured by an earlier request`, remedy);
  }
  if (request.at === 'url') checkOrigin(request.template, [...at, 'url'], declared, check);
  return names
    .filter(({ reference: { filters } }) => !filters.some(({ name }) => name === 'default'))
    .flatMap(({ reference }) => reference.path.slice(0, 1));
}

function namesOf(captures: readonly Capture[] = []): readonly string[] {
  return captures.map(({ name }) => name);
}

/** A literal URL must have a known origin: else each call would fail after it was charged. */
function checkOrigin(
  [first]: Template,
  path: Path,
  { base_url, origins }: DeclaredTarget,
  { refuse, isWhole }: Check,
): void {
  const [origin] = (first !== undefined && 'text' in first ? /^https?:\/\/[^/?#]+\//i.exec(first.text) : null) ?? [];
  if (origin === undefined || !URL.canParse(origin) || mayAsk(new URL(origin), origins, base_url)) return;
  if (!isWhole('origins', 'base_url')) return;
  refuse(path, `${new URL(origin).origin} is not one of the origins`, 'add it to origins.auth or origins.download');
}

import { count } from '../../kit/declare.ts';
import { plural } from '../../kit/wording.ts';
import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('unanswered_requests', 'Requests sent by a process that was killed.', {
  requests: count.describe('How many requests.'),
});

export const unansweredRequests: WarningRule<typeof shape> = {
  shape,
  find: ({ unanswered }) => (unanswered === 0 ? [] : [{ code: 'unanswered_requests', requests: unanswered }]),
  words: ({ requests }) => ({
    what: `${plural(requests, 'request')} ${requests === 1 ? 'was' : 'were'} sent but not answered`,
    cause: 'the process was killed while they were in flight',
    remedy: 'check your account at the service: they may have been charged',
  }),
  examples: [{ code: 'unanswered_requests', requests: 2 }],
};

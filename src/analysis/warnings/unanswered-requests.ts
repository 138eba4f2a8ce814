import { count } from '../../kit/declare.ts';
import { plural } from '../../kit/wording.ts';
import { warning } from './warning.ts';

export const unansweredRequests = warning({
  code: 'unanswered_requests',
  meaning: 'Requests sent by a process that was killed.',
  fields: { requests: count.describe('How many requests.') },
  find: ({ unanswered }) => (unanswered === 0 ? [] : [{ requests: unanswered }]),
  words: ({ requests }) => ({
    what: `${plural(requests, 'request')} ${requests === 1 ? 'was' : 'were'} sent but not answered`,
    cause: 'the process was killed while they were in flight',
    remedy: 'check your account at the service: they may have been charged',
  }),
  example: { requests: 2 },
});

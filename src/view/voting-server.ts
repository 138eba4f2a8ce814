import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VOTE_CHOICES } from '../record/codes.ts';
import type { Vote } from '../record/score.ts';
import { createApp, listening, type Refusals, type RunningServer } from './routes/app.ts';
import { guardOf, sendPage, type Unwanted } from './routes/guards.ts';
import { BALLOT_ADDRESS, TOKEN_HEADER, VOTE_ADDRESS, VOTER_HEADER } from './shown-ballot.ts';
import { servedVotingPage } from './voting-page.ts';

/** A JSON file of a ballot as voters see it. */
export interface BallotFile {
  readonly path: string;
  readonly bytes: number;
}

export interface Voting {
  /** In the order that voters see them. A check shows a pair again. */
  readonly ballots: readonly { readonly id: string; readonly isCheck: boolean }[];
  /** Null if its media are gone. */
  readonly show: (ballot: string) => Promise<BallotFile | null>;
  /** Ballots that the voter has voted on. */
  readonly votedOn: (voter: string) => ReadonlySet<string>;
  /** The vote has reached the operating system when this gives `kept`. `busy`: another process uses the run. */
  readonly keep: (vote: Vote) => Promise<'kept' | 'kept_before' | 'busy'>;
}

interface VotingServerOptions {
  readonly voting: Voting;
  /** 0 picks a free port. */
  readonly port: number;
  /** The IP address to listen on. */
  readonly host: string;
  /** Gets internal errors, which pages do not show. */
  readonly complain: (error: unknown) => void;
}

const MOST_BYTES = 1024;

/** Serves nothing of the run but ballots, and takes votes. Throws where the port is taken (EADDRINUSE). */
export function startVotingServer({ voting, port, host, complain }: VotingServerOptions): Promise<RunningServer> {
  const token = randomBytes(16).toString('hex');
  const guard = guardOf(host, {
    methods: ['GET', 'POST'],
    refuse: (reply, status, why) => say(reply, status, UNWANTED[why]),
  });
  const app = createApp(guard, refusalsTo(complain), MOST_BYTES);
  const page = servedVotingPage(token);
  app.get('/', { exposeHeadRoute: false }, (_request, reply) => sendPage(reply, page));
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', { exposeHeadRoute: false }, (_request, reply) => reply.code(204).send());
  addBallots(app, voting);
  addVotes(app, voting, token);
  app.setNotFoundHandler((_request, reply) => say(reply, 404, 'There is no such page.'));
  return listening(app, { port, host });
}

/** Both sides in one reply, so that neither the size nor the time of one can be seen. */
function addBallots(app: FastifyInstance, { ballots, show, votedOn }: Voting): void {
  const gone = new Set<string>();
  app.get(BALLOT_ADDRESS, { exposeHeadRoute: false }, async ({ headers }, reply) => {
    const voter = headers[VOTER_HEADER];
    if (!isVoter(voter)) return say(reply, 400, 'The page names no voter.');
    const voted = votedOn(voter);
    let shown: BallotFile | null = null;
    for (const { id } of ballots.filter((ballot) => !voted.has(ballot.id))) {
      shown = await show(id);
      if (shown !== null) break;
      gone.add(id);
    }
    const there = ballots.filter(({ id }) => voted.has(id) || !gone.has(id));
    const checks = there.filter(({ isCheck }) => isCheck).length;
    const begin = `{"done":${voted.size},"pairs":${there.length - checks},"checks":${checks},"ballot":`;
    reply.type('application/json; charset=utf-8');
    if (shown === null) return reply.send(`${begin}null}`);
    reply.header('content-length', Buffer.byteLength(begin) + shown.bytes + 1);
    return reply.send(Readable.from(framed(begin, shown.path)));
  });
}

/** In pieces: a ballot of videos is large, and many may ask at once. */
async function* framed(begin: string, path: string): AsyncGenerator<string | Buffer> {
  yield begin;
  yield* createReadStream(path);
  yield '}';
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

function addVotes(app: FastifyInstance, { ballots, keep }: Voting, token: string): void {
  const known = new Set(ballots.map(({ id }) => id));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isOfOwnPage(request)) return say(reply, 403, UNWANTED.foreign_origin);
    if (request.headers[TOKEN_HEADER] !== token)
      return say(reply, 403, 'The server was started again. Load the page again.');
    if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) return say(reply, 415, 'A vote is JSON.');
    return undefined;
  };
  app.post(VOTE_ADDRESS, { onRequest }, async (request, reply) => {
    const vote = typeof request.body === 'string' ? readVote(request.body) : null;
    if (vote === null) return say(reply, 400, 'This is not a vote.');
    if (!known.has(vote.ballot)) return say(reply, 404, 'There is no such ballot.');
    switch (await keep(vote)) {
      case 'kept':
        return reply.code(204).send();
      case 'kept_before':
        return say(reply, 409, 'This vote was kept before.');
      case 'busy':
        return say(reply, 503, 'Another program uses the run. Try again.');
    }
  });
}

/** A browser tells the origin of every page that posts; the guard has compared it with the host, but not its scheme. */
function isOfOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin === `http://${headers.host}` && (site === undefined || site === 'same-origin');
}

const UNWANTED: Readonly<Record<Unwanted, string>> = {
  foreign_host: 'The address names another server. Open the address that retake vote printed.',
  foreign_origin: 'Pages of other sites may not vote.',
  foreign_site: 'Pages of other sites may not load this page.',
  other_method: 'This server only gives ballots and takes votes.',
};

function refusalsTo(complain: (error: unknown) => void): Refusals {
  return {
    notAnAddress: (reply) => say(reply, 400, 'The address is not well-formed.'),
    notWellFormed: (reply, status) => say(reply, status, 'The request is not well-formed.'),
    failed: (error, reply) => {
      complain(error);
      return say(reply, 500, 'Retake could not do this. The terminal says why.');
    },
  };
}

function say(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${sentence}\n`);
}

const VOTER = /^[0-9a-f]{32}$/;

function isVoter(text: unknown): text is string {
  return typeof text === 'string' && VOTER.test(text);
}

/** A vote as JSON with `ballot`, `choice` and `voter`, nothing else; null if it is not one. */
export function readVote(body: string): Vote | null {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof sent !== 'object' || sent === null || Object.keys(sent).length !== 3) return null;
  if (!('ballot' in sent && 'choice' in sent && 'voter' in sent)) return null;
  const { ballot, voter } = sent;
  const choice = VOTE_CHOICES.find((code) => code === sent.choice);
  if (typeof ballot !== 'string' || choice === undefined || !isVoter(voter)) return null;
  return { line: 'vote', ballot, choice, voter };
}

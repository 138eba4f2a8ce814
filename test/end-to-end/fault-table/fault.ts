import type { Json } from '../../../src/kit/json.ts';
import type { Script, Step } from '../../fixtures/scripted-server.ts';

/** A fault of a service, and what each request that meets it must give. */
export interface Fault {
  readonly fault: string;
  /** Where the image is: in the reply itself, behind a URL in it, in it as base64, or behind a URL that a job gives. */
  readonly from?: 'body' | 'url' | 'b64' | 'job';
  /** Further keys of the target file. */
  readonly target?: { readonly [key: string]: Json };
  /** What the server says when it is connected to, and to each POST, poll and other GET. */
  readonly greeting?: readonly Step[];
  readonly submit?: Script;
  readonly poll?: Script;
  readonly media?: Script;
  /**
   * The server has TLS with a certificate that nobody vouches for; `old`: and a version that nobody speaks any more.
   */
  readonly tls?: 'self_signed' | 'old';
  /** How the base URL is written: `closed` where nobody listens, `name` by the name of this machine. */
  readonly base?: 'http' | 'https' | 'closed' | 'no_such_host' | 'name';
  /**
   * By default long enough that it does not matter; else long enough for what comes before it, also where the machine
   * has other work.
   */
  readonly timeoutMs?: number;
  /** By default `fail`. */
  readonly onThrottle?: 'wait' | 'fail' | 'stop';
  /** Sent at its time too, as open load does. */
  readonly open?: true;
  /** Outcome and error code. */
  readonly gives: string;
  /** Part of what the error says. */
  readonly says?: RegExp;
  readonly http?: number | null;
  /** The marks it has, without those of a new connection and of a due time; `sent?`: depends on what comes first. */
  readonly marks: string;
  /** How often each is asked per trial; null: not told. `submit` once by default. */
  readonly asked?: { readonly submit?: number | null; readonly poll?: number; readonly media?: number };
  /** Why the run stops; by default it is finished. */
  readonly stops?: string;
}

type Rest = Omit<Fault, 'fault' | 'gives' | 'marks'>;

/** A row of the table: what is wrong, outcome and error code, the marks, and what differs from the usual. */
export const fault = (what: string, gives: string, marks: string, rest: Rest = {}): Fault => ({
  fault: what,
  gives,
  marks,
  ...rest,
});

/** The same of an image behind a URL. */
export const behindUrl: typeof fault = (what, gives, marks, rest) =>
  fault(what, gives, marks, { from: 'url', submit: [json({ url: '/media/1.png' })], ...rest });

/** The same of a job that is accepted. */
export const job: typeof fault = (what, gives, marks, rest) =>
  fault(what, gives, marks, { from: 'job', submit: [json({ id: 'j-1' }, 202)], ...rest });

export const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

/** A whole reply with its length. */
export function reply(status: number, headers: readonly string[], body: string | Buffer = ''): readonly Step[] {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status} Said`, ...headers, `content-length: ${bytes.byteLength}`, '', ''];
  return [lines.join('\r\n'), bytes];
}

export function json(value: unknown, status = 200, ...headers: readonly string[]): readonly Step[] {
  return reply(status, ['content-type: application/json', ...headers], JSON.stringify(value));
}

export function image(...headers: readonly string[]): readonly Step[] {
  return reply(200, ['content-type: image/png', ...headers], PNG);
}

/** The head of a reply, and nothing behind it. */
export function head(...lines: readonly string[]): string {
  return [...lines, '', ''].join('\r\n');
}

/** The head of an image of ten bytes. */
export const IMAGE_HEAD = head('HTTP/1.1 200 OK', 'content-type: image/png', 'content-length: 10');

/** How a job is waited for. */
export const WAIT = {
  capture: { id: '$.id' },
  poll: { path: '/jobs/${job.id}', min_every: '5ms' },
  state: { at: '$.state', pending: ['queued'], running: ['working'], success: ['done'], failure: ['broken'] },
};

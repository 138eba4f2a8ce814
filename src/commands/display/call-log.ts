import type { JsonObject } from '../../kit/json.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, duration, bytes as sayBytes } from '../../kit/wording.ts';
import type { CallEvent, Reading, RequestEnded, Step } from '../../targets/call-event.ts';
import { describeReceived, describeSent } from './describe-call.ts';

/** Lines about a call while it is made; times in milliseconds from its first request. */
interface CallLog {
  readonly add: (event: CallEvent) => readonly string[];
  readonly end: () => readonly string[];
  readonly zeroMs: () => number | null;
}

/** The header of a credential, in lower case, as the target writes it: `Bearer ${secret.API_KEY}`. */
export interface WrittenCredential {
  readonly header: string;
  readonly written: string;
}

interface LogTurn {
  readonly step: Step;
  readonly requests: readonly RequestEnded[];
  readonly reading: Reading | null;
}

/** Polls in a row with one state; of more, only the number is shown. */
const SHOWN_POLLS = 3;

const STEP_WIDTH = 'download'.length;
const HEAD = `  ${'at ms'.padStart(9)} ${'took ms'.padStart(9)}`;
const NO_TIMES = ' '.repeat(HEAD.length);

/** URLs at the origin of `baseUrl` are shortened to their path. */
export function createCallLog(baseUrl: string, credential: WrittenCredential | null = null): CallLog {
  const { origin } = new URL(baseUrl);
  let zeroMs: number | null = null;
  let requests: RequestEnded[] = [];
  let alike = { kind: '', told: 0, untold: 0, lastMs: 0 };

  const endStreak = (): readonly string[] => {
    const { untold, lastMs } = alike;
    alike = { kind: '', told: 0, untold: 0, lastMs: 0 };
    if (untold === 0) return [];
    const more =
      untold === 1 ? '1 more poll with the same reply, at' : `${count(untold)} more polls with the same reply, to`;
    return [`${NO_TIMES}  ${'poll'.padEnd(STEP_WIDTH)}  … ${more} ${lastMs.toFixed(1)} ms`];
  };
  const tellTurn = (turn: LogTurn): readonly string[] => {
    const kind = turn.step === 'poll' ? kindOf(turn) : '';
    const before = kind === '' || kind !== alike.kind ? endStreak() : [];
    if (kind !== '' && alike.told >= SHOWN_POLLS) {
      alike = { ...alike, untold: alike.untold + 1, lastMs: (turn.requests[0]?.beganMs ?? 0) - (zeroMs ?? 0) };
      return before;
    }
    alike = { kind, told: alike.told + 1, untold: 0, lastMs: 0 };
    return [...before, ...describeTurn(turn, origin, zeroMs ?? 0, credential)];
  };
  const endTurn = (step: Step, reading: Reading | null): readonly string[] => {
    const turn = { step, requests, reading };
    requests = [];
    return tellTurn(turn);
  };

  return {
    add: (event) => {
      switch (event.event) {
        case 'request': {
          const heading = zeroMs === null ? [HEAD] : [];
          zeroMs ??= event.beganMs;
          requests.push(event);
          return heading;
        }
        case 'read':
          return endTurn(event.step, event.reading);
        case 'captured':
          return [...endStreak(), ...describeCaptured(event.values)];
      }
    },
    end: () => {
      const [first] = requests;
      return [...(first === undefined ? [] : endTurn(first.step, null)), ...endStreak()];
    },
    zeroMs: () => zeroMs,
  };
}

function kindOf({ requests, reading }: LogTurn): string {
  const sent = requests.map(({ url, credential, status, failure }) => [url, credential, status, failure]);
  const read = reading === null ? null : reading.is === 'good' ? reading.state : reading.is;
  return JSON.stringify([sent, read]);
}

function describeTurn(
  { step, requests, reading }: LogTurn,
  origin: string,
  zeroMs: number,
  credential: WrittenCredential | null,
): readonly string[] {
  const lines = requests.flatMap((request, index) => {
    const { redirect, beganMs, endedMs, method, url } = request;
    const where = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    const read = index === requests.length - 1 ? describeReading(reading, request) : [];
    const label = (redirect > 0 ? 'redirect' : step).padEnd(STEP_WIDTH);
    const times = `  ${ms(beganMs - zeroMs)} ${ms(endedMs - beganMs)}`;
    const came = [...describeEnd(request), ...read].join(', ');
    const transfer = describeTransfer(request).join(', ');
    const line = `${times}  ${label}  ${came}: ${method} ${where}${transfer === '' ? '' : ` (${transfer})`}`;
    return [visibleLine(line), ...describeShown(request, credential)];
  });
  const unsent =
    requests.length === 0 && reading?.is === 'failed'
      ? [`${NO_TIMES}  ${step.padEnd(STEP_WIDTH)}  not sent: ${reading.error.message}`]
      : [];
  return [...lines, ...unsent.map(visibleLine)];
}

function describeShown({ shown }: RequestEnded, credential: WrittenCredential | null): readonly string[] {
  if (shown === undefined) return [];
  const headers = shown.request.headers.map(
    ([name, value]) => [name, name === credential?.header ? credential.written : value] as const,
  );
  const reply = shown.reply === null ? [] : describeReceived(shown.reply);
  return [...describeSent({ ...shown.request, headers }), ...reply];
}

function describeEnd({ status, failure, left }: RequestEnded): readonly string[] {
  return [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(failure === null ? [] : [left ? failure : `${failure}, nothing was sent`]),
  ];
}

function describeTransfer({ credential, left, sentBytes, receivedBytes, connectMs }: RequestEnded): readonly string[] {
  if (!left) return [];
  return [
    credential ? 'with credential' : 'no credential',
    ...(connectMs === null ? [] : [`connected in ${duration(connectMs)}`]),
    ...(sentBytes === 0 ? [] : [`${sayBytes(sentBytes)} sent`]),
    ...(receivedBytes === null ? [] : [`${sayBytes(receivedBytes)} received`]),
  ];
}

function describeReading(reading: Reading | null, { status, failure }: RequestEnded): readonly string[] {
  if (reading === null) return [];
  if (reading.is === 'good') return reading.state === null ? [] : [reading.state];
  const code = reading.is === 'again' ? reading.code : reading.error.code;
  // The code may repeat what is already there.
  const said = code.endsWith(failure ?? `http_${status}`);
  if (reading.is === 'failed') return [said ? reading.outcome : `${reading.outcome} (${code})`];
  const throttled = said ? 'throttled' : `throttled (${code})`;
  const why = reading.throttled ? [throttled] : said ? [] : [code];
  return [...why, `sent again after ${duration(reading.waitMs)}`];
}

function describeCaptured(values: JsonObject): readonly string[] {
  return Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return visibleLine(`${NO_TIMES}  ${'captured'.padEnd(STEP_WIDTH)}  ${name}: ${text}`);
  });
}

function ms(value: number): string {
  return value.toFixed(1).padStart(9);
}

import type { Checked, Diagnostic } from '../kit/diagnostic.ts';

/** No worker has this name. */
export const COORDINATOR = 'coordinator';

/** Part of subjects, so without dots and wildcards; part of the names of files. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses names that differ only in case: `A.key` and `a.key` are one file on Windows and macOS. */
export function checkNames(names: readonly string[]): Checked<null> {
  const diagnostics: Diagnostic[] = [];
  const taken = new Map<string, string>();
  for (const name of names) {
    const other = taken.get(name.toLowerCase());
    if (!isName(name)) diagnostics.push(wrongName(name));
    else if (other !== undefined) diagnostics.push(twice(name, other));
    else taken.set(name.toLowerCase(), name);
  }
  return diagnostics.length === 0 ? { ok: true, value: null } : { ok: false, diagnostics };
}

export function isName(name: string): boolean {
  return NAME.test(name) && name.toLowerCase() !== COORDINATOR;
}

function wrongName(name: string): Diagnostic {
  return name.toLowerCase() === COORDINATOR
    ? { place: null, cause: `${JSON.stringify(name)} is the name of the coordinator`, remedy: 'use another name' }
    : {
        place: null,
        cause: `${JSON.stringify(name)} is not a valid name of a worker`,
        remedy: 'use up to 64 letters, digits, - and _',
      };
}

function twice(name: string, other: string): Diagnostic {
  return name === other
    ? { place: null, cause: `${name} is named twice`, remedy: 'name each worker once' }
    : { place: null, cause: `${name} and ${other} differ only in case`, remedy: 'use another name' };
}

export const INBOXES = '_INBOX_';

/** Replies to this member arrive there; nobody else may hear them. */
export function inboxPrefix(name: string): string {
  return `${INBOXES}${name}`;
}

export interface Member {
  readonly name: string;
  readonly publicKey: string;
}

/** With public keys, and the subjects that each member may publish and hear. */
export function natsConf(coordinator: string, workers: readonly Member[]): string {
  const users = [
    user({ name: COORDINATOR, publicKey: coordinator }, ['retake.to.*'], ['retake.hello.*', 'retake.from.*']),
    ...workers.map((worker) =>
      user(worker, [`retake.hello.${worker.name}`, `retake.from.${worker.name}`], [`retake.to.${worker.name}`]),
    ),
  ];
  return `${HEAD}\nauthorization {\n  users = [\n${users.join('\n')}\n  ]\n}\n`;
}

const HEAD = `# The server of a fleet of Retake. Start it with:
#   nats-server -c nats.conf
# It has public keys only: each .key file is a secret of the machine that uses it.

# Only this machine can connect. For other machines, write these two lines in place of the last one here, with the
# certificate of this host and its private key; they then use --fleet tls://HOST:4222:
#   listen: "0.0.0.0:4222"
#   tls { cert_file: "server-cert.pem", key_file: "server-key.pem" }
listen: "127.0.0.1:4222"
`;

/** One answer to each message that asks for one, on any subject. */
const ANSWERS = 'allow_responses: { max: 1, expires: "1m" }';

function user({ name, publicKey }: Member, publishes: readonly string[], subscribes: readonly string[]): string {
  return `    # ${name}
    {
      nkey: ${publicKey}
      permissions: {
        publish: { allow: ${list(publishes)} }
        subscribe: { allow: ${list([...subscribes, `${inboxPrefix(name)}.>`])} }
        ${ANSWERS}
      }
    }`;
}

function list(subjects: readonly string[]): string {
  return `[${subjects.map((subject) => JSON.stringify(subject)).join(', ')}]`;
}

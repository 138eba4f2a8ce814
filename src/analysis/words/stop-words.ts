import { listed, plural, seconds } from '../../kit/wording.ts';
import type { Abandonment, DiskFault, FailuresExceeded, Stop, Unreachable } from '../../record/journal.ts';

/** As a clause. Holds hostile text: messages of servers. */
export function stopCause(stop: Stop): string {
  switch (stop.reason) {
    case 'finished':
      return 'some planned takes have no result';
    case 'interrupted':
      return 'interrupted';
    case 'failures':
      return failuresWords(stop);
    case 'requests':
      return `the limit of ${plural(stop.limit, 'request')} was reached`;
    case 'usd':
      return `the limit of ${stop.limitUsd} USD was reached`;
    case 'no_credit':
      return `${stop.variant}: the account has no credit left (${stop.message})`;
    case 'throttled':
      return `${stop.variant}: the service rate-limited a request, and on_throttle is stop`;
    case 'unreachable':
      return unreachableWords(stop);
    case 'disk':
      return diskWords(stop);
    case 'descriptors':
      return 'this process has no file descriptor left (EMFILE)';
    case 'service':
      return `the reference service that Retake started ended unexpectedly (${stop.signal ?? `exit code ${stop.exitCode ?? 'unknown'}`})`;
    case 'fleet':
      return stop.code === 'told'
        ? 'the coordinator of the fleet ended the run'
        : 'the coordinator of the fleet did not answer for 20 s';
    case 'defect':
      return `internal error in Retake: ${stop.message}`;
  }
}

/** As a clause. */
export function stopRemedy(stop: Stop): string {
  switch (stop.reason) {
    case 'finished':
      return 'see the warnings of the report';
    case 'interrupted':
      return 'resume the run to measure the rest';
    case 'failures':
      return 'see the failures in the report, fix their cause, then resume the run or begin a new one';
    case 'requests':
      return 'raise limits.requests, then resume the run';
    case 'usd':
      return 'raise limits.usd, then resume the run';
    case 'no_credit':
      return 'add credit to the account, then resume the run';
    case 'throttled':
      return 'lower load.concurrency, or set on_throttle to wait';
    case 'unreachable':
      return unreachableRemedy(stop);
    case 'disk':
      return `${DISK_REMEDIES[stop.code] ?? 'free disk space'}, then resume the run`;
    case 'descriptors':
      return 'raise the limit (ulimit -n), or lower load.concurrency';
    case 'service':
      return 'resume the run; if the service ends again, please report it';
    case 'fleet':
      return 'resume this shard to measure the rest, then merge the shards';
    case 'defect':
      return 'please report it';
  }
}

/** By the system's error code. */
const DISK_REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'put the folder back',
  ENOTDIR: 'put the folder back',
  EACCES: 'give permission to write to it',
  EPERM: 'give permission to write to it',
  EROFS: 'make the disk writable',
  EFBIG: 'raise the limit on file sizes (ulimit -f)',
  EDQUOT: 'make room in your quota',
  EIO: 'check the disk',
};

function diskWords({ path, code }: DiskFault): string {
  const what =
    code === 'ENOENT' || code === 'ENOTDIR' ? 'the folder of the run is gone' : 'the record cannot be written';
  return `${what}${path === null ? '' : `: ${path}`} (${code})`;
}

export function failuresWords({ failed, samples, limit }: FailuresExceeded): string {
  const percent = Math.round(limit * 1000) / 10;
  return `${failed} of ${plural(samples, 'sample')} failed, significantly more than limits.failures (${percent} %) allows`;
}

/** As a clause. The server's message in it is not cut. */
export function abandonedCause(why: Abandonment, of: 'one' | 'several' = 'one'): string {
  switch (why.code) {
    case 'refused_warmup':
      return `${of === 'one' ? 'its warm-up was' : 'their warm-ups were'} rejected with HTTP ${why.httpStatus} (${why.errorCode}): ${why.message}`;
    case 'rejected': {
      const status = why.httpStatus === null ? '' : `, HTTP ${why.httpStatus}`;
      return `${of === 'one' ? 'its' : 'their'} first ${plural(why.takes, 'take')} were all rejected (${why.errorCode}${status}): ${why.message}`;
    }
    case 'unreachable':
      return unreachableWords(why);
  }
}

/** As a clause. @param secrets environment variables that the target reads its key from, if known */
export function abandonedRemedy(why: Abandonment, secrets: readonly string[] = []): string {
  switch (why.code) {
    case 'refused_warmup':
    case 'rejected':
      return why.httpStatus === 401 || why.httpStatus === 403
        ? `check ${secrets.length === 0 ? 'the key of its target' : `the value of ${listed(secrets)}`}, and the permissions of that key`
        : 'fix its target, const or inputs as the server message says; retake try shows one call';
    case 'unreachable':
      return unreachableRemedy(why);
  }
}

function unreachableWords({ failure, origin, variable, waitedMs }: Unreachable): string {
  const where = variable === null ? origin : `${origin} (${variable})`;
  const how = waitedMs === 0 ? failure : `${failure}, waited ${seconds(waitedMs)}`;
  if (failure === 'connect_refused') return `nothing listens at ${where} (${how})`;
  if (failure === 'dns_failed') return `the host name in ${where} does not resolve (${how})`;
  if (failure === 'proxy_auth') return `the proxy ${where} wants a valid user and password (${how})`;
  if (failure.startsWith('proxy_')) return `no request gets through the proxy ${where} (${how})`;
  return `cannot connect to ${where} (${how})`;
}

function unreachableRemedy({ failure, variable }: Unreachable): string {
  if (failure.startsWith('proxy_')) return `correct ${variable ?? 'the proxy'}, or name the host in NO_PROXY`;
  const address = variable ?? 'base_url of the variant or of its target';
  return `${connectionRemedy(failure) ?? 'start the server'}, or set ${address}`;
}

/** As a clause, where no connection can be opened; null for other failures. */
export function connectionRemedy(failure: string): string | null {
  if (failure === 'connect_refused') return 'start the server';
  if (failure === 'dns_failed') return 'correct the host name';
  if (failure === 'tls_failed') return 'check the certificate of the server';
  return failure.startsWith('connect_') ? 'check that this machine can reach the server' : null;
}

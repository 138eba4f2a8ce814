import type { Effect, JobEffect } from './effects.ts';

/** The effects on a job's answers. Named apart from their schemas, which only a behaviour file needs. */
const KINDS: Readonly<Record<JobEffect['kind'], true>> = {
  job_never_ends: true,
  job_fails: true,
  job_moderated: true,
  job_lost: true,
  job_state: true,
  status_latency: true,
  status_error: true,
  media_expires: true,
  media_host: true,
};

export function isJobEffect(effect: Effect): effect is JobEffect {
  return Object.hasOwn(KINDS, effect.kind);
}

import { z } from 'zod';
import type { Json } from '../../suite/document/json.ts';

/*
 * What fields of several files of a record hold.
 */

/** Any JSON value: what a user or a server wrote. It has to be there, and is not looked into. */
export const json = z.custom<Json>((value) => value !== undefined);

/** Any JSON object. */
export const jsonObject = z.record(z.string(), json);

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** A whole number from 0. */
export const count = z.int().min(0);

/** A wall-clock ISO time in UTC. */
export const instant = z.iso.datetime({ error: 'must be a UTC time such as 2026-11-20T15:45:00.000Z' });

/** Milliseconds, of a clock or between two of its readings. */
export const milliseconds = z.number();

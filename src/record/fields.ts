import { z } from 'zod';
import { sha256 } from '../kit/declare.ts';
import { MOST_SHARDS } from '../plan/share.ts';
import { FOLDER_NAME, isRunName, MOST_SEGMENTS } from './run-name.ts';

const NO_NAME = 'must begin with a letter or digit and go on with letters (a-z, A-Z), digits, ".", "_" or "-"';

/* Fields that several files of a record have. No name can lead to another folder. */

export const segment = z.int().min(1).max(MOST_SEGMENTS).describe('The number of the process that measured, from 1.');

export const shardNumber = z.int().min(1).max(MOST_SHARDS);

export const suiteName = z.string().regex(FOLDER_NAME, NO_NAME);

/** Refuses names of shards. */
export const runName = z.string().refine(isRunName, NO_NAME);

/** Where calls are sent from. */
export const vantageName = z.string().regex(FOLDER_NAME, NO_NAME);

export const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,119}$/, NO_NAME);

/** SHA-256 by the name of an environment variable. */
export const environment = z.record(z.string(), sha256);

import { csv } from './csv.ts';
import { html } from './html/html.ts';
import { json } from './json.ts';
import type { Reporter } from './reporter.ts';

/** Every reporter a suite may name. */
export const REPORTERS: readonly Reporter[] = [csv, json, html];

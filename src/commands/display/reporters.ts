import { html } from '../../page/html.ts';
import type { Reporter } from '../../report/reporter.ts';
import { REPORTERS_BY_FORMAT } from '../../report/reporters.ts';

const { csv, json, ...others } = REPORTERS_BY_FORMAT;

/** In the order they write. */
export const REPORTERS: readonly Reporter[] = [csv, json, html, ...Object.values(others)];

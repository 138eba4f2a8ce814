import { BODY_PROPERTIES } from './bodies.ts';
import { HTTP_PROPERTIES } from './http-heads.ts';
import { MEDIA_PROPERTIES } from './media.ts';
import type { FuzzProperty } from './property.ts';
import { RECORD_PROPERTIES } from './records.ts';
import { SUITE_PROPERTIES } from './suites.ts';
import { TARGET_PROPERTIES } from './targets.ts';

/** Every property, in the order they are tried. */
export const PROPERTIES: readonly FuzzProperty[] = [
  ...SUITE_PROPERTIES,
  ...TARGET_PROPERTIES,
  ...RECORD_PROPERTIES,
  ...BODY_PROPERTIES,
  ...HTTP_PROPERTIES,
  ...MEDIA_PROPERTIES,
];

import { showLocalTimes } from '../elements.ts';

/* The build bundles this into markup/times-script.ts, for pages that need no other script. */

showLocalTimes(document);

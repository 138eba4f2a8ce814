import { expect, it } from 'vitest';
import { stopCause } from '../../../src/report/words/stop-words.ts';

it.each([
  [null, 'ENOSPC', 'the record cannot be written (ENOSPC)'],
  ['/r/media/a.png', 'EDQUOT', 'the record cannot be written: /r/media/a.png (EDQUOT)'],
  ['/r/journal.jsonl', 'ENOENT', 'the folder of the run is gone: /r/journal.jsonl (ENOENT)'],
])('a disk stop at the path %s with %s reads in words', (path, code, words) => {
  expect(stopCause({ reason: 'disk', path, code })).toBe(words);
});

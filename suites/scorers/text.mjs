// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/*
 * A scorer to use or to copy: reads the text in an image with Tesseract, on this machine, without the network.
 * `cer` is the character error rate: how many characters must be inserted, deleted or replaced to get what the prompt
 * expects, divided by the length of that; at most 1.
 *
 *   scorers:
 *     text: { use: command, command: [node, scorers/text.mjs], gives: { cer: { better: lower, range: [0, 1] } } }
 *   prompts:
 *     - { text: 'A shop with a sign that says "OPEN 24 HOURS"', expect: { text: OPEN 24 HOURS } }
 *
 * Lines of JSON. It says what it is, then answers each question in order:
 *   <- {"retake":1,"version":"7.0.0","weights":"sha256:..."}
 *   -> {"id":"7","media":["/tmp/x/1.png"],"prompt":"...","expect":{"text":"OPEN 24 HOURS"}}
 *   <- {"id":"7","scores":{"cer":0.077}}  or  {"id":"7","unscored":"nothing_expected"}
 */

const PACKAGES = 'tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0';

/** A worker takes more and more memory. */
const IMAGES_OF_A_WORKER = 200;

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

const { tesseract, version, data } = await load();
const weights = createHash('sha256').update(readFileSync(data)).digest('hex');
say(JSON.stringify({ retake: 1, version, weights: `sha256:${weights}` }));

const reader = { worker: /** @type {import('tesseract.js').Worker | null} */ (null), images: 0 };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, media, expect } = JSON.parse(line);
  const expected = tidied(typeof expect?.text === 'string' ? expect.text : '');
  if (expected === '') {
    say(JSON.stringify({ id, unscored: 'nothing_expected' }));
    continue;
  }
  let sum = 0;
  // Of a video several frames come: their mean.
  for (const path of media) sum += errorRate(tidied(await textIn(path)), expected);
  say(JSON.stringify({ id, scores: { cer: sum / media.length } }));
}
await reader.worker?.terminate();

async function load() {
  try {
    const require = createRequire(import.meta.url);
    const { default: tesseract } = await import('tesseract.js');
    const { version } = JSON.parse(readFileSync(require.resolve('tesseract.js/package.json'), 'utf8'));
    const folder = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
    return { tesseract, version, data: join(folder, 'eng.traineddata.gz') };
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(Object(error).code)) throw error;
    process.stderr.write(`text.mjs needs two packages: npm install --ignore-scripts ${PACKAGES}\n`);
    process.exit(1);
  }
}

/** @param {string} path of an image */
async function textIn(path) {
  if (reader.images >= IMAGES_OF_A_WORKER) {
    await reader.worker?.terminate();
    reader.worker = null;
    reader.images = 0;
  }
  reader.worker ??= await startWorker();
  reader.images += 1;
  return (await reader.worker.recognize(readFileSync(path))).data.text;
}

async function startWorker() {
  const { OEM, PSM, createWorker } = tesseract;
  const options = { langPath: dirname(data), cacheMethod: 'none', gzip: true };
  const started = await createWorker('eng', OEM.LSTM_ONLY, options);
  await started.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
  return started;
}

/** Lines and blanks are one blank each. @param {string} text */
function tidied(text) {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/**
 * Levenshtein's distance over characters, as a share of what is expected.
 * @param {string} found
 * @param {string} expected
 */
function errorRate(found, expected) {
  const [from, to] = [[...found], [...expected]];
  let above = to.map((_, column) => column + 1);
  for (const [row, character] of from.entries()) {
    let diagonal = row;
    let left = row + 1;
    above = above.map((edits, column) => {
      const here = Math.min(edits + 1, left + 1, diagonal + (character === to[column] ? 0 : 1));
      diagonal = edits;
      left = here;
      return here;
    });
  }
  return Math.min(1, (above.at(-1) ?? from.length) / to.length);
}

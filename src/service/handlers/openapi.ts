import { IMAGES, LONGEST_SIDE, MASK, STRENGTH } from '../forms/edit-form.ts';
import {
  FRAME_RATE,
  IMAGE_ROUTES,
  LARGEST_SEED,
  LENGTHS,
  MODELS,
  RATIOS,
  type Ratio,
  STYLES,
  VIDEO_ROUTES,
} from '../forms/generation.ts';
import { DEFAULT_LENGTH, LONGEST_PROMPT, UPLOAD, VIDEO_MODELS } from '../forms/video-form.ts';
import { JOB_STATES, MEDIA_FILE } from '../jobs/job.ts';

const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };
const url = { type: 'string', format: 'uri' };

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return { type: 'object', required: Object.keys(properties).filter((name) => !optional.includes(name)), properties };
}

const error = { code: text, message: text };
const video = {
  id: text,
  status: { type: 'string', enum: JOB_STATES },
  model: text,
  seed: { type: 'integer' },
  url: object({ generation: { type: 'array', items: url } }),
  error: object(error),
};
const SCHEMAS = {
  Accepted: object({ id: text, status: { const: 'processing' } }),
  Asset: object(
    {
      status: { const: 'success', description: 'Of this request, not of the job.' },
      video: object(video, ['seed', 'url', 'error']),
      metrics: object({ inference_ms: { type: 'number' }, score_evaluations: { type: 'integer' } }),
    },
    ['metrics'],
  ),
  Refusal: object({ status: { type: 'integer' }, ...error, error: text }),
};

const json = (name: keyof typeof SCHEMAS) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const media = (...types: readonly string[]) => Object.fromEntries(types.map((type) => [type, { schema: bytes }]));

function operation(summary: string, content: object, more: object = {}, status = 200) {
  const refusals = { description: 'Refused or failed; the code says why.', content: json('Refusal') };
  const responses = { [status]: { description: summary, content }, default: refusals };
  return { summary, security: [{ key: [] }], ...more, responses };
}

const OPEN = { security: [] };
const ID = { name: 'id', in: 'path', required: true, schema: text };

const ratio = (fallback?: Ratio) => ({ type: 'string', enum: Object.keys(RATIOS), default: fallback });

function form(styles: readonly string[], models: readonly string[], more: object) {
  const parts = {
    prompt: { type: 'string', minLength: 1, maxLength: LONGEST_PROMPT },
    style: { type: 'string', enum: styles, default: styles[0] },
    seed: { type: 'integer', minimum: 0, maximum: LARGEST_SEED, description: 'A random one if it is left out.' },
    model: { type: 'string', enum: models, default: models[0] },
    ...more,
  };
  const optional = Object.keys(parts).filter((name) => !['prompt', UPLOAD.name, IMAGES.name].includes(name));
  const schema = { ...object(parts, optional), additionalProperties: false };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

const SQUARE = { aspect_ratio: ratio('1:1') };
const seconds = { type: 'integer', enum: LENGTHS, default: DEFAULT_LENGTH };
const file = { ...bytes, description: `The first image: PNG, JPEG or WebP, at most ${UPLOAD.limit} bytes.` };
const OF_TEXT = form(STYLES, VIDEO_MODELS['text-to-video'], { aspect_ratio: ratio('16:9'), seconds });
const OF_IMAGE = form(STYLES, VIDEO_MODELS['image-to-video'], { aspect_ratio: ratio(), seconds, [UPLOAD.name]: file });
const OF_EDIT = form(STYLES, MODELS, {
  [IMAGES.name]: {
    type: 'array',
    items: bytes,
    minItems: 1,
    maxItems: IMAGES.most,
    description: `PNG, JPEG or WebP, at most ${IMAGES.limit} bytes each. The first is edited: at most ${LONGEST_SIDE} pixels a side.`,
  },
  [MASK.name]: { ...bytes, description: `PNG of the size of the first image: white is changed, black is kept.` },
  strength: { type: 'number', ...STRENGTH },
});
const VIDEO = `The video: MP4, H.264, ${FRAME_RATE} frames a second.`;
const ANY = { 'application/json': {} };

const POST = {
  [IMAGE_ROUTES.image]: operation('Draws an image.', media('image/png'), form(STYLES, MODELS, SQUARE)),
  [IMAGE_ROUTES.anime]: operation('Draws an anime image.', media('image/png'), form(['anime'], MODELS, SQUARE)),
  [IMAGE_ROUTES['image-edit']]: operation('Edits an image.', media('image/png'), OF_EDIT),
  [VIDEO_ROUTES['text-to-video']]: operation('Begins a video of a prompt.', json('Accepted'), OF_TEXT, 202),
  [VIDEO_ROUTES['image-to-video']]: operation('Begins a video of an image.', json('Accepted'), OF_IMAGE, 202),
  '/v2/assets/{id}/cancel': operation('Ends a job that has not ended.', json('Asset'), { parameters: [ID] }),
};
const GET = {
  '/v2/assets/{id}/status': operation('How far a video is, and where it is.', json('Asset'), { parameters: [ID] }),
  [`/v2/assets/{id}/${MEDIA_FILE}`]: operation(VIDEO, media('video/mp4'), { parameters: [ID] }),
  '/v2/openapi.json': operation('This description.', ANY, OPEN),
  '/v2/admin/stats': operation('What the service counted; from this machine only.', ANY, OPEN),
  '/healthz': operation('Whether the service is up.', ANY, OPEN),
};

function paths(method: 'get' | 'post', operations: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(operations).map(([path, described]) => [path, { [method]: described }]));
}

/** The statuses of refusals and the headers are in the README. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Retake reference service', version: '2' },
  paths: { ...paths('post', POST), ...paths('get', GET) },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, schemas: SCHEMAS },
};

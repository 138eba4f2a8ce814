import {
  FRAME_RATE,
  IMAGE_ROUTES,
  LARGEST_SEED,
  LENGTHS,
  MODELS,
  RATIOS,
  STYLES,
  VIDEO_ROUTES,
} from '../forms/generation.ts';
import { LONGEST_PROMPT } from '../forms/generation-form.ts';
import { DEFAULT_LENGTH, UPLOAD, VIDEO_MODELS } from '../forms/video-form.ts';
import { JOB_STATES, MEDIA_FILES } from '../jobs/job.ts';

const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };
const url = { type: 'string', format: 'uri' };

const REFUSED = {
  description: 'Refused or failed; the code says why.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  /** By default 200. */
  readonly status?: number;
  readonly answer: Readonly<Record<string, object>>;
  readonly body?: object;
  readonly parameters?: readonly object[];
  /** By default the key is needed. */
  readonly isOpen?: boolean;
}

function operation({ operationId, summary, status = 200, answer, body, parameters = [], isOpen = false }: Operation) {
  const content = Object.fromEntries(Object.entries(answer).map(([type, schema]) => [type, { schema }]));
  return {
    operationId,
    summary,
    ...(!isOpen && { security: [{ key: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: body } } },
    }),
    responses: { [status]: { description: summary, content }, default: REFUSED },
  };
}

const json = (name: string) => ({ 'application/json': { $ref: `#/components/schemas/${name}` } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });

function form(styles: readonly string[], models: readonly string[], ratio: string | null, more: object = {}) {
  return {
    type: 'object',
    required: ['prompt', ...Object.keys(more).filter((name) => name === UPLOAD.name)],
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: LONGEST_PROMPT },
      style: { type: 'string', enum: styles, default: styles[0] },
      aspect_ratio: { type: 'string', enum: Object.keys(RATIOS), ...(ratio !== null && { default: ratio }) },
      seed: { type: 'integer', minimum: 0, maximum: LARGEST_SEED, description: 'A random one if it is left out.' },
      model: { type: 'string', enum: models, default: models[0] },
      ...more,
    },
  };
}

const seconds = { type: 'integer', enum: LENGTHS, default: DEFAULT_LENGTH };
const file = {
  ...bytes,
  description: `The first image: PNG, JPEG or WebP, at most ${UPLOAD.limit} bytes. It is fitted to the frame.`,
};

const job = { status: 202, answer: json('Accepted') };
const asset = { answer: json('Asset'), parameters: [inPath('id')] };
const token = { name: 'token', in: 'query', schema: text, description: 'Replaces the key in a URL that has one.' };
const medium = { parameters: [inPath('id'), token] };
const open = { answer: { 'application/json': {} }, isOpen: true };

const GET: Readonly<Record<string, Operation>> = {
  '/v2/assets/{id}/status': {
    operationId: 'readStatus',
    summary: 'The state of a video, and where it is once it is finished.',
    ...asset,
  },
  [`/v2/assets/{id}/${MEDIA_FILES.video}`]: {
    operationId: 'readVideo',
    summary: `The video: MP4, H.264, ${FRAME_RATE} frames a second.`,
    answer: { 'video/mp4': bytes },
    ...medium,
  },
  [`/v2/assets/{id}/${MEDIA_FILES.thumbnail}`]: {
    operationId: 'readThumbnail',
    summary: 'The first frame of the video.',
    answer: { 'image/webp': bytes },
    ...medium,
  },
  '/v2/media/{file}': {
    operationId: 'readMedia',
    summary: 'An image or video that a redirect led to.',
    answer: { 'image/png': bytes, 'video/mp4': bytes },
    parameters: [inPath('file')],
    isOpen: true,
  },
  '/v2/openapi.json': { operationId: 'readDescription', summary: 'This description.', ...open },
  '/v2/admin/stats': {
    operationId: 'readStats',
    summary: 'What the service counted; from this machine only.',
    ...open,
  },
  '/healthz': { operationId: 'readHealth', summary: 'Whether the service is up.', ...open },
};

const POST: Readonly<Record<string, Operation>> = {
  [IMAGE_ROUTES.image]: {
    operationId: 'createImage',
    summary: 'Draws an image of a prompt.',
    body: form(STYLES, MODELS, '1:1'),
    answer: { 'image/png': bytes },
  },
  [IMAGE_ROUTES.anime]: {
    operationId: 'createAnime',
    summary: 'Draws an image of a prompt in the anime style.',
    body: form(['anime'], MODELS, '1:1'),
    answer: { 'image/png': bytes },
  },
  [VIDEO_ROUTES['text-to-video']]: {
    operationId: 'createVideo',
    summary: 'Draws a video of a prompt.',
    body: form(STYLES, VIDEO_MODELS['text-to-video'], '16:9', { seconds }),
    ...job,
  },
  [VIDEO_ROUTES['image-to-video']]: {
    operationId: 'animateImage',
    summary: 'Draws a video that begins with an image.',
    body: form(STYLES, VIDEO_MODELS['image-to-video'], null, { seconds, [UPLOAD.name]: file }),
    ...job,
  },
  '/v2/assets/{id}/cancel': { operationId: 'cancelJob', summary: 'Ends a job that has not ended.', ...asset },
};

function paths(method: 'get' | 'post', operations: Readonly<Record<string, Operation>>) {
  return Object.fromEntries(Object.entries(operations).map(([path, of]) => [path, { [method]: operation(of) }]));
}

function schema(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return { type: 'object', required: Object.keys(properties).filter((name) => !optional.includes(name)), properties };
}

/** What the service takes and gives, in OpenAPI 3.1. The statuses of refusals and the headers are in the README. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Retake reference service', version: '2' },
  paths: { ...paths('post', POST), ...paths('get', GET) },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Accepted: schema({ id: text, status: { type: 'string', const: 'processing' } }),
      Asset: schema(
        {
          status: { type: 'string', const: 'success', description: 'Of this request, not of the job.' },
          video: schema(
            {
              id: text,
              status: { type: 'string', enum: JOB_STATES },
              model: text,
              seed: { type: 'integer' },
              url: schema({ generation: { type: 'array', items: url }, thumbnail: url }),
              error: schema({ code: text, message: text }),
            },
            ['seed', 'url', 'error'],
          ),
          metrics: schema({ inference_ms: { type: 'number' }, score_evaluations: { type: 'integer' } }),
        },
        ['metrics'],
      ),
      Refusal: schema({ status: { type: 'integer' }, code: text, error: text, message: text }),
    },
  },
};

import { FRAME_RATE, LENGTHS, STYLES } from '../forms/generation.ts';
import { DEFAULT_LENGTH, UPLOAD, VIDEO_MODELS } from '../forms/video-form.ts';
import { VIDEO_ROUTES, type VideoRoute } from '../forms/video-routes.ts';
import { JOB_STATES, MEDIA_FILES } from '../jobs/job.ts';
import { bytes, formOf, GENERATION_REFUSALS, header, partsOf, refusals, text } from './openapi-parts.ts';

const security = [{ key: [] }];
const url = { type: 'string', format: 'uri' };
const id = { name: 'id', in: 'path', required: true, schema: text };

const seconds = { type: 'integer', enum: LENGTHS, default: DEFAULT_LENGTH, description: 'How long the video is.' };
const file = {
  ...bytes,
  description: `The image to begin with: PNG, JPEG or WebP, at most ${UPLOAD.limit} bytes. It is fitted to the frame.`,
};

function submit(operationId: string, summary: string, route: VideoRoute) {
  const upload = route === 'image-to-video';
  const parts = { ...partsOf(STYLES, VIDEO_MODELS[route], upload ? null : '16:9'), seconds };
  return {
    post: {
      operationId,
      summary,
      security,
      requestBody: formOf(
        upload ? ['prompt', UPLOAD.name] : ['prompt'],
        upload ? { ...parts, [UPLOAD.name]: file } : parts,
      ),
      responses: {
        202: {
          description: 'Accepted; ask for its status by the id.',
          headers: {
            'X-Request-Id': header("The request's id."),
            'X-Seed': header('The seed the video will be drawn with.'),
            'X-Model': header('The model that will draw it.'),
          },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Accepted' } } },
        },
        ...refusals([...GENERATION_REFUSALS, 501]),
      },
    },
  };
}

function medium(operationId: string, summary: string, type: string) {
  const token = { name: 'token', in: 'query', schema: text, description: 'Stands in for the key where a URL has one.' };
  return {
    get: {
      operationId,
      summary,
      security,
      parameters: [id, token],
      responses: {
        200: { description: summary, content: { [type]: { schema: bytes } } },
        ...refusals([401, 403, 404, 410]),
      },
    },
  };
}

export const VIDEO_PATHS = {
  [VIDEO_ROUTES['text-to-video']]: submit('createVideo', 'Draws a video of a prompt.', 'text-to-video'),
  [VIDEO_ROUTES['image-to-video']]: submit(
    'animateImage',
    'Draws a video that begins with an image.',
    'image-to-video',
  ),
  '/v2/assets/{id}/status': {
    get: {
      operationId: 'readStatus',
      summary: 'How far a video is, and where it is once it is finished.',
      security,
      parameters: [id],
      responses: {
        200: {
          description: 'The status.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Asset' } } },
        },
        ...refusals([401, 404, 500]),
      },
    },
  },
  '/v2/assets/{id}/cancel': {
    post: {
      operationId: 'cancelJob',
      summary: 'Ends a job that has not ended: it leaves the queue, or its worker stops. Once more changes nothing.',
      security,
      parameters: [id],
      responses: {
        200: {
          description: 'Its status: cancelled.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Asset' } } },
        },
        ...refusals([401, 404, 409]),
      },
    },
  },
  [`/v2/assets/{id}/${MEDIA_FILES.video}`]: medium(
    'readVideo',
    `The video: MP4, H.264, ${FRAME_RATE} frames a second.`,
    'video/mp4',
  ),
  [`/v2/assets/{id}/${MEDIA_FILES.thumbnail}`]: medium('readThumbnail', 'Its first frame.', 'image/webp'),
} as const;

export const VIDEO_SCHEMAS = {
  Accepted: {
    type: 'object',
    required: ['id', 'status'],
    properties: { id: text, status: { type: 'string', const: 'processing' } },
  },
  Asset: {
    type: 'object',
    required: ['status', 'video'],
    properties: {
      status: { type: 'string', const: 'success', description: 'Of this request, not of the job.' },
      video: {
        type: 'object',
        required: ['id', 'status', 'model'],
        properties: {
          id: text,
          status: {
            type: 'string',
            enum: JOB_STATES,
            description: 'cancelled: a client asked to end it; moderated comes by a declared behaviour only.',
          },
          model: text,
          seed: { type: 'integer' },
          url: {
            type: 'object',
            description: 'Once it is finished.',
            required: ['generation', 'thumbnail'],
            properties: { generation: { type: 'array', items: url }, thumbnail: url },
          },
          error: {
            type: 'object',
            description: 'Where it ended without a video.',
            required: ['code', 'message'],
            properties: { code: text, message: text },
          },
        },
      },
      metrics: {
        type: 'object',
        description: 'Once it is finished.',
        properties: {
          inference_ms: {
            type: 'number',
            description: 'Milliseconds of drawing, sampling and encoding; the queue left out.',
          },
          score_evaluations: { type: 'integer', description: "How often the model's denoiser was asked." },
        },
      },
    },
  },
} as const;

import { MODELS, STYLES } from '../forms/generation.ts';
import { GENERATION_ROUTES } from '../forms/generation-form.ts';
import { bytes, formOf, GENERATION_REFUSALS, header, partsOf, refusals, text } from './openapi-parts.ts';
import { VIDEO_PATHS, VIDEO_SCHEMAS } from './openapi-video.ts';

function generation(operationId: string, summary: string, styles: readonly string[]) {
  return {
    post: {
      operationId,
      summary,
      security: [{ key: [] }],
      requestBody: formOf(['prompt'], partsOf(styles, MODELS, '1:1')),
      responses: {
        200: {
          description: 'The image.',
          headers: {
            'X-Request-Id': header("The request's id."),
            'X-Seed': header('The seed the image was drawn with.'),
            'X-Model': header('The model that drew it.'),
            'X-Inference-Ms': header('Milliseconds of drawing, sampling and encoding; the queue left out.'),
            'X-Score-Evaluations': header("How often the model's denoiser was asked."),
          },
          content: { 'image/png': { schema: bytes } },
        },
        ...refusals(GENERATION_REFUSALS),
      },
    },
  };
}

function information(operationId: string, summary: string, media: string) {
  return {
    get: { operationId, summary, responses: { 200: { description: summary, content: { [media]: { schema: {} } } } } },
  };
}

export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Retake reference service', version: '2' },
  paths: {
    [GENERATION_ROUTES.image]: generation('createImage', 'Draws an image of a prompt.', STYLES),
    [GENERATION_ROUTES.anime]: generation('createAnime', 'Draws an image of a prompt in the anime style.', ['anime']),
    ...VIDEO_PATHS,
    '/v2/openapi.json': information('readDescription', 'This description.', 'application/json'),
    '/v2/admin/stats': information(
      'readStats',
      "The service's own counts; from this machine only.",
      'application/json',
    ),
    '/v2/media/{file}': {
      get: {
        operationId: 'readMedia',
        summary: 'An image or video that a redirect led to; no key is needed.',
        parameters: [{ name: 'file', in: 'path', required: true, schema: text }],
        responses: {
          200: {
            description: 'The image or video.',
            content: { 'image/png': { schema: bytes }, 'video/mp4': { schema: bytes } },
          },
          ...refusals([404]),
        },
      },
    },
    '/healthz': information('readHealth', 'Whether the service is up.', 'application/json'),
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      ...VIDEO_SCHEMAS,
      Refusal: {
        type: 'object',
        required: ['status', 'code', 'error', 'message'],
        properties: {
          status: { type: 'integer' },
          code: { type: 'string', description: 'Stable, for programs.' },
          error: { type: 'string', description: "The status's name." },
          message: { type: 'string', description: 'For people.' },
        },
      },
    },
  },
} as const;

import { BODY_LIMIT } from './form.ts';
import { LARGEST_SEED, MODELS, RATIOS, STYLES } from './generation.ts';
import { GENERATION_ROUTES, LONGEST_PROMPT } from './generation-form.ts';

const REFUSALS = {
  400: 'Not a form, a broken one, a part that is missing, doubled, unknown or malformed.',
  401: 'No key, or one that is not known.',
  402: 'Payment is required.',
  413: `The body holds more than ${BODY_LIMIT} bytes.`,
  415: 'The body is not multipart/form-data.',
  422: 'The prompt is empty or too long, or moderation refused it.',
  424: 'No tokens are left.',
  429: 'Too many requests.',
  500: 'The picture could not be made.',
  503: 'Too many pictures are waiting.',
} as const;

const text = { type: 'string' } as const;

function header(description: string) {
  return { description, schema: text };
}

const MORE_HEADERS: { readonly [status: string]: Readonly<Record<string, ReturnType<typeof header>>> } = {
  401: { 'WWW-Authenticate': header('Bearer') },
  429: {
    'Retry-After': header('Seconds to wait.'),
    'Retry-After-Ms': header('Milliseconds to wait.'),
    'X-RateLimit-Limit': header('Requests that a window admits.'),
    'X-RateLimit-Remaining': header('Requests left in this window.'),
    'X-RateLimit-Reset': header('Seconds until a request is admitted again.'),
  },
  503: { 'Retry-After': header('Seconds to wait.') },
};

function generation(operationId: string, summary: string, styles: readonly string[]) {
  const refusals = Object.entries(REFUSALS).map(([status, description]) => [
    status,
    {
      description,
      headers: { 'X-Request-Id': header("The request's id."), ...MORE_HEADERS[status] },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    },
  ]);
  return {
    post: {
      operationId,
      summary,
      security: [{ key: [] }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['prompt'],
              additionalProperties: false,
              properties: {
                prompt: { type: 'string', minLength: 1, maxLength: LONGEST_PROMPT },
                style: { type: 'string', enum: styles, default: styles[0] },
                aspect_ratio: { type: 'string', enum: Object.keys(RATIOS), default: '1:1' },
                seed: {
                  type: 'integer',
                  minimum: 0,
                  maximum: LARGEST_SEED,
                  description: 'A random one where it is left out.',
                },
                model: { type: 'string', enum: MODELS, default: MODELS[0] },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The picture.',
          headers: {
            'X-Request-Id': header("The request's id."),
            'X-Seed': header('The seed the picture was drawn with.'),
            'X-Model': header('The model that drew it.'),
            'X-Inference-Ms': header('Milliseconds of drawing, sampling and encoding; the queue left out.'),
            'X-Score-Evaluations': header("How often the model's denoiser was asked."),
          },
          content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
        },
        ...Object.fromEntries(refusals),
      },
    },
  };
}

function information(operationId: string, summary: string, media: string) {
  return {
    get: { operationId, summary, responses: { 200: { description: summary, content: { [media]: { schema: {} } } } } },
  };
}

/** The service as OpenAPI describes it. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Retake reference service', version: '2' },
  paths: {
    [GENERATION_ROUTES.image]: generation('createImage', 'Draws a picture of a prompt.', STYLES),
    [GENERATION_ROUTES.anime]: generation('createAnime', 'Draws a picture of a prompt in the anime style.', ['anime']),
    '/v2/openapi.json': information('readDescription', 'This description.', 'application/json'),
    '/v2/admin/stats': information(
      'readStats',
      "The service's own counts; from this machine only.",
      'application/json',
    ),
    '/v2/media/{file}': {
      get: {
        operationId: 'readMedia',
        summary: 'A picture that a redirect led to; no key is needed.',
        parameters: [{ name: 'file', in: 'path', required: true, schema: text }],
        responses: {
          200: {
            description: 'The picture.',
            content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
          },
          404: {
            description: 'No such picture.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        },
      },
    },
    '/healthz': information('readHealth', 'Whether the service is up.', 'application/json'),
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
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

import { LARGEST_SEED, RATIOS } from '../forms/generation.ts';
import { LONGEST_PROMPT } from '../forms/generation-form.ts';

const REFUSALS = {
  400: 'Not a form, a broken one, a part that is missing, doubled, unknown or malformed.',
  401: 'No key, or one that is not known.',
  402: 'Payment is required.',
  403: 'The address has expired.',
  413: 'The body or a part of it is too large.',
  415: 'The body is not multipart/form-data, or the file no image of a known type.',
  404: 'There is no such asset, or no longer.',
  409: 'The job has ended.',
  410: 'The address has expired.',
  422: 'The prompt or the image cannot be drawn, or moderation refused it.',
  424: 'No tokens are left.',
  429: 'Too many requests.',
  500: 'It could not be made.',
  501: 'This installation has no video encoder.',
  503: 'Too many are waiting.',
} as const;

export const text = { type: 'string' } as const;
export const bytes = { type: 'string', format: 'binary' } as const;

export function header(description: string) {
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

type RefusalStatus = keyof typeof REFUSALS;

export function refusals(statuses: readonly RefusalStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: REFUSALS[status],
        headers: { 'X-Request-Id': header("The request's id."), ...MORE_HEADERS[status] },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    ]),
  );
}

export const GENERATION_REFUSALS = [400, 401, 402, 413, 415, 422, 424, 429, 500, 503] as const;

export function formOf(required: readonly string[], properties: Readonly<Record<string, object>>) {
  const schema = { type: 'object', required, additionalProperties: false, properties };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

export function partsOf(styles: readonly string[], models: readonly string[], ratio: string | null) {
  return {
    prompt: { type: 'string', minLength: 1, maxLength: LONGEST_PROMPT },
    style: { type: 'string', enum: styles, default: styles[0] },
    aspect_ratio: { type: 'string', enum: Object.keys(RATIOS), ...(ratio === null ? {} : { default: ratio }) },
    seed: { type: 'integer', minimum: 0, maximum: LARGEST_SEED, description: 'A random one where it is left out.' },
    model: { type: 'string', enum: models, default: models[0] },
  };
}

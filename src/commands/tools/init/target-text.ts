import { commandLine } from '../../../kit/shell-words.ts';
import { type Answers, isVideo, type KeyPlace, type OwnEndpoint } from './endpoint.ts';
import { indented, yamlText } from './yaml-text.ts';

export function ownTargetId({ name }: Pick<Answers, 'name'>): string {
  const endpoint = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return `own/${endpoint === '' ? 'endpoint' : endpoint}`;
}

interface TargetPlaces {
  /** Relative to the working folder. */
  readonly file: string;
  /** The published schema, relative to the file; null if its path would only hold on this machine. */
  readonly schema: string | null;
}

/** Field names that were not asked for are the usual ones, marked for checking. */
export function targetText(
  endpoint: OwnEndpoint,
  { name, models }: Pick<Answers, 'name' | 'models'>,
  { file, schema }: TargetPlaces,
): string {
  const { kind, baseUrl, path, encoding, key, seed } = endpoint;
  const id = ownTargetId({ name });
  const [model] = models;
  const lines = [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`, '#']),
    '# A target: how one endpoint is called. Compare the lines marked CHECK with the documentation of your endpoint, then make',
    `# one call: \`${commandLine(['retake', 'try', file, '--bodies'])}\` shows each request and reply, and what was read from it.`,
    'target: 1 # version of this format',
    `id: ${id} # the name in suites; the file is targets/${id}.yaml, beside the suite`,
    `kind: ${kind} # text-to-image | anime-image | image-to-video | text-to-video`,
    `base_url: ${yamlText(baseUrl)}`,
    '',
    ...keyLines(key),
    '',
    ...(model === undefined
      ? [
          '# Constants of the request, which a variant of the suite may set; the body below names them as ${const.NAME}.',
          '# const: { model: NAME }',
        ]
      : [
          '# Constants of the request; each variant of the suite sets its own.',
          `const: { model: ${yamlText(model)} }`,
        ]),
    '',
    '# What a prompt may set, checked before anything is sent; the body below names it as ${case.NAME}.',
    ...inputLines(endpoint),
    '',
    '# The request for an output. A part without a value is left out.',
    'submit:',
    '  method: POST',
    `  path: ${yamlText(path)} # below base_url`,
    `  encoding: ${encoding} # json | multipart | form | raw`,
    '  body: # CHECK: the names of the fields',
    ...indented(bodyLines(endpoint, model !== undefined), '    '),
    '',
    ...replyLines(endpoint),
    '',
    '# Replies that are failures; the first rule that matches counts. CHECK: `retake try` shows where code and message are.',
    'fail:',
    '  # Rate-limited: sent again after the wait that the reply asks for.',
    '  - { when: { status: 429 }, is: throttled, after: ["header:retry-after-ms", "header:retry-after"] }',
    '  - { when: { status: 402 }, is: no_credit, message: [$.error.message, $.message] }',
    '  # Rejected for its content, if the endpoint has a code for this:',
    '  # - { when: { at: $.error.code, in: [content_policy_violation] }, is: moderated, message: $.error.message }',
    '  - { when: { status: 4xx }, is: rejected, code: [$.error.code, $.code], message: [$.error.message, $.message] }',
    '  - { when: { status: 5xx }, is: error, code: [$.error.code, $.code], message: [$.error.message, $.message] }',
    '',
    '# What the server reports; it is recorded with each sample.',
    'meta:',
    '  request_id: "header:x-request-id"',
    ...(seed === 'none' ? [] : ['  # seed: $.seed # the seed that was used']),
    '  # inference: { at: $.timings.inference, unit: ms } # the time that the server needed',
    '',
    '# The most that a request costs; then `retake plan` prints the cost of a run.',
    `# price: { per: ${isVideo(kind) ? 'second' : 'output'}, usd: 0.01 }`,
  ];
  return `${lines.join('\n')}\n`;
}

function keyLines(key: KeyPlace): readonly string[] {
  if (key.in === 'none') {
    return [
      '# It takes no key. With one:',
      '# auth: { in: header, name: Authorization, value: "Bearer ${secret.API_KEY}" }',
    ];
  }
  const about = `# The key is the environment variable ${key.secret}: never write it here. It is sent to base_url only.`;
  const bearer = { in: 'header', name: 'Authorization', value: `"Bearer \${secret.${key.secret}}"` };
  const place =
    key.in === 'bearer' ? bearer : { in: key.in, name: yamlText(key.name), value: `"\${secret.${key.secret}}"` };
  return [about, `auth: { in: ${place.in}, name: ${place.name}, value: ${place.value} }`];
}

function inputLines({ seed }: OwnEndpoint): readonly string[] {
  const claim =
    '# claim: the same seed gives the same output (exact), a similar one (similar), or neither is promised (none)';
  return [
    'inputs:',
    ...(seed === 'none'
      ? [`  ${claim}`, '  seed: { claim: none } # it takes none: the body below does not send it']
      : [`  ${claim}`, `  seed: { min: 0, max: 4294967295, claim: ${seed} } # CHECK: the largest seed`]),
    '  # size: { as: pixels } # the suite then writes `inputs: { size: 1024x1024 }`',
  ];
}

function bodyLines({ kind, reply, encoding, seed }: OwnEndpoint, hasModel: boolean): readonly string[] {
  const form = encoding === 'multipart';
  return [
    'prompt: ${case.prompt}',
    ...(hasModel ? ['model: ${const.model}'] : ['# model: ${const.model}']),
    ...(seed === 'none' ? [] : [`seed: \${case.seed${form ? ' | str' : ''}}`]),
    ...(kind === 'image-to-video' ? [`image: \${case.image | ${form ? 'file' : 'data_uri'}}`] : []),
    ...(reply === 'openai' ? ['response_format: b64_json'] : []),
    "# size: ${case.size | wxh('x')} # 1024x1024",
  ];
}

function replyLines({ kind, reply, path }: OwnEndpoint): readonly string[] {
  const expect = isVideo(kind) ? 'video/*' : 'image/*';
  const otherHosts = [
    '# Where media may come from; base is the host of base_url. The key goes to base_url only.',
    'origins: { download: [base] } # CHECK: add the hosts of your URLs, such as https://cdn.example.com',
  ];
  switch (reply) {
    case 'openai':
      return [
        '# The output in the reply: base64 in the items of `data`.',
        `result: { items: "$.data[*]", from: b64, at: $.b64_json, expect: ${expect} }`,
      ];
    case 'bytes':
      return ['# The output is the body of the reply.', `result: { from: body, expect: ${expect} }`];
    case 'base64':
      return [
        '# The output in the reply, at a JSONPath: base64 (b64; data_uri: with "data:image/png;base64," before it).',
        `result: { from: b64, at: $.image, expect: ${expect} } # CHECK: the path`,
      ];
    case 'url':
      return [
        '# The output is behind a URL of the reply, at a JSONPath.',
        `result: { from: url, at: $.url, expect: ${expect} } # CHECK: the path`,
        ...otherHosts,
      ];
    case 'job':
      return [
        '# The reply is a job. Retake polls it until its state is in success, failure or moderated.',
        'wait:',
        '  capture: { id: $.id } # CHECK: a value of the reply, for ${job.id} below',
        `  poll: { path: ${JSON.stringify(`${path.replace(/\/+$/, '')}/\${job.id}`)}, min_every: ${isVideo(kind) ? '1s' : '250ms'}, deadline: 10m } # CHECK: the path`,
        '  state: # CHECK: all states; a state that is not listed is an error, which shows the reply',
        '    at: $.status',
        '    pending: [pending, queued]',
        '    running: [processing, running]',
        '    success: [succeeded, completed, finished]',
        '    failure: [failed, error, cancelled]',
        '  # cancel: { method: POST, path: "/jobs/${job.id}/cancel" } # how to end a job at a time limit',
        '# The output is behind a URL of the last poll, at a JSONPath.',
        `result: { from: url, at: $.output.url, expect: ${expect} } # CHECK: the path`,
        ...otherHosts,
      ];
  }
}

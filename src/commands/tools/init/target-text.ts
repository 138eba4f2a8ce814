import { commandLine } from '../../../kit/shell-words.ts';
import { type Answers, isVideo, type KeyPlace, type OwnEndpoint, REPLIES } from './endpoint.ts';
import { fillTemplate } from './template.ts';
import { yamlText } from './yaml-text.ts';

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
  { kind, baseUrl, path, reply, encoding, key, seed }: OwnEndpoint,
  answers: Pick<Answers, 'name' | 'models'>,
  { file, schema }: TargetPlaces,
): string {
  const [model] = answers.models;
  const form = encoding === 'multipart';
  return fillTemplate('target.yaml', {
    schema,
    try: commandLine(['retake', 'try', file, '--bodies']),
    id: ownTargetId(answers),
    kind,
    baseUrl: yamlText(baseUrl),
    key: key.in === 'none' ? null : keyValues(key),
    model: model === undefined ? null : yamlText(model),
    claim: seed === 'none' ? null : seed,
    path: yamlText(path),
    encoding,
    form,
    imageFilter: kind === 'image-to-video' ? (form ? 'file' : 'data_uri') : null,
    ...Object.fromEntries(REPLIES.map((each) => [each, each === reply])),
    media: isVideo(kind) ? 'video/*' : 'image/*',
    pollPath: JSON.stringify(`${path.replace(/\/+$/, '')}/\${job.id}`),
    pollEvery: isVideo(kind) ? '1s' : '250ms',
    downloads: reply === 'url' || reply === 'job',
    pricedPer: isVideo(kind) ? 'second' : 'output',
  });
}

function keyValues(key: Exclude<KeyPlace, { in: 'none' }>) {
  const { secret } = key;
  return key.in === 'bearer'
    ? { secret, in: 'header', name: 'Authorization', scheme: 'Bearer ' }
    : { secret, in: key.in, name: yamlText(key.name), scheme: '' };
}

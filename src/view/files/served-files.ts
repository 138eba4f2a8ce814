export interface ServedType {
  readonly type: string;
  /** Whether a browser shows it; else it saves it. */
  readonly inline: boolean;
}

/** By extension. None of these types can hold a script. */
const MEDIA: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const TEXTS: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

const MEDIA_PATH = /^media\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.([a-z0-9]{1,8})$/;
const SMALL_PATH = /^thumbs\/[0-9a-f]{64}\.(webp|200\.webp|1024\.webp|mp4)$/;

/**
 * By its path within its run. Null for every file that is not handed out: the journal, run.json, the lock, and whatever
 * does not belong to a record.
 * @param reports the names of the files that reporters write
 */
export function servedType(path: string, reports: readonly string[]): ServedType | null {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  if (MEDIA_PATH.test(path) || SMALL_PATH.test(path)) {
    const type = MEDIA[ending];
    return type === undefined ? { type: 'application/octet-stream', inline: false } : { type, inline: true };
  }
  const text = TEXTS[ending];
  return text !== undefined && reports.includes(path) ? { type: text, inline: false } : null;
}

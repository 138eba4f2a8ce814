import { randomUUID } from 'node:crypto';
import { BoundedStore } from '../jobs/bounded-store.ts';

interface RedirectMedium {
  readonly body: Buffer;
  readonly type: string;
}

const REMEMBERED = 200;

/** Media behind redirects, for every client that knows their path; drops the oldest. */
export class RedirectMedia {
  readonly #media = new BoundedStore<RedirectMedium>(REMEMBERED);

  keep(body: Buffer, type: 'image/png' | 'video/mp4'): string {
    const path = `/v2/media/${randomUUID()}.${type === 'image/png' ? 'png' : 'mp4'}`;
    this.#media.put(path, { body, type });
    return path;
  }

  get(path: string): RedirectMedium | undefined {
    return this.#media.get(path);
  }
}

import { accepted } from '../../src/kit/diagnostic.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import type * as behaviourFile from '../../src/service/parse-behaviour.ts';
import type * as serviceFile from '../../src/service/service.ts';

const dist = (file: string) => new URL(`../../dist/service/${file}`, import.meta.url).href;

export const KEY = 'test-key';

/** A service under test, reached over HTTP only. */
export interface Running {
  readonly url: string;
  readonly port: number;
  /** Sends a form to a route; the parts may be a form already. */
  ask(parts: Record<string, string> | FormData, options?: AskOptions): Promise<Response>;
  stats(): Promise<ServiceStats>;
  /** The statistics once no other request is open. */
  quietStats(): Promise<ServiceStats>;
  close(): Promise<void>;
}

interface AskOptions {
  readonly path?: string;
  readonly key?: string | null;
  readonly signal?: AbortSignal;
  readonly redirect?: RequestRedirect;
}

/** Starts the built service (its workers start from `dist`) with rules in YAML, one a line; none is an honest one. */
export async function runService(options: { rules?: readonly string[]; workers?: number } = {}): Promise<Running> {
  const { startService }: typeof serviceFile = await import(dist('service.js'));
  const { parseBehaviour }: typeof behaviourFile = await import(dist('parse-behaviour.js'));
  const rules = (options.rules ?? []).map((rule) => `  - { ${rule} }`).join('\n');
  const parsed = accepted(parseBehaviour(`behaviour: 1\nrules:${rules === '' ? ' []' : `\n${rules}`}\n`, 'rules'));
  const service = await startService({ port: 0, keys: [KEY], workers: options.workers ?? 1, behaviour: parsed });
  const { url } = service;
  const stats = async () => (await (await fetch(`${url}/v2/admin/stats`)).json()) as ServiceStats;
  return {
    url,
    port: Number(new URL(url).port),
    ask: (parts, { path = '/v2/image/generations', key = KEY, signal, redirect = 'manual' } = {}) => {
      const body = parts instanceof FormData ? parts : formOf(parts);
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
      return fetch(`${url}${path}`, { method: 'POST', body, headers, redirect, ...(signal ? { signal } : {}) });
    },
    stats,
    quietStats: async () => {
      for (;;) {
        const now = await stats();
        const open = Object.values(now.routes).reduce((sum, route) => sum + route.inFlight, 0);
        if (open === 1) return now; // The request for the statistics itself.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    close: () => service.close(),
  };
}

export function formOf(parts: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  return form;
}

/** The cheapest image there is, of a seed. */
export function quick(seed = 1, prompt = 'a fox'): Record<string, string> {
  return { prompt, model: 'fast-lcm', seed: String(seed) };
}

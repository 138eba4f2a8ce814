import { formOf, KEY, type Running } from './running-service.ts';

/** What a status says of a job. */
export interface VideoStatus {
  readonly id: string;
  readonly status: string;
  readonly seed?: number;
  readonly url?: { readonly generation: readonly string[] };
  readonly error?: { readonly code: string; readonly message: string };
}

const headers = { authorization: `Bearer ${KEY}` };

/** The cheapest video there is, of a seed. */
export function quickVideo(seed = 1, prompt = 'a boat on the sea'): Record<string, string> {
  return { prompt, model: 'fast-lcm', seed: String(seed), seconds: '1', aspect_ratio: '4:3' };
}

/** A form with an image to begin with. */
export function withImage(parts: Record<string, string>, image: Uint8Array<ArrayBuffer>, type = 'image/png'): FormData {
  const form = formOf(parts);
  form.append('file', new Blob([image], { type }), 'image');
  return form;
}

/** Asks for a video; the job's id. */
export async function submit(service: Running, parts: Record<string, string> | FormData): Promise<string> {
  const path = parts instanceof FormData && parts.has('file') ? 'image-to-video' : 'text-to-video';
  const response = await service.ask(parts, { path: `/v2/video/${path}` });
  const body = await response.json();
  if (response.status !== 202) throw new Error(JSON.stringify(body));
  return body.id;
}

export function statusOf(service: Running, id: string): Promise<Response> {
  return fetch(`${service.url}/v2/assets/${id}/status`, { headers });
}

/** What the job comes to in the end. */
export async function waitFor(service: Running, id: string): Promise<VideoStatus> {
  for (;;) {
    const response = await statusOf(service, id);
    const { video } = await response.json();
    if (!['pending', 'processing'].includes(video.status)) return video;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function fetchMedia(url: string | undefined): Promise<Response> {
  if (url === undefined) throw new Error('there is no URL');
  return fetch(url, { headers, redirect: 'manual' });
}

/** A video, from the request to its bytes. */
export async function deliveredVideo(service: Running, parts: Record<string, string> | FormData): Promise<Buffer> {
  const { url } = await waitFor(service, await submit(service, parts));
  return Buffer.from(await (await fetchMedia(url?.generation[0])).arrayBuffer());
}

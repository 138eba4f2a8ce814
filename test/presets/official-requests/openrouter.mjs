// Records what OpenRouter's own client asks for the calls of ../openrouter.yaml, with the replies that stand there:
//
//     npm install --prefix FOLDER --ignore-scripts @openrouter/sdk@1.3.19
//     node test/presets/official-requests/openrouter.mjs FOLDER > test/presets/official-requests/openrouter.json
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const { resolve: find } = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));
const entry = find('@openrouter/sdk');
const { OpenRouter } = await import(pathToFileURL(entry).href);
const { SDK_METADATA } = await import(new URL('lib/config.js', pathToFileURL(entry)).href);
const fileOf = (name) => readFileSync(new URL(name, import.meta.url));
const { presets } = parse(fileOf('../openrouter.yaml').toString(), { merge: true, maxAliasCount: -1 });
const video = fileOf('../../golden/video/plain.mp4');
// The smallest images of test/fixtures/recorded-provider.ts.
const fixture = fileOf('../../fixtures/recorded-provider.ts').toString();
const [png, jpeg] = [/'(iVBOR[^']+)'/, /'(\/9j\/[^']+)'/].map((text) => text.exec(fixture)?.[1]);

const prompt = 'a red fox in snow';
const seed = 2_147_483_647;
const images = (request) => async (client) => {
  const answer = await client.images.generate({ imageGenerationRequest: { prompt, seed, ...request } });
  if (request.stream) for await (const _event of answer);
};
const videos = (request) => async (client) => {
  const model = 'google/gemini-omni-1.2-flash';
  const { videoGeneration } = client;
  const { id: jobId } = await videoGeneration.generate({ videoGenerationRequest: { model, prompt, seed, ...request } });
  while ((await videoGeneration.getGeneration({ jobId })).status !== 'completed');
  const got = Buffer.from(await new Response(await videoGeneration.getVideoContent({ jobId })).arrayBuffer());
  if (!got.equals(video)) throw new Error('it gave another video');
};
const CALLS = {
  images: images({
    model: 'google/gemini-3.1-flash-lite-image',
    aspectRatio: '16:9',
    resolution: '2K',
    provider: { only: ['google-ai-studio'], allowFallbacks: false },
  }),
  'images-stream': images({
    model: 'openai/gpt-image-2',
    quality: 'low',
    stream: true,
    provider: { allowFallbacks: false },
  }),
  'image-edit': images({
    model: 'google/gemini-3.1-flash-lite-image',
    inputReferences: [`image/png;base64,${png}`, `image/jpeg;base64,${jpeg}`].map((data) => ({
      type: 'image_url',
      imageUrl: { url: `data:${data}` },
    })),
    provider: { allowFallbacks: false },
  }),
  'text-to-video': videos({ aspectRatio: '16:9', duration: 5, resolution: '720p', generateAudio: false }),
  'image-to-video': videos({
    duration: 4,
    frameImages: [{ type: 'image_url', imageUrl: { url: `data:image/png;base64,${png}` }, frameType: 'first_frame' }],
  }),
};

const requests = {};
for (const [name, call] of Object.entries(CALLS)) {
  const { submit, reply, poll, polls, later, secrets } = presets[name];
  const replies = { [submit]: [reply], [poll]: polls && [...polls] };
  for (const [asked, answer] of Object.entries(later ?? {})) replies[asked] = [answer];
  const seen = [];
  const server = createServer(async (request, response) => {
    const { method, url } = request;
    // Those of the connection are compared by nobody, and differ each time.
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    let body = '';
    for await (const chunk of request.setEncoding('latin1')) body += chunk;
    seen.push({ method, url, headers, body });
    const list = replies[`${method} ${url.split('?')[0]}`];
    const { status = 200, json, text, media, headers: extra } = list.length > 1 ? list.shift() : list[0];
    const type = { 'content-type': media ? 'video/mp4' : 'application/json', ...extra };
    const answer = media ? video : (text ?? JSON.stringify(json)).replaceAll('{base64}', png);
    response.writeHead(status, type).end(answer);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const serverURL = `http://127.0.0.1:${server.address().port}/api/v1`;
  await call(new OpenRouter({ apiKey: secrets.OPENROUTER_API_KEY, serverURL }));
  server.closeAllConnections();
  server.close();
  requests[`openrouter/${name}`] = seen;
}
console.log(JSON.stringify({ client: `@openrouter/sdk ${SDK_METADATA.sdkVersion}`, requests }, null, 2));

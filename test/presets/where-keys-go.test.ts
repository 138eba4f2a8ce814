import { expect, test } from 'vitest';
import type { Template } from '../../src/targets/language/write-template.ts';
import type { OriginPattern } from '../../src/targets/model/origins.ts';
import { loadPreset } from '../fixtures/called-preset.ts';
import { RECORDINGS } from '../fixtures/preset-recording.ts';

function show(pattern: OriginPattern): string {
  switch (pattern.match) {
    case 'base':
      return 'base';
    case 'any':
      return '*';
    case 'origin':
      return pattern.origin;
    case 'below':
      return `${pattern.protocol}//*.${pattern.domain}`;
  }
}

function showPart(part: Template[number]): string {
  return 'text' in part ? part.text : `{${part.reference.path.join('.')}}`;
}

/**
 * Where the key of each preset goes, where its media may come from, and which states its jobs have. A change here is a
 * change of what a user trusts: look twice, then write it again with `npx vitest -u`.
 */
test('keys, media and states of the presets are those that were looked at', async () => {
  const lines: string[] = [];
  for (const preset of RECORDINGS.map((recording) => `${recording.preset}.yaml`).toSorted()) {
    const { id, baseUrl, secrets, origins, wait } = await loadPreset(preset.replace(/\.yaml$/, ''));
    const states = wait?.until?.by === 'poll' ? wait.until.state.listed : [];
    const cancels = wait?.until?.by === 'poll' ? wait.until.cancel : [];
    lines.push(
      `${id}: ${secrets.join(' ') || 'no key'} to ${[baseUrl, ...origins.auth.map(show).filter((host) => host !== 'base')].join(' ')}`,
      `  media from ${origins.download.map(show).join(' ')}`,
      ...cancels.map(({ method, template }) => `  cancelled by ${method} ${template.map(showPart).join('')}`),
      ...states.map(
        ({ state, test: kind, values }) => `  ${state}${kind === 'not' ? ' but' : ''}: ${values.join(', ')}`,
      ),
    );
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../golden/preset-trust.txt');
});

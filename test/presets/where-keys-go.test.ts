import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import { formatDiagnostic } from '../../src/suite/document/diagnostic.ts';
import type { Template } from '../../src/targets/language/write-template.ts';
import type { OriginPattern } from '../../src/targets/model/origins.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

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
  const files = readdirSync(PRESETS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const lines: string[] = [];
  for (const file of files.toSorted()) {
    const loaded = await loadTargetFile(`${PRESETS}/${file}`, { env: {}, cwd: PRESETS });
    if (!loaded.ok) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
    const { id, baseUrl, secrets, origins, wait } = loaded.value;
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

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/* The face of the library: test/end-to-end/library.test.ts uses it as a program does. */

const face = new URL('../src/index.ts', import.meta.url);

it('every export of the library has a docstring where it is declared', () => {
  const exports = [...readFileSync(face, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(
    ([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => name.replace('type ', '').trim())
        .filter((name) => name !== '')
        .map((name) => ({ name, path })),
  );
  expect(exports.length).toBeGreaterThan(20);
  const bare = exports.filter(({ name, path }) => {
    const declaration = new RegExp(String.raw`\*/\nexport (?:async )?(?:function|const|interface|type) ${name}\b`);
    return !declaration.test(readFileSync(new URL(path, face), 'utf8'));
  });
  expect(bare).toEqual([]);
});

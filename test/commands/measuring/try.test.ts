import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { resolveTry } from '../../../src/commands/measuring/try.ts';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

test('retake try refuses files that the target does not take, and asks for those that it needs', async () => {
  const cwd = freshFolder();
  for (const name of ['a.png', 'b.png'])
    await sharp({ create: { channels: 3, width: 8, height: 8, background: 'white' } })
      .extend({ right: 8, background: 'black' })
      .toFile(join(cwd, name));
  const tried = async (target: string, image: readonly string[], mask?: string) => {
    const request = { target: `reference/${target}`, prompt: 'a fox', seed: 1, image, mask, set: [] };
    const resolved = await resolveTry(request, { env: {}, cwd });
    return resolved.ok
      ? resolved.value.case.images.map(({ fileName }) => fileName)
      : resolved.diagnostics.map(formatDiagnostic);
  };
  expect(await tried('image-edit', ['b.png', 'a.png'])).toEqual(['b.png', 'a.png']);
  const needed = 'reference/image-edit needs an image; add --image: a file';
  expect(await tried('image-edit', [])).toEqual([needed]);
  const unsent = 'reference/text-to-image takes no image; remove --image and --mask, or name another target';
  expect(await tried('text-to-image', ['a.png'])).toEqual([unsent]);
  expect(await tried('text-to-image', [], 'a.png')).toEqual([unsent]);
  expect(await tried('image-to-video', ['a.png', 'b.png'])).toEqual([
    'prompt "try" for reference/image-to-video: the prompt has 2 images, and it takes at most 1; remove images',
  ]);
  expect(await tried('image-to-video', ['a.png'], 'b.png')).toEqual([
    'prompt "try" for reference/image-to-video: it takes no mask; remove the mask, or use a target that takes one: it needs media: { mask: { changes: white } } and, in its body, mask: ${case.mask | file} (a form) or ${case.mask | data_uri} (JSON)',
  ]);
});

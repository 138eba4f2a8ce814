import { dirname, relative, resolve, sep } from 'node:path';
import { accepted, refusal } from '../../../kit/diagnostic.ts';
import { MediaReader } from '../../../suite/input-media.ts';
import { type Kind, takesImage } from '../../../suite/kind.ts';

/** Images that the prompts of a new suite name, relative to the working folder; null: not given. */
export interface GivenInputs {
  readonly image: string | null;
  readonly mask: string | null;
}

/** As a suite names a file. @param suite relative to `cwd`, as `file` */
export function besideSuite(file: string, suite: string, cwd: string): string {
  return relative(resolve(cwd, dirname(suite)), resolve(cwd, file))
    .split(sep)
    .join('/');
}

/** Throws `Refused` for what a suite would not accept. */
export async function checkInputs({ image, mask }: GivenInputs, kind: Kind, suite: string, cwd: string): Promise<void> {
  if (image === null && mask === null) return;
  if (!takesImage(kind))
    throw refusal(`${kind} takes no image`, 'leave out --image and --mask, or write --kind image-edit');
  if (mask !== null && kind !== 'image-edit')
    throw refusal(`${kind} takes no mask`, 'leave out --mask, or write --kind image-edit');
  const folder = resolve(cwd, dirname(suite));
  const media = await new MediaReader([folder], cwd).read({
    images: image === null ? [] : [besideSuite(image, suite, cwd)],
    mask: mask === null ? null : besideSuite(mask, suite, cwd),
    folder,
    refuse: (field, cause, remedy) => {
      return { place: null, cause: `${field === 'mask' ? '--mask' : '--image'}: ${cause}`, remedy };
    },
  });
  accepted(media);
}

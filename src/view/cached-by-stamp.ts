import { BoundedMap } from './bounded-map.ts';
import { statOf } from './files/contained-files.ts';

/**
 * Keeps what was made for a key until one of its files changes. What was not made, since a promise failed, is made
 * again.
 * @param most things that are kept; forgets what was not asked for longest
 */
export function cachedByStamp<Made>(
  most: number,
  filesOf: (key: string) => readonly string[],
  make: (key: string) => Made,
): (key: string) => Made {
  const kept = new BoundedMap<string, { stamp: string; readonly made: Made }>(most);
  return (key) => {
    const stamp = stampOf(filesOf(key));
    const known = kept.get(key);
    if (known?.stamp === stamp) return known.made;
    const now = { stamp, made: make(key) };
    kept.set(key, now);
    if (now.made instanceof Promise) {
      now.made.then(
        // Making it may have added to its files.
        () => {
          now.stamp = stampOf(filesOf(key));
        },
        () => kept.delete(key),
      );
    }
    return now.made;
  };
}

/** Text that changes with the files. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = statOf(file);
      return stats === null ? '-' : `${stats.size}:${stats.mtimeMs}`;
    })
    .join(' ');
}

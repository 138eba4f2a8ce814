import { within } from '../../../../markup/elements.ts';
import { Player } from '../../../../markup/player.ts';
import type { ShownBallot } from '../../../shown-ballot.ts';

export interface ShownSides {
  /** Resolves once both sides can be seen. */
  readonly show: (ballot: ShownBallot) => Promise<void>;
  /** Plays both videos in step; does nothing for images. */
  readonly playFromStart: () => void;
}

/** Both sides of a ballot appear at once: neither is there before the other. */
export function openSides(part: HTMLElement): ShownSides {
  const sides = (['left', 'right'] as const).map((name) => {
    const side = within(part, `.side[data-choice=${name}]`, HTMLButtonElement);
    return { name, side, image: within(side, 'img', HTMLImageElement), video: within(side, 'video', HTMLVideoElement) };
  });
  const player = new Player(
    within(part, '.player', HTMLElement),
    () => {},
    () => {},
  );
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  let fps: number | null = null;
  const take = (stoppedAtS: number | null): void =>
    player.take(fps === null ? [] : sides.map(({ video }) => ({ element: video, fps })), stoppedAtS);
  const playFromStart = (): void => {
    if (fps !== null) take(null);
  };
  within(part, '.restart', HTMLButtonElement).addEventListener('click', playFromStart);
  return {
    show: async (ballot) => {
      fps = null;
      take(0);
      const isVideo = ballot.fps !== null;
      for (const { name, side, image, video } of sides) {
        side.setAttribute('aria-label', `${name === 'left' ? 'Left' : 'Right'} ${isVideo ? 'video' : 'image'}`);
        image.hidden = isVideo;
        video.hidden = !isVideo;
      }
      await Promise.all(
        sides.map(({ name, image, video }) =>
          isVideo ? loadVideo(video, ballot[name]) : loadImage(image, ballot[name]),
        ),
      );
      fps = ballot.fps;
      take(isCalm.matches ? 0 : null);
    },
    playFromStart,
  };
}

async function loadImage(image: HTMLImageElement, url: string): Promise<void> {
  image.src = url;
  await image.decode().catch(() => {});
}

/** A video that cannot be shown is not waited for. */
function loadVideo(video: HTMLVideoElement, url: string): Promise<void> {
  return new Promise((resolve) => {
    video.onloadeddata = () => resolve();
    video.onerror = () => resolve();
    video.src = url;
  });
}

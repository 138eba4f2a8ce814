/**
 * The page's one script. All it adds is the compare view and the playing of videos; without it the page is whole. It
 * makes elements and copies nodes that are there, and never turns text into markup.
 */
export const SCRIPT = `
'use strict';
(() => {
  const dialog = document.getElementById('compare');
  if (!dialog || typeof dialog.showModal !== 'function') return;
  document.documentElement.classList.add('scripted');

  const calm = matchMedia('(prefers-reduced-motion: reduce)');

  const videoOf = (pick) => {
    const video = document.createElement('video');
    video.src = document.getElementById('video-' + pick.dataset.video).value;
    video.setAttribute('aria-label', pick.dataset.label);
    video.muted = true;
    video.loop = true;
    video.playsInline = true;
    return video;
  };

  let playing = null;
  let tapped = null;
  const stop = (pick) => {
    if (!playing || (pick && playing.pick !== pick)) return;
    playing.video.remove();
    playing = null;
  };
  const play = (pick) => {
    if (calm.matches || (playing && playing.pick === pick)) return;
    stop();
    const video = videoOf(pick);
    playing = { pick, video };
    pick.append(video);
    video.play().catch(() => {
      if (playing && playing.video === video) stop();
    });
  };
  const playable = (button) => {
    button.addEventListener('pointerenter', (event) => {
      if (event.pointerType !== 'touch') play(button);
    });
    button.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') stop(button);
    });
    button.addEventListener('focus', () => play(button));
    button.addEventListener('blur', () => {
      tapped = null;
      stop(button);
    });
  };

  for (const span of document.querySelectorAll('.pick')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'pick';
    button.setAttribute('aria-haspopup', 'dialog');
    Object.assign(button.dataset, span.dataset);
    button.append(...span.childNodes);
    span.replaceWith(button);
    if (button.dataset.video) playable(button);
  }

  const title = document.getElementById('compare-prompt');
  const sides = [...dialog.querySelectorAll('figure')].map((figure) => ({
    choice: figure.querySelector('select'),
    stage: figure.querySelector('.stage'),
    caption: figure.querySelector('figcaption'),
  }));
  let picks = [];

  const filmOf = (pick, drawing) => {
    const video = videoOf(pick);
    const use = drawing.querySelector('use');
    const image = use ? document.querySelector(use.getAttribute('href')) : drawing.querySelector('image');
    video.poster = image.getAttribute('href');
    video.controls = true;
    video.autoplay = !calm.matches;
    return video;
  };

  const show = (side) => {
    const pick = picks[side.choice.selectedIndex];
    if (!pick) return;
    const drawing = pick.querySelector('svg').cloneNode(true);
    for (const image of drawing.querySelectorAll('[id]')) image.removeAttribute('id');
    side.stage.replaceChildren(pick.dataset.video ? filmOf(pick, drawing) : drawing);
    // Both from their beginning: two takes are compared in step.
    for (const video of dialog.querySelectorAll('video')) video.currentTime = 0;
    side.caption.textContent = 'sha256 ' + pick.dataset.digest + '\\u2026';
  };

  const choose = (side, index) => {
    side.choice.selectedIndex = (index + picks.length) % picks.length;
    show(side);
  };

  const open = (pick) => {
    const prompt = pick.closest('.prompt');
    picks = [...prompt.querySelectorAll('.pick')];
    title.textContent = prompt.querySelector('h4').textContent;
    for (const side of sides) {
      side.choice.replaceChildren(...picks.map((each) => new Option(each.dataset.label)));
    }
    const here = picks.indexOf(pick);
    const beside = picks.filter((each) => each !== pick && each.closest('td') === pick.closest('td'));
    const sameSeed = picks.filter((each) => each !== pick && each.dataset.seed === pick.dataset.seed);
    const after = sameSeed.filter((each) => picks.indexOf(each) > here);
    const other = beside[0] || after[0] || sameSeed[0] || pick;
    choose(sides[0], here);
    choose(sides[1], picks.indexOf(other));
    stop();
    dialog.showModal();
  };

  document.addEventListener('click', (event) => {
    const pick = event.target instanceof Element ? event.target.closest('button.pick') : null;
    // A finger cannot point: its first tap plays, its second compares.
    const first = pick && pick.dataset.video && event.pointerType === 'touch' && !calm.matches && tapped !== pick;
    tapped = pick;
    if (first) play(pick);
    else if (pick) open(pick);
    else if (event.target === dialog) dialog.close();
  });
  document.getElementById('compare-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLVideoElement) return;
    if (event.key === 'ArrowRight') choose(sides[1], sides[1].choice.selectedIndex + 1);
    if (event.key === 'ArrowLeft') choose(sides[1], sides[1].choice.selectedIndex - 1);
  });
  dialog.addEventListener('close', () => {
    for (const side of sides) side.stage.replaceChildren();
  });
  for (const side of sides) side.choice.addEventListener('change', () => show(side));
})();
`;

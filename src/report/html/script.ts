/**
 * The page's one script. All it adds is the compare view; without it the page is whole. It makes elements and copies
 * nodes that are there, and never turns text into markup.
 */
export const SCRIPT = `
'use strict';
(() => {
  const dialog = document.getElementById('compare');
  if (!dialog || typeof dialog.showModal !== 'function') return;
  document.documentElement.classList.add('scripted');

  for (const span of document.querySelectorAll('.pick')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'pick';
    button.setAttribute('aria-haspopup', 'dialog');
    Object.assign(button.dataset, span.dataset);
    button.append(...span.childNodes);
    span.replaceWith(button);
  }

  const title = document.getElementById('compare-prompt');
  const sides = [...dialog.querySelectorAll('figure')].map((figure) => ({
    choice: figure.querySelector('select'),
    stage: figure.querySelector('.stage'),
    caption: figure.querySelector('figcaption'),
  }));
  let picks = [];

  const show = (side) => {
    const pick = picks[side.choice.selectedIndex];
    if (!pick) return;
    const picture = pick.querySelector('svg').cloneNode(true);
    for (const image of picture.querySelectorAll('[id]')) image.removeAttribute('id');
    side.stage.replaceChildren(picture);
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
    dialog.showModal();
  };

  document.addEventListener('click', (event) => {
    const pick = event.target instanceof Element ? event.target.closest('button.pick') : null;
    if (pick) open(pick);
    else if (event.target === dialog) dialog.close();
  });
  document.getElementById('compare-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLSelectElement) return;
    if (event.key === 'ArrowRight') choose(sides[1], sides[1].choice.selectedIndex + 1);
    if (event.key === 'ArrowLeft') choose(sides[1], sides[1].choice.selectedIndex - 1);
  });
  for (const side of sides) side.choice.addEventListener('change', () => show(side));
})();
`;

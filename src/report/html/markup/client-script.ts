// Made from client/ by npm run client.

/** The page's one script. */
export const SCRIPT = `(function() {

// src/report/html/client/elements.ts
	function within(root, selector, kind) {
		const found = root.querySelector(selector);
		if (!(found instanceof kind)) throw new Error(\`no \${selector}\`);
		return found;
	}
	function allWithin(root, selector, kind) {
		return [...root.querySelectorAll(selector)].filter((found) => found instanceof kind);
	}

// src/report/html/client/compare.ts
	function openingCompare(dialog, player) {
		const title = within(dialog, "#compare-prompt", HTMLElement);
		const [left, right] = allWithin(dialog, "figure", HTMLElement).map((figure) => ({
			choice: within(figure, "select", HTMLSelectElement),
			stage: within(figure, ".stage", HTMLElement),
			caption: within(figure, "figcaption", HTMLElement)
		}));
		if (left === void 0 || right === void 0) throw new Error("the compare view has two sides");
		let picks = [];
		const show = ({ choice, stage, caption }) => {
			const media = picks[choice.selectedIndex]?.querySelector("img, video")?.cloneNode();
			if (!(media instanceof HTMLElement)) return;
			media.removeAttribute("id");
			if (media instanceof HTMLVideoElement) {
				media.controls = true;
				media.autoplay = !player.isCalm();
			}
			stage.replaceChildren(media);
			for (const video of allWithin(dialog, "video", HTMLVideoElement)) video.currentTime = 0;
			caption.textContent = "";
		};
		const choose = (side, index) => {
			side.choice.selectedIndex = (index + picks.length) % picks.length;
			show(side);
		};
		const open = (pick) => {
			const prompt = pick.closest(".prompt");
			if (prompt === null) return;
			picks = allWithin(prompt, ".pick", HTMLElement).filter((each) => each.querySelector("img, video") !== null);
			title.textContent = within(prompt, "h4", HTMLElement).textContent;
			for (const { choice } of [left, right]) choice.replaceChildren(...picks.map((each) => new Option(nameOf(each))));
			choose(left, picks.indexOf(pick));
			choose(right, picks.indexOf(besideOf(pick, picks)));
			player.stop();
			dialog.showModal();
		};
		dialog.addEventListener("click", ({ target }) => {
			if (target === dialog) dialog.close();
		});
		within(dialog, "#compare-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
		dialog.addEventListener("keydown", ({ target, key }) => {
			if (target instanceof HTMLSelectElement || target instanceof HTMLVideoElement) return;
			if (key === "ArrowRight") choose(right, right.choice.selectedIndex + 1);
			if (key === "ArrowLeft") choose(right, right.choice.selectedIndex - 1);
		});
		dialog.addEventListener("close", () => {
			for (const { stage } of [left, right]) stage.replaceChildren();
		});
		for (const side of [left, right]) side.choice.addEventListener("change", () => show(side));
		return open;
	}
	function nameOf(pick) {
		const media = pick.querySelector("img, video");
		return media instanceof HTMLImageElement ? media.alt : media?.getAttribute("aria-label") ?? "";
	}
	function besideOf(pick, picks) {
		const others = picks.filter((each) => each !== pick);
		return others.find(({ dataset }) => dataset.cell === pick.dataset.cell) ?? others.find((each) => picks.indexOf(each) > picks.indexOf(pick)) ?? others[0] ?? pick;
	}

// src/report/html/client/hover-player.ts
	function hoverPlayer() {
		const calm = matchMedia("(prefers-reduced-motion: reduce)");
		let playing = null;
		const stop = (pick) => {
			if (playing === null || pick !== void 0 && playing.pick !== pick) return;
			playing.video.pause();
			playing.video.load();
			playing.pick.classList.remove("playing");
			playing = null;
		};
		const play = (pick) => {
			const video = pick.querySelector("video");
			if (calm.matches || video === null || playing?.pick === pick) return;
			stop();
			playing = {
				pick,
				video
			};
			pick.classList.add("playing");
			video.play().catch(() => {
				if (playing?.video === video) stop();
			});
		};
		return {
			play,
			stop,
			isCalm: () => calm.matches
		};
	}

// src/report/html/client/pick-buttons.ts
	function pickButtons(player, open) {
		let tapped = null;
		for (const span of allWithin(document, ".pick", HTMLElement)) {
			repeatMedia(span);
			const button = buttonOf(span);
			if (button.querySelector("video") === null) continue;
			button.addEventListener("pointerenter", ({ pointerType }) => {
				if (pointerType !== "touch") player.play(button);
			});
			button.addEventListener("pointerleave", ({ pointerType }) => {
				if (pointerType !== "touch") player.stop(button);
			});
			button.addEventListener("focus", () => player.play(button));
			button.addEventListener("blur", () => {
				tapped = null;
				player.stop(button);
			});
		}
		document.addEventListener("click", (event) => {
			const pick = event.target instanceof Element ? event.target.closest("button.pick") : null;
			if (pick === null) {
				tapped = null;
				return;
			}
			const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
			const playsFirst = pick.querySelector("video") !== null && isTouch && !player.isCalm() && tapped !== pick;
			tapped = pick;
			if (playsFirst) player.play(pick);
			else open(pick);
		});
	}
	function repeatMedia(span) {
		const link = span.querySelector("[data-same]");
		const copy = (link === null ? null : document.getElementById(link.dataset.same ?? ""))?.cloneNode();
		if (link === null || !(copy instanceof HTMLElement)) return;
		copy.removeAttribute("id");
		link.replaceWith(copy);
	}
	function buttonOf(span) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "pick";
		button.setAttribute("aria-haspopup", "dialog");
		Object.assign(button.dataset, span.dataset);
		button.append(...span.childNodes);
		for (const video of allWithin(button, "video", HTMLVideoElement)) {
			video.controls = false;
			video.tabIndex = -1;
			button.classList.add("film");
			button.setAttribute("aria-label", video.getAttribute("aria-label") ?? "");
		}
		span.replaceWith(button);
		return button;
	}

// src/report/html/client/main.ts
	const dialog = document.getElementById("compare");
	if (dialog instanceof HTMLDialogElement) {
		document.documentElement.classList.add("scripted");
		const player = hoverPlayer();
		const compare = openingCompare(dialog, player);
		pickButtons(player, compare);
	}

})();`;

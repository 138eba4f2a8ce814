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
		const filmOf = (pick, drawing) => {
			const video = player.videoOf(pick);
			const used = drawing.querySelector("use")?.getAttribute("href") ?? null;
			video.poster = (used === null ? drawing.querySelector("image") : document.querySelector(used))?.getAttribute("href") ?? "";
			video.controls = true;
			video.autoplay = !player.isCalm();
			return video;
		};
		const show = ({ choice, stage, caption }) => {
			const pick = picks[choice.selectedIndex];
			if (pick === void 0) return;
			const drawing = within(pick, "svg", SVGElement).cloneNode(true);
			if (!(drawing instanceof SVGElement)) return;
			for (const image of drawing.querySelectorAll("[id]")) image.removeAttribute("id");
			stage.replaceChildren(pick.dataset.video === void 0 ? drawing : filmOf(pick, drawing));
			for (const video of allWithin(dialog, "video", HTMLVideoElement)) video.currentTime = 0;
			caption.textContent = \`sha256 \${pick.dataset.digest}…\`;
		};
		const choose = (side, index) => {
			side.choice.selectedIndex = (index + picks.length) % picks.length;
			show(side);
		};
		const open = (pick) => {
			const prompt = pick.closest(".prompt");
			if (prompt === null) return;
			picks = allWithin(prompt, ".pick", HTMLElement);
			title.textContent = within(prompt, "h4", HTMLElement).textContent;
			for (const { choice } of [left, right]) choice.replaceChildren(...picks.map(({ dataset }) => new Option(dataset.label)));
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
	function besideOf(pick, picks) {
		const others = picks.filter((each) => each !== pick);
		const sameSeed = others.filter(({ dataset }) => dataset.seed === pick.dataset.seed);
		return others.find((each) => each.closest("td") === pick.closest("td")) ?? sameSeed.find((each) => picks.indexOf(each) > picks.indexOf(pick)) ?? sameSeed[0] ?? pick;
	}

// src/report/html/client/hover-player.ts
	function hoverPlayer() {
		const calm = matchMedia("(prefers-reduced-motion: reduce)");
		let playing = null;
		const stop = (pick) => {
			if (playing === null || pick !== void 0 && playing.pick !== pick) return;
			playing.video.remove();
			playing = null;
		};
		const play = (pick) => {
			if (calm.matches || playing?.pick === pick) return;
			stop();
			const video = videoOf(pick);
			playing = {
				pick,
				video
			};
			pick.append(video);
			video.play().catch(() => {
				if (playing?.video === video) stop();
			});
		};
		return {
			videoOf,
			play,
			stop,
			isCalm: () => calm.matches
		};
	}
	function videoOf({ dataset }) {
		const video = document.createElement("video");
		const data = document.getElementById(\`video-\${dataset.video}\`);
		if (data instanceof HTMLDataElement) video.src = data.value;
		video.setAttribute("aria-label", dataset.label ?? "");
		video.muted = true;
		video.loop = true;
		video.playsInline = true;
		return video;
	}

// src/report/html/client/pick-buttons.ts
	function pickButtons(player, open) {
		let tapped = null;
		for (const span of allWithin(document, ".pick", HTMLElement)) {
			const button = document.createElement("button");
			button.type = "button";
			button.className = "pick";
			button.setAttribute("aria-haspopup", "dialog");
			Object.assign(button.dataset, span.dataset);
			button.append(...span.childNodes);
			span.replaceWith(button);
			if (button.dataset.video === void 0) continue;
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
			const playsFirst = pick.dataset.video !== void 0 && isTouch && !player.isCalm() && tapped !== pick;
			tapped = pick;
			if (playsFirst) player.play(pick);
			else open(pick);
		});
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

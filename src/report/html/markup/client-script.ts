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
	function make(tag, className, ...content) {
		const element = document.createElement(tag);
		if (className !== "") element.className = className;
		element.append(...content);
		return element;
	}
	function makeButton(words, className, press) {
		const button = make("button", className, words);
		button.type = "button";
		button.addEventListener("click", press);
		return button;
	}
	function closable(dialog) {
		within(dialog, ".close", HTMLButtonElement).addEventListener("click", () => dialog.close());
		dialog.addEventListener("click", ({ target }) => {
			if (target === dialog) dialog.close();
		});
	}

// src/report/html/client/takes-data.ts
	const DATA_ID = "takes-data";
	let read = null;
	function pageData() {
		const text = document.getElementById(DATA_ID)?.textContent ?? "";
		read ??= text === "" ? {
			variants: [],
			prompts: [],
			cells: [],
			messages: []
		} : JSON.parse(text);
		return read;
	}
	const cells = /* @__PURE__ */ new Map();
	function cellFacts(number) {
		const known = cells.get(number);
		if (known !== void 0) return known;
		const data = pageData().cells[number];
		if (data === void 0) return null;
		const facts = readCell(number, data);
		cells.set(number, facts);
		return facts;
	}
	function readCell(number, [variant, prompt, seed, level, outputs, takes, pairs]) {
		const { variants, prompts } = pageData();
		const [id, text, tags] = prompts[prompt] ?? [
			"",
			"",
			[]
		];
		const facts = takes.map(readTake);
		const shown = [];
		const outcomes = [...new Set(facts.map(({ outcome }) => outcome))];
		const cell = {
			number,
			variant: variants[variant] ?? "",
			prompt: id,
			promptText: text,
			tags,
			seed,
			level,
			outcomes,
			takes: facts,
			pairs,
			outputs: shown
		};
		for (const [at, [sha256, width, height, durationS, own]] of outputs.entries()) {
			const gave = facts.filter(({ output }) => output === at);
			shown.push({
				cell,
				number: at,
				sha256,
				width,
				height,
				durationS,
				level: own,
				takes: gave
			});
		}
		return cell;
	}
	function readTake(data) {
		const [repeat, step, outcome, output, timings, httpStatus, attempts, requestId, flags, error] = data;
		return {
			repeat,
			step,
			outcome,
			output,
			times: TIMES.map((name, at) => [name, timings[at] ?? null]),
			httpStatus,
			attempts,
			requestId,
			flags,
			error: error === null ? null : [error[0], pageData().messages[error[1]] ?? ""]
		};
	}
	const TIMES = [
		"total",
		"submit",
		"queue",
		"run",
		"detect",
		"download"
	];
	function totalOf({ times }) {
		return times[0]?.[1] ?? null;
	}
	function outputOf({ dataset }) {
		return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? -1)] ?? null;
	}
	function nameOfTake({ repeat, step }) {
		return step === null ? \`take \${repeat}\` : \`take \${repeat} at concurrency \${step}\`;
	}
	function nameOfOutput({ cell, takes }) {
		const [first] = takes;
		const place = \`\${cell.variant}, seed \${cell.seed}\`;
		return first === void 0 ? place : \`\${place}, \${nameOfTake(first)}\`;
	}

// src/report/html/client/compare/load-media.ts
	let firstFound = null;
	async function loadMedia(output, allowed = "any") {
		const places = [...document.querySelectorAll(\`[data-cell="\${output.cell.number}"][data-output="\${output.number}"]\`)];
		const [url] = places.map((place) => place.parentElement?.querySelector("a.original")?.href).filter((href) => href !== void 0);
		if (allowed === "any" && url !== void 0 && (firstFound === null || await firstFound)) {
			const loading = load(url, output, "original");
			firstFound ??= loading.then((shown) => shown !== null);
			const shown = await loading;
			if (shown !== null) return shown;
		}
		const [largest] = places.flatMap((place) => [...place.querySelectorAll("img, video")]).sort((a, b) => b.src.length - a.src.length);
		if (largest === void 0) return null;
		return await load(largest.src, output, "copy", largest instanceof HTMLVideoElement);
	}
	async function load(url, output, source, isVideo = output.durationS !== null) {
		const name = nameOfOutput(output);
		return isVideo ? await loadVideo(url, name, source) : await loadImage(url, name, source);
	}
	async function loadImage(url, name, source) {
		const element = new Image();
		element.alt = name;
		element.src = url;
		try {
			await element.decode();
		} catch {
			return null;
		}
		return {
			element,
			source,
			width: element.naturalWidth,
			height: element.naturalHeight
		};
	}
	function loadVideo(url, name, source) {
		const element = document.createElement("video");
		element.setAttribute("aria-label", name);
		element.muted = true;
		element.playsInline = true;
		element.preload = "auto";
		return new Promise((resolve) => {
			element.addEventListener("error", () => resolve(null), { once: true });
			element.addEventListener("loadeddata", () => resolve({
				element,
				source,
				width: element.videoWidth,
				height: element.videoHeight
			}), { once: true });
			element.src = url;
		});
	}

// src/text/quantity.ts
	function durationUnit(durationsMs) {
		return durationsMs.some((value) => value !== null && value >= 999.5) ? "s" : "ms";
	}
	function duration(ms, unit = durationUnit([ms])) {
		return \`\${durationNumber(ms, unit)} \${unit}\`;
	}
	function durationNumber(ms, unit) {
		return significant(unit === "s" ? ms / 1e3 : ms);
	}
	function count(value) {
		return String(value).replace(/\\B(?=(\\d{3})+$)/g, " ");
	}
	function plural(value, noun) {
		return \`\${count(value)} \${noun}\${value === 1 ? "" : "s"}\`;
	}
	function significant(value) {
		const size = Math.abs(value);
		if (size === 0) return "0";
		if (size >= 99.95) return value.toFixed(0);
		if (size >= 9.995) return value.toFixed(1);
		if (size >= .9995) return value.toFixed(2);
		let decimals = 3;
		for (let scaled = size; scaled < .09995 && decimals < 9; scaled *= 10) decimals += 1;
		return value.toFixed(decimals);
	}

// src/report/words/difference-words.ts
	function differenceWords({ samples, ssim, pdqDistance, frames, unpaired }) {
		const parts = [];
		if (samples === null) parts.push("different sizes");
		else {
			parts.push(\`largest difference \${stepsOf255(samples.maxDifference)} of 255\`);
			if (samples.psnrDb !== null) parts.push(\`PSNR \${samples.psnrDb.toFixed(1)} dB\`);
		}
		if (ssim !== null) parts.push(frames > 1 ? \`SSIM \${ssimWords(ssim.p5)} (5th percentile), \${ssimWords(ssim.worst)} (worst frame)\` : \`SSIM \${ssimWords(ssim.worst)}\`);
		if (pdqDistance !== null) parts.push(\`PDQ distance \${pdqDistance} of 256\`);
		if (unpaired > 0) parts.push(\`\${plural(unpaired, "frame")} without a counterpart\`);
		return parts.join(", ");
	}
	function ssimWords(ssim) {
		return ssim < 1 && ssim >= .99995 ? "> 0.9999" : ssim.toFixed(4);
	}
	function stepsOf255(share) {
		const value = share * 255;
		const whole = Math.round(value);
		return Math.abs(value - whole) < 1e-6 ? String(whole) : significant(value);
	}

// src/media/compare/level.ts
	const HELD_LEVELS = [
		"byte",
		"pixel",
		"near",
		"similar",
		"related"
	];
	const LEVELS = [...HELD_LEVELS, "different"];
	const DEFAULT_LIMITS = {
		near: {
			maxDifference: 2 / 255,
			psnrDb: 48
		},
		similar: {
			ssim: .95,
			pdqDistance: 10
		},
		related: { pdqDistance: 31 }
	};

// src/report/words/level-words.ts
	const { near, similar, related } = DEFAULT_LIMITS;
	const LEVEL_WORDS = {
		byte: {
			same: "byte-identical",
			short: "bytes",
			legend: "all takes byte-identical",
			caption: "same bytes",
			meaning: "byte-identical."
		},
		pixel: {
			same: "pixel-identical",
			short: "pixels",
			legend: "other bytes, every pixel the same",
			caption: "same pixels",
			meaning: "the same pixels, in other bytes."
		},
		near: {
			same: "visually identical",
			short: "near",
			legend: "visually identical",
			caption: "nearly the same",
			meaning: \`no sample differs by more than \${stepsOf255(near.maxDifference)} of 255, and PSNR is at least \${near.psnrDb} dB.\`
		},
		similar: {
			same: "visually similar",
			short: "similar",
			legend: "visually similar",
			caption: "similar",
			meaning: \`the same image, with differences: SSIM is at least \${similar.ssim}, and PDQ distance, where defined, at most \${similar.pdqDistance} of 256.\`
		},
		related: {
			same: "related",
			short: "related",
			legend: "recognisably related",
			caption: "related",
			meaning: \`similar composition, different detail: PDQ distance is at most \${related.pdqDistance} of 256.\`
		},
		different: {
			same: "different",
			short: "different",
			legend: "other images",
			caption: null,
			meaning: "different images: the rules of near, similar and related do not hold."
		}
	};

// src/report/html/client/take-table.ts
	function takeTable(cell, takes) {
		const rows = rowsOf(cell).map(([name, words]) => [name, takes.map(words)]).filter(([, values]) => values.some((value) => value !== ""));
		const head = make("tr", "", make("td", ""), ...takes.map((take) => columnHead(nameOfTake(take))));
		const body = rows.map(([name, values]) => {
			const first = make("th", "", name);
			first.scope = "row";
			return make("tr", "", first, ...values.map((value) => make("td", "", value)));
		});
		return make("table", "plain take-table", make("thead", "", head), make("tbody", "", ...body));
	}
	function columnHead(words) {
		const head = make("th", "", words);
		head.scope = "col";
		return head;
	}
	function rowsOf(cell) {
		return [
			["outcome", ({ outcome }) => outcome.replaceAll("_", " ")],
			...(cell.takes[0]?.times ?? []).map(([name], at) => [name, ({ times: own }) => {
				const value = own[at]?.[1] ?? null;
				return value === null ? "" : duration(value);
			}]),
			["HTTP status", ({ httpStatus }) => httpStatus === null ? "" : String(httpStatus)],
			["attempts", ({ attempts }) => attempts === 0 ? "" : String(attempts)],
			["request id", ({ requestId }) => requestId ?? ""],
			["flags", ({ flags }) => flags.join(", ").replaceAll("_", " ")],
			["error", ({ error }) => error === null ? "" : error[0]],
			["message", ({ error }) => error === null ? "" : error[1]],
			["sha256", ({ output }) => output === null ? "" : \`\${cell.outputs[output]?.sha256 ?? ""}…\`],
			["against the usual output", ({ output }) => levelWords(cell, output)]
		];
	}
	function levelWords({ outputs }, output) {
		const level = output === null || outputs.length < 2 ? null : outputs[output]?.level;
		return level === null || level === void 0 ? "" : LEVEL_WORDS[level].same;
	}

// src/report/html/client/compare/output-words.ts
	function captionOf(output, shown) {
		const { cell, takes } = output;
		const [first] = takes;
		const total = first === void 0 ? null : totalOf(first);
		const lines = [
			[
				total === null ? "" : duration(total),
				(first?.outcome ?? "").replaceAll("_", " "),
				\`seed \${cell.seed}\`,
				first === void 0 ? "" : nameOfTake(first)
			],
			[groupWords(output)],
			[shownWords(output, shown)]
		];
		const details = make("details", "", make("summary", "", "Timings and request"), takeTable(cell, takes));
		return [...lines.map((words) => make("small", "", words.filter((word) => word !== "").join(", "))), details];
	}
	function groupWords({ cell, takes, level }) {
		const delivered = cell.takes.filter(({ output }) => output !== null).length;
		const share = \`\${count(takes.length)} of \${count(delivered)} takes gave these bytes\`;
		if (cell.outputs.length < 2 || level === null) return share;
		return level === "byte" ? \`\${share}: the usual output\` : \`\${share}: \${LEVEL_WORDS[level].same} \${level === "different" ? "from" : "to"} the usual output\`;
	}
	function shownWords({ width, height, durationS }, shown) {
		const size = width === null || height === null ? null : pixels(width, height);
		if (shown === null) return "This page holds no image of it, and the original is not beside this page.";
		if (shown.source === "original") return \`Shown: the original, \${pixels(shown.width, shown.height)}\`;
		const what = durationS === null ? "a copy" : "a small copy";
		const isWhole = size === pixels(shown.width, shown.height);
		return \`Shown: \${what} of \${pixels(shown.width, shown.height)}\${isWhole ? ", all pixels, compressed" : ""}\${size === null || isWhole ? "" : \`; the original of \${size} is not beside this page\`}\`;
	}
	function pixels(width, height) {
		return \`\${width} × \${height} pixels\`;
	}
	function betweenWords(one, other) {
		if (one.cell === other.cell && one.number === other.number) return "One output: byte-identical.";
		if (one.cell.variant !== other.cell.variant) return \`Two variants: similarity says nothing about quality.\${one.sha256 === other.sha256 ? " Here both gave the same bytes." : ""}\`;
		if (one.cell !== other.cell) return one.sha256 === other.sha256 ? "Two seeds of one variant gave the same bytes: the seed may be ignored." : "Two seeds of one variant: another image is expected.";
		const [a, b] = one.number < other.number ? [one.number, other.number] : [other.number, one.number];
		const pair = one.cell.pairs.find((each) => each[0] === a && each[1] === b);
		return pair === void 0 ? "Two takes of one variant, prompt and seed: their distance is not known." : \`Two takes of one variant, prompt and seed: \${pairWords(pair)}.\`;
	}
	function pairWords([, , level, samples, ssim, pdqDistance, frames, unpaired]) {
		const same = level === null ? "compared" : LEVEL_WORDS[level].same;
		if (samples === null && ssim === null && pdqDistance === null) return same;
		const difference = {
			frames,
			unpaired,
			samples: samples === null ? null : {
				maxDifference: samples[0],
				psnrDb: samples[1]
			},
			ssim: ssim === null ? null : {
				p5: ssim[0],
				worst: ssim[1]
			},
			pdqDistance,
			similarityFrames: frames
		};
		return \`\${same}; \${differenceWords(difference)}\`;
	}

// src/report/html/client/compare/difference-image.ts
	function drawDifference(canvas, one, other, size, doublings) {
		const { width, height } = size;
		if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {
			width,
			height
		});
		const context = canvas.getContext("2d");
		if (context === null) return;
		context.globalCompositeOperation = "source-over";
		context.fillStyle = "#000";
		context.fillRect(0, 0, width, height);
		context.drawImage(one, 0, 0, width, height);
		context.globalCompositeOperation = "difference";
		context.drawImage(other, 0, 0, width, height);
		context.globalCompositeOperation = "lighter";
		for (let times = 0; times < doublings; times += 1) context.drawImage(canvas, 0, 0);
	}

// src/report/html/client/compare/zoom.ts
	const WHOLE = {
		zoom: "fit",
		x: .5,
		y: .5
	};
	const STEPS = [
		.25,
		.5,
		1,
		2,
		4,
		8,
		16
	];
	function fitOf({ stage, width, height }) {
		return Math.min(stage.clientWidth / width, stage.clientHeight / height) * devicePixelRatio;
	}
	function zoomed(view, frame, direction) {
		const fit = fitOf(frame);
		const now = view.zoom === "fit" ? fit : view.zoom;
		if (direction === "in") return {
			...view,
			zoom: STEPS.find((step) => step > now * 1.01) ?? now
		};
		const smaller = STEPS.filter((step) => step < now * .99 && step > fit).at(-1);
		return smaller === void 0 ? WHOLE : {
			...view,
			zoom: smaller
		};
	}
	function placed(view, frame) {
		const scale = (view.zoom === "fit" ? fitOf(frame) : view.zoom) / devicePixelRatio;
		const [width, height] = [frame.width * scale, frame.height * scale];
		return {
			width,
			height,
			left: edge(frame.stage.clientWidth, width, view.x),
			top: edge(frame.stage.clientHeight, height, view.y)
		};
	}
	function edge(room, size, middle) {
		if (size <= room) return (room - size) / 2;
		return Math.min(0, Math.max(room - size, room / 2 - middle * size));
	}
	function moved(view, frame, byX, byY) {
		const { left, top, width, height } = placed(view, frame);
		const x = (frame.stage.clientWidth / 2 - left - byX) / width;
		const y = (frame.stage.clientHeight / 2 - top - byY) / height;
		return {
			...view,
			x: Math.min(1, Math.max(0, x)),
			y: Math.min(1, Math.max(0, y))
		};
	}

// src/report/html/client/compare/stage.ts
	function openStage(stage, { view, change }) {
		let layers = [];
		let size = null;
		const frame = () => size === null || stage.clientWidth === 0 ? null : {
			stage,
			...size
		};
		const place = () => {
			const shown = frame();
			if (shown === null) return;
			const { left, top, width, height } = placed(view(), shown);
			const isLarge = width / shown.width * devicePixelRatio >= 2;
			for (const { style } of layers) {
				style.left = \`\${left}px\`;
				style.top = \`\${top}px\`;
				style.width = \`\${width}px\`;
				style.height = \`\${height}px\`;
				style.imageRendering = isLarge ? "pixelated" : "auto";
			}
		};
		let from = null;
		stage.addEventListener("pointerdown", (event) => {
			if (event.button !== 0 || view().zoom === "fit") return;
			from = {
				x: event.clientX,
				y: event.clientY
			};
			stage.setPointerCapture(event.pointerId);
		});
		stage.addEventListener("pointermove", ({ clientX, clientY }) => {
			const shown = frame();
			if (from === null || shown === null) return;
			change(moved(view(), shown, clientX - from.x, clientY - from.y));
			from = {
				x: clientX,
				y: clientY
			};
		});
		for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => {
			from = null;
		});
		stage.addEventListener("wheel", (event) => {
			const shown = frame();
			if (shown === null || !event.ctrlKey) return;
			event.preventDefault();
			change(zoomed(view(), shown, event.deltaY < 0 ? "in" : "out"));
		}, { passive: false });
		stage.addEventListener("dblclick", () => change(view().zoom === "fit" ? {
			...view(),
			zoom: 1
		} : WHOLE));
		new ResizeObserver(place).observe(stage);
		return {
			show: (shown, dimensions) => {
				layers = shown;
				size = dimensions;
				stage.style.aspectRatio = \`\${dimensions.width} / \${dimensions.height}\`;
				stage.replaceChildren(...shown);
				place();
			},
			clear: () => {
				layers = [];
				size = null;
				stage.replaceChildren();
			},
			frame,
			place
		};
	}

// src/report/html/client/compare/overlay.ts
	const FLICKER_MS = 600;
	function openOverlay(dialog, events, isCalm) {
		const frame = within(dialog, ".overlay .stage", HTMLElement);
		const stage = openStage(frame, events);
		const divider = make("div", "divider");
		const canvas = make("canvas", "");
		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", "absolute difference");
		const share = within(dialog, ".tool.slider input", HTMLInputElement);
		const press = within(dialog, ".tool.flicker button", HTMLButtonElement);
		const which = within(dialog, ".tool.flicker span", HTMLElement);
		const amplify = within(dialog, ".tool.difference select", HTMLSelectElement);
		let now = null;
		let timer = 0;
		const swap = () => {
			if (now === null) return;
			const { style } = now.other.element;
			const isOther = style.visibility === "hidden";
			style.visibility = isOther ? "visible" : "hidden";
			which.textContent = isOther ? "right image" : "left image";
		};
		const stop = () => {
			clearInterval(timer);
			timer = 0;
			press.textContent = isCalm() ? "Swap" : "Start";
		};
		const start = () => {
			stop();
			timer = setInterval(swap, FLICKER_MS);
			press.textContent = "Pause";
		};
		press.addEventListener("click", () => {
			if (timer !== 0) stop();
			else if (isCalm()) swap();
			else start();
		});
		const cut = () => {
			const shown = now?.other.element.style;
			if (shown === void 0) return;
			const at = frame.clientWidth * Number(share.value) / 100;
			divider.style.left = \`\${at}px\`;
			const [left, width] = [Number.parseFloat(shown.left), Number.parseFloat(shown.width)];
			shown.setProperty("--cut", \`\${Math.min(100, Math.max(0, 100 * (at - left) / width))}%\`);
		};
		const draw = () => {
			if (now === null) return;
			stage.place();
			if (now.layout === "slider") cut();
			if (now.layout !== "difference") return;
			const smaller = now.one.width <= now.other.width ? now.one : now.other;
			drawDifference(canvas, now.one.element, now.other.element, smaller, Number(amplify.value));
		};
		share.addEventListener("input", draw);
		amplify.addEventListener("change", draw);
		new ResizeObserver(draw).observe(frame);
		return {
			show: (layout, one, other, size) => {
				stop();
				now = {
					layout,
					one,
					other,
					size
				};
				if (layout === "difference") stage.show([canvas], size);
				else stage.show([one.element, other.element], size);
				if (layout === "slider") frame.append(divider);
				if (layout === "flicker") {
					which.textContent = "right image";
					if (!isCalm()) start();
				}
				draw();
			},
			clear: () => {
				stop();
				now = null;
				stage.clear();
			},
			draw,
			frame: stage.frame
		};
	}

// src/report/html/client/compare/player.ts
	const MOST_APART_S = .06;
	function openPlayer(bar, draw) {
		const button = within(bar, "button", HTMLButtonElement);
		const time = within(bar, "input", HTMLInputElement);
		const words = within(bar, "output", HTMLOutputElement);
		let videos = [];
		let ticking = 0;
		const longest = () => videos.reduce((most, each) => most !== null && most.duration >= each.duration ? most : each, null);
		const say = () => {
			const leader = longest();
			if (leader === null) return;
			time.max = String(leader.duration);
			time.value = String(leader.currentTime);
			words.textContent = \`\${duration(1e3 * leader.currentTime, "s")} of \${duration(1e3 * leader.duration, "s")}\`;
			button.textContent = leader.paused ? "Play" : "Pause";
		};
		const seek = (atS) => {
			for (const video of videos) video.currentTime = Math.min(atS, video.duration);
		};
		const tick = () => {
			const leader = longest();
			if (leader === null) return;
			if (leader.ended) {
				seek(0);
				play();
			}
			for (const video of videos) {
				const atS = Math.min(leader.currentTime, video.duration);
				if (video !== leader && Math.abs(video.currentTime - atS) > MOST_APART_S) video.currentTime = atS;
			}
			say();
			draw();
			if (!leader.paused) ticking = requestAnimationFrame(tick);
		};
		const play = () => {
			cancelAnimationFrame(ticking);
			for (const video of videos) video.play().catch(say);
			ticking = requestAnimationFrame(tick);
		};
		const pause = () => {
			for (const video of videos) video.pause();
			cancelAnimationFrame(ticking);
			say();
		};
		const toggle = () => {
			if (longest()?.paused === true) play();
			else pause();
		};
		button.addEventListener("click", toggle);
		time.addEventListener("input", () => {
			const atS = Number(time.value);
			pause();
			seek(atS);
			say();
		});
		return {
			toggle,
			take: (taken, plays) => {
				pause();
				videos = taken;
				bar.hidden = videos.length === 0;
				for (const video of videos) video.addEventListener("seeked", draw);
				seek(0);
				if (plays && videos.length > 0) play();
				else say();
			}
		};
	}

// src/report/html/client/compare/side.ts
	function openSide(figure, isOptional, events) {
		const choice = within(figure, "select", HTMLSelectElement);
		const caption = within(figure, "figcaption", HTMLElement);
		const stage = openStage(within(figure, ".stage", HTMLElement), events);
		const before = isOptional ? 1 : 0;
		let outputs = [];
		let output = null;
		let shown = null;
		const choose = async (index) => {
			const chosen = outputs[(index + outputs.length) % outputs.length] ?? null;
			output = index < 0 && isOptional ? null : chosen;
			choice.selectedIndex = output === null ? 0 : outputs.indexOf(output) + before;
			shown = null;
			const asked = output;
			const loaded = asked === null ? null : await loadMedia(asked);
			if (output !== asked) return;
			shown = loaded;
			caption.replaceChildren(...asked === null ? [] : captionOf(asked, loaded));
		};
		return {
			figure,
			choice,
			stage,
			output: () => output,
			shown: () => shown,
			offer: (offered) => {
				outputs = offered;
				const none = isOptional ? [new Option("no third")] : [];
				choice.replaceChildren(...none, ...offered.map((each) => new Option(nameOfOutput(each))));
			},
			choose,
			index: () => output === null ? -1 : outputs.indexOf(output),
			clear: () => {
				output = null;
				shown = null;
				stage.clear();
				caption.replaceChildren();
			}
		};
	}

// src/report/html/client/compare/compare-view.ts
	const LAYOUTS = [
		"side",
		"slider",
		"flicker",
		"difference"
	];
	const KEY_MOVE = 80;
	function openingCompare(dialog, isCalm) {
		const title = within(dialog, "#compare-prompt", HTMLElement);
		const text = within(dialog, "#compare-text", HTMLElement);
		const between = within(dialog, ".between", HTMLElement);
		const zoomWords = within(dialog, ".zoom output", HTMLOutputElement);
		const overlayBox = within(dialog, ".overlay", HTMLElement);
		const radios = allWithin(dialog, ".views input", HTMLInputElement);
		let view = WHOLE;
		let layout = "side";
		const change = (changed) => {
			view = changed;
			placeAll();
		};
		const events = {
			view: () => view,
			change
		};
		const [left, right, third] = allWithin(dialog, ".sides > figure", HTMLElement).map((figure, at) => openSide(figure, at === 2, events));
		if (left === void 0 || right === void 0 || third === void 0) throw new Error("the compare view has three sides");
		const sides = [
			left,
			right,
			third
		];
		const overlay = openOverlay(dialog, events, isCalm);
		const player = openPlayer(within(dialog, ".player", HTMLElement), () => overlay.draw());
		const frameNow = () => layout === "side" ? left.stage.frame() : overlay.frame();
		const placeAll = () => {
			for (const { stage } of sides) stage.place();
			overlay.draw();
			zoomWords.textContent = view.zoom === "fit" ? "fit" : \`\${Math.round(100 * view.zoom)} %\`;
			for (const { classList } of allWithin(dialog, ".stage", HTMLElement)) classList.toggle("movable", view.zoom !== "fit");
		};
		const render = async () => {
			dialog.dataset.view = layout;
			overlayBox.hidden = layout === "side";
			overlay.clear();
			for (const radio of radios) radio.checked = radio.value === layout;
			third.figure.hidden = layout !== "side";
			third.figure.classList.toggle("none", third.output() === null);
			const [one, other] = [left.output(), right.output()];
			between.textContent = one === null || other === null ? "" : betweenWords(one, other);
			const shown = sides.map((side) => side.shown());
			for (const media of shown) if (media !== null) media.element.style.visibility = "";
			if (layout === "side") for (const side of sides) showSide(side);
			else await showOverlay(layout, left, right);
			const videos = shown.flatMap((media) => media?.element instanceof HTMLVideoElement ? [media.element] : []);
			player.take(layout === "side" ? videos : videos.slice(0, 2), !isCalm());
			placeAll();
		};
		const showOverlay = async (how, a, b) => {
			const [one, other] = [a.shown(), b.shown()];
			const [first, second] = [a.output(), b.output()];
			if (one === null || other === null || first === null || second === null) return;
			const pair = how === "difference" ? await alike([one, first], [other, second]) : [one, other];
			if (pair !== null && layout === how) overlay.show(how, pair[0], pair[1], sizeOf(first, one));
		};
		const chooseAll = async (choices) => {
			await Promise.all(choices.map(([side, index]) => side.choose(index)));
			await render();
		};
		const open = (pick) => {
			const output = outputOf(pick);
			const prompt = document.getElementById(\`cell-\${pick.dataset.cell}\`)?.closest(".prompt") ?? null;
			if (output === null || prompt === null) return;
			const outputs = allWithin(prompt, ".pick", HTMLElement).flatMap((each) => outputOf(each) ?? []);
			title.textContent = output.cell.prompt;
			text.textContent = output.cell.promptText;
			for (const side of sides) side.offer(outputs);
			view = WHOLE;
			dialog.showModal();
			const beside = outputs.indexOf(besideOf(output, outputs));
			chooseAll([
				[left, outputs.indexOf(output)],
				[right, beside],
				[third, -1]
			]);
		};
		for (const side of sides) side.choice.addEventListener("change", () => {
			chooseAll([[side, side.choice.selectedIndex - (side === third ? 1 : 0)]]);
		});
		for (const radio of radios) radio.addEventListener("change", () => {
			layout = LAYOUTS.find((each) => each === radio.value) ?? "side";
			render();
		});
		const zoomBy = (how) => {
			const frame = frameNow();
			if (how === "fit") change(WHOLE);
			else if (how === "1") change({
				...view,
				zoom: 1
			});
			else if (frame !== null && (how === "in" || how === "out")) change(zoomed(view, frame, how));
		};
		for (const button of allWithin(dialog, ".zoom button", HTMLButtonElement)) button.addEventListener("click", () => zoomBy(button.dataset.zoom ?? "fit"));
		dialog.addEventListener("keydown", (event) => {
			const { target, key } = event;
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return;
			const by = ARROWS[key];
			const frame = frameNow();
			if (by !== void 0 && event.shiftKey && frame !== null) change(moved(view, frame, by[0] * KEY_MOVE, by[1] * KEY_MOVE));
			else if (key === "ArrowRight") chooseAll([[right, right.index() + 1]]);
			else if (key === "ArrowLeft") chooseAll([[right, right.index() - 1]]);
			else if (KEYS[key] !== void 0) zoomBy(KEYS[key]);
			else if (key === "v") {
				layout = LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length] ?? "side";
				render();
			} else return;
			event.preventDefault();
		});
		dialog.addEventListener("close", () => {
			player.take([], false);
			overlay.clear();
			for (const side of sides) side.clear();
		});
		closable(dialog);
		return open;
	}
	const ARROWS = {
		ArrowLeft: [1, 0],
		ArrowRight: [-1, 0],
		ArrowUp: [0, 1],
		ArrowDown: [0, -1]
	};
	const KEYS = {
		"+": "in",
		"=": "in",
		"-": "out",
		"0": "fit",
		"1": "1"
	};
	function showSide(side) {
		const [output, shown] = [side.output(), side.shown()];
		if (output === null || shown === null) side.stage.clear();
		else side.stage.show([shown.element], sizeOf(output, shown));
	}
	function sizeOf(output, shown) {
		return {
			width: output.width ?? shown.width,
			height: output.height ?? shown.height
		};
	}
	async function alike([one, first], [other, second]) {
		if (one.source === other.source) return [one, other];
		const [a, b] = await Promise.all([loadMedia(first, "copy"), loadMedia(second, "copy")]);
		return a === void 0 || b === void 0 || a === null || b === null ? null : [a, b];
	}
	function besideOf(output, outputs) {
		const others = outputs.filter((each) => each !== output);
		return others.find(({ cell }) => cell === output.cell) ?? others.find((each) => outputs.indexOf(each) > outputs.indexOf(output)) ?? others[0] ?? output;
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

// src/report/html/client/takes-view.ts
	function openingTakes(dialog) {
		const title = within(dialog, "h2 span", HTMLElement);
		const content = within(dialog, ".content", HTMLElement);
		closable(dialog);
		return (number) => {
			const cell = cellFacts(number);
			if (cell === null) return;
			title.textContent = \`\${cell.prompt}, \${cell.variant}, seed \${cell.seed}\`;
			content.replaceChildren(cell.takes.length === 0 ? make("p", "empty", "No take was sent.") : takeTable(cell, cell.takes));
			dialog.showModal();
		};
	}

// src/report/html/client/main.ts
	document.documentElement.classList.add("scripted");
	const player = hoverPlayer();
	const compare = openingCompare(within(document, "#compare", HTMLDialogElement), player.isCalm);
	const takes = openingTakes(within(document, "#takes", HTMLDialogElement));
	pickButtons(player, (pick) => {
		player.stop();
		compare(pick);
	});
	for (const place of allWithin(document, "#images td[id]", HTMLTableCellElement)) {
		const button = makeButton("Timings", "quiet-button", () => takes(Number(place.id.slice(5))));
		button.setAttribute("aria-haspopup", "dialog");
		const original = place.querySelector(".original");
		if (original === null) place.append(button);
		else original.after(" ", button);
	}

})();`;

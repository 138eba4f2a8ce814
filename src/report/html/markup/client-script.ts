// Made from client/ by npm run client.

/** The page's one script. */
export const SCRIPT = `(function() {

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

// src/report/html/client/compare/layout.ts
	const LAYOUTS = [
		"side",
		"slider",
		"flicker",
		"difference"
	];

// src/report/html/client/compare/compare-hash.ts
	const PREFIX$1 = "#compare?";
	function hashOfCompared({ outputs, layout }) {
		const places = outputs.flatMap((each) => each === void 0 ? [] : [\`\${each.cell.number}.\${each.number}\`]);
		return \`\${PREFIX$1}outputs=\${places.join(",")}&view=\${layout}\`;
	}
	function comparedOf(hash) {
		if (!hash.startsWith(PREFIX$1)) return null;
		const query = new URLSearchParams(hash.slice(9));
		const [left, right, third] = (query.get("outputs") ?? "").split(",").map((place) => {
			const [cell, output] = place.split(".").map(Number);
			return cellFacts(cell ?? -1)?.outputs[output ?? -1];
		});
		if (left === void 0 || right === void 0) return null;
		const layout = LAYOUTS.find((each) => each === query.get("view")) ?? "side";
		return {
			outputs: third === void 0 ? [left, right] : [
				left,
				right,
				third
			],
			layout
		};
	}

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
	function makeButton$1(words, className, press) {
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
		element.draggable = false;
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
		const rows = rowsOf$1(cell).map(([name, words]) => [name, takes.map(words)]).filter(([, values]) => values.some((value) => value !== ""));
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
	function rowsOf$1(cell) {
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
		const follow = ({ buttons, clientX }) => {
			if (now?.layout !== "slider" || events.view().zoom !== "fit" || buttons !== 1) return;
			const { left, width } = frame.getBoundingClientRect();
			share.value = String(100 * (clientX - left) / width);
			draw();
		};
		frame.addEventListener("pointerdown", follow);
		frame.addEventListener("pointermove", follow);
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
		let addressBefore = "";
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
			const [one, other, another] = sides.map((side) => side.output());
			if (one && other && dialog.open) {
				const hash = hashOfCompared({
					outputs: another ? [
						one,
						other,
						another
					] : [one, other],
					layout
				});
				history.replaceState(null, "", hash);
			}
			between.textContent = one && other ? betweenWords(one, other) : "";
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
		const open = ({ outputs: [one, other, another], layout: wanted }) => {
			const prompt = document.getElementById(\`cell-\${one.cell.number}\`)?.closest(".prompt") ?? null;
			if (prompt === null) return;
			const outputs = allWithin(prompt, ".pick", HTMLElement).flatMap((each) => outputOf(each) ?? []);
			title.textContent = one.cell.prompt;
			text.textContent = one.cell.promptText;
			for (const side of sides) side.offer(outputs);
			view = WHOLE;
			layout = wanted;
			addressBefore = location.href;
			dialog.showModal();
			chooseAll([
				[left, outputs.indexOf(one)],
				[right, outputs.indexOf(other)],
				[third, another === void 0 ? -1 : outputs.indexOf(another)]
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
			history.replaceState(null, "", addressBefore);
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
	function withNearest(pick) {
		const output = outputOf(pick);
		const prompt = document.getElementById(\`cell-\${pick.dataset.cell}\`)?.closest(".prompt") ?? null;
		if (output === null || prompt === null) return null;
		const outputs = allWithin(prompt, ".pick", HTMLElement).flatMap((each) => outputOf(each) ?? []);
		const others = outputs.filter((each) => each !== output);
		return {
			outputs: [output, others.find(({ cell }) => cell === output.cell) ?? others.find((each) => outputs.indexOf(each) > outputs.indexOf(output)) ?? others[0] ?? output],
			layout: "side"
		};
	}

// src/report/html/client/filter/filter-state.ts
	const EVERYTHING = {
		variant: "",
		prompt: "",
		seed: "",
		tag: "",
		level: "",
		outcome: "",
		page: 1
	};
	const PREFIX = "#images?";
	function hashOf(state) {
		const query = new URLSearchParams();
		for (const key of [
			"variant",
			"prompt",
			"seed",
			"tag",
			"level",
			"outcome"
		]) if (state[key] !== "") query.set(key, state[key]);
		if (state.page !== 1) query.set("page", String(state.page));
		return query.size === 0 ? "#images" : \`\${PREFIX}\${query}\`;
	}
	function filterOf(hash) {
		if (!hash.startsWith(PREFIX)) return null;
		const query = new URLSearchParams(hash.slice(8));
		const text = (key) => query.get(key) ?? "";
		const page = Number(query.get("page") ?? "1");
		return {
			variant: text("variant"),
			prompt: text("prompt"),
			seed: text("seed"),
			tag: text("tag"),
			level: text("level"),
			outcome: text("outcome"),
			page: Number.isInteger(page) && page >= 0 ? page : 1
		};
	}

// src/report/html/client/filter/sheet-rows.ts
	function sheetPrompts() {
		return allWithin(document, "#images article", HTMLElement).map((article) => {
			const heads = allWithin(article, "thead th", HTMLElement);
			const rows = allWithin(article, "tbody tr", HTMLTableRowElement).map((row) => {
				return {
					row,
					seed: row.dataset.seed ?? "",
					places: allWithin(row, "td", HTMLElement)
				};
			});
			const some = rows.flatMap(({ places }) => places).find(({ id }) => id !== "");
			return {
				article,
				kind: article.dataset.kind ?? "",
				name: article.dataset.prompt ?? "",
				text: article.querySelector(".text")?.textContent ?? "",
				tags: (some === void 0 ? null : cellAt(some))?.tags ?? [],
				variants: heads.map((head) => head.textContent?.trim() ?? ""),
				heads,
				rows
			};
		});
	}
	function cellAt({ id }) {
		return id === "" ? null : cellFacts(Number(id.slice(5)));
	}
	function showChosen(prompt, state) {
		const sought = state.prompt.toLowerCase();
		if (!(prompt.name.toLowerCase().includes(sought) || prompt.text.toLowerCase().includes(sought)) || state.tag !== "" && !prompt.tags.includes(state.tag)) return false;
		const columns = /* @__PURE__ */ new Set();
		for (const { row, seed, places } of prompt.rows) {
			let isAny = false;
			for (const [at, place] of places.entries()) {
				const isChosen = (state.seed === "" || state.seed === seed) && (state.variant === "" || state.variant === prompt.variants[at]) && matches(place, state);
				place.classList.toggle("out", !isChosen);
				if (!isChosen) continue;
				columns.add(at);
				isAny = true;
			}
			row.hidden = !isAny;
		}
		for (const [at, head] of prompt.heads.entries()) {
			head.hidden = !columns.has(at);
			for (const { places } of prompt.rows) {
				const place = places[at];
				if (place !== void 0) place.hidden = head.hidden;
			}
		}
		return columns.size > 0;
	}
	function matches(place, { level, outcome }) {
		if (level === "" && outcome === "") return true;
		const cell = cellAt(place);
		if (cell === null) return false;
		return (level === "" || cell.level === level) && (outcome === "" || cell.outcomes.includes(outcome));
	}

// src/report/html/client/filter/sheet-filter.ts
	const PER_PAGE = 12;
	function filterSheet(bar) {
		const prompts = sheetPrompts();
		if (prompts.length === 0) return;
		const heads = allWithin(document, "#images h3[data-kind]", HTMLElement);
		let state = filterOf(location.hash) ?? EVERYTHING;
		let chosen = prompts;
		const words = make("span", "found");
		words.setAttribute("role", "status");
		const selects = choices(prompts).map(([key, name, values]) => {
			const select = make("select", "", new Option(\`every \${name}\`, ""), ...values.map(([value, said]) => new Option(said, value)));
			select.setAttribute("aria-label", name);
			select.addEventListener("change", () => to({
				...state,
				[key]: select.value,
				page: Math.min(state.page, 1)
			}));
			return {
				key,
				select
			};
		});
		const search = make("input", "");
		search.type = "search";
		search.placeholder = "prompt or its text";
		search.setAttribute("aria-label", "prompt or its text");
		search.addEventListener("input", () => to({
			...state,
			prompt: search.value,
			page: Math.min(state.page, 1)
		}));
		const reset = makeButton$1("Reset", "", () => to(EVERYTHING));
		const pagers = [0, 1].map(() => pager((page) => to({
			...state,
			page
		})));
		const apply = () => {
			chosen = prompts.filter((prompt) => {
				const isChosen = showChosen(prompt, state);
				if (!isChosen) prompt.article.hidden = true;
				return isChosen;
			});
			const pages = Math.max(1, Math.ceil(chosen.length / PER_PAGE));
			if (state.page > pages) state = {
				...state,
				page: pages
			};
			const shown = new Set(state.page === 0 ? chosen : chosen.slice((state.page - 1) * PER_PAGE, state.page * PER_PAGE));
			for (const prompt of chosen) if (shown.has(prompt)) prompt.article.removeAttribute("hidden");
			else prompt.article.setAttribute("hidden", "until-found");
			for (const head of heads) head.hidden = ![...shown].some(({ kind }) => kind === head.dataset.kind);
			for (const { key, select } of selects) select.value = state[key];
			if (search.value !== state.prompt) search.value = state.prompt;
			reset.disabled = hashOf({
				...state,
				page: 1
			}) === hashOf(EVERYTHING);
			words.textContent = chosen.length === prompts.length ? plural(prompts.length, "prompt") : \`\${count(chosen.length)} of \${plural(prompts.length, "prompt")}\`;
			for (const each of pagers) each.show(state.page, pages);
		};
		const to = (wanted) => {
			const isTurned = wanted.page !== state.page;
			state = wanted;
			apply();
			history.replaceState(null, "", hashOf(state));
			if (isTurned) bar.scrollIntoView({
				block: "start",
				behavior: "instant"
			});
		};
		const reveal = (article) => {
			const isHere = (each) => each.article === article;
			if (!chosen.some(isHere)) {
				state = EVERYTHING;
				apply();
			}
			const at = chosen.findIndex(isHere);
			if (at < 0 || state.page === 0) return;
			state = {
				...state,
				page: Math.floor(at / PER_PAGE) + 1
			};
			apply();
		};
		const follow = () => {
			const wanted = filterOf(location.hash);
			if (wanted !== null) {
				state = wanted;
				apply();
				document.getElementById("images")?.scrollIntoView({ behavior: "instant" });
				return;
			}
			const target = document.getElementById(location.hash.slice(1));
			const article = target?.closest("#images article") ?? null;
			if (target === null || article === null) return;
			if (target.hidden || target.classList.contains("out")) state = EVERYTHING;
			apply();
			reveal(article);
			target.scrollIntoView({
				block: "center",
				inline: "center",
				behavior: "instant"
			});
		};
		for (const { article } of prompts) article.addEventListener("beforematch", () => reveal(article));
		bar.append(search, ...selects.map(({ select }) => select), reset, words, ...pagers.slice(0, 1).map(({ element }) => element));
		bar.hidden = false;
		const [, below] = pagers;
		if (below !== void 0) prompts.at(-1)?.article.after(below.element);
		apply();
		if (location.hash !== "") follow();
		addEventListener("hashchange", follow);
	}
	function choices(prompts) {
		const cells = prompts.flatMap(({ rows }) => rows.flatMap(({ places }) => places.flatMap((place) => cellAt(place) ?? [])));
		const same = (values) => [...new Set(values)].map((value) => [value, value]);
		const outcomes = new Set(cells.flatMap((cell) => cell.outcomes));
		const levels = new Set(cells.map(({ level }) => level));
		return [
			[
				"variant",
				"variant",
				same(prompts.flatMap(({ variants }) => variants))
			],
			[
				"seed",
				"seed",
				same(prompts.flatMap(({ rows }) => rows.map(({ seed }) => seed)))
			],
			[
				"tag",
				"tag",
				same(prompts.flatMap(({ tags }) => tags))
			],
			[
				"level",
				"level",
				LEVELS.filter((level) => levels.has(level)).map((level) => [level, LEVEL_WORDS[level].same])
			],
			[
				"outcome",
				"outcome",
				[...outcomes].map((outcome) => [outcome, outcome.replaceAll("_", " ")])
			]
		].filter(([, , values]) => values.length > 1);
	}
	function pager(turn) {
		let now = 1;
		const before = makeButton$1("Previous page", "", () => turn(now - 1));
		const after = makeButton$1("Next page", "", () => turn(now + 1));
		const all = makeButton$1("", "", () => turn(now === 0 ? 1 : 0));
		const words = make("span", "");
		const element = make("div", "pager", before, words, after, all);
		return {
			element,
			show: (page, pages) => {
				now = page;
				element.hidden = pages === 1;
				before.disabled = page <= 1;
				after.disabled = page === 0 || page === pages;
				words.textContent = page === 0 ? "all pages" : \`page \${count(page)} of \${count(pages)}\`;
				all.textContent = page === 0 ? "Show pages" : "Show all";
			}
		};
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
		for (const span of allWithin(document, ".pick", HTMLElement)) {
			repeatMedia(span);
			makeButton(span);
		}
		let tapped = null;
		document.addEventListener("pointerover", ({ target, pointerType }) => {
			const film = filmAt(target);
			if (film !== null && pointerType !== "touch") player.play(film);
		});
		document.addEventListener("pointerout", ({ target, relatedTarget, pointerType }) => {
			const film = filmAt(target);
			if (film !== null && film !== filmAt(relatedTarget) && pointerType !== "touch") player.stop(film);
		});
		document.addEventListener("focusin", ({ target }) => {
			const film = filmAt(target);
			if (film !== null) player.play(film);
		});
		document.addEventListener("focusout", ({ target }) => {
			const film = filmAt(target);
			tapped = null;
			if (film !== null) player.stop(film);
		});
		document.addEventListener("click", (event) => {
			const pick = event.target instanceof Element ? event.target.closest("button.pick") : null;
			if (pick === null) {
				tapped = null;
				return;
			}
			const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
			const playsFirst = filmAt(pick) !== null && isTouch && !player.isCalm() && tapped !== pick;
			tapped = pick;
			if (playsFirst) player.play(pick);
			else open(pick);
		});
	}
	function filmAt(target) {
		return target instanceof Element ? target.closest("button.film") : null;
	}
	function repeatMedia(span) {
		const link = span.querySelector("[data-same]");
		const copy = (link === null ? null : document.getElementById(link.dataset.same ?? ""))?.cloneNode();
		if (link === null || !(copy instanceof HTMLElement)) return;
		copy.removeAttribute("id");
		link.replaceWith(copy);
	}
	function makeButton(span) {
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
	}

// src/report/html/client/sort-table.ts
	function sortableTable(table) {
		const heads = allWithin(table, "thead th", HTMLTableCellElement);
		const bodies = [...table.tBodies].map((body) => ({
			body,
			asWas: [...body.rows]
		})).filter(({ asWas }) => asWas.length > 1);
		for (const head of heads) {
			if (!bodies.flatMap(({ asWas }) => asWas.flatMap((row) => row.cells[head.cellIndex] ?? [])).some(({ dataset, tagName }) => dataset.value !== void 0 || tagName === "TH") || head.textContent?.trim() === "") continue;
			const button = makeButton$1("", "sort", () => {
				const order = nextOrder(head.ariaSort);
				for (const each of heads) each.removeAttribute("aria-sort");
				if (order !== null) head.ariaSort = order;
				for (const { body, asWas } of bodies) body.append(...order === null ? asWas : sorted(asWas, head.cellIndex, order));
			});
			button.append(...head.childNodes);
			head.append(button);
		}
	}
	function nextOrder(now) {
		if (now === "ascending") return "descending";
		return now === "descending" ? null : "ascending";
	}
	function sorted(rows, column, order) {
		const cells = rows.map(({ cells }) => cells[column]);
		const isNumeric = cells.some((cell) => cell?.dataset.value !== void 0);
		const keyed = rows.map((row, at) => ({
			row,
			key: isNumeric ? numberOf(cells[at]) : textOf(cells[at])
		}));
		const sign = order === "ascending" ? 1 : -1;
		return keyed.sort((a, b) => {
			if (a.key === b.key) return 0;
			if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
			return a.key < b.key ? -sign : sign;
		}).map(({ row }) => row);
	}
	function numberOf(cell) {
		const value = cell?.dataset.value;
		return value === void 0 || value === "" ? null : Number(value);
	}
	function textOf(cell) {
		return (cell?.textContent ?? "").trim().toLowerCase();
	}

// src/report/html/client/strip-switch.ts
	function switchableStrip(strip) {
		const rows = rowsOf(strip.dataset.kind ?? "");
		if (rows.length < 2) return;
		const title = within(strip, "h4", HTMLElement);
		const text = within(strip, ".text", HTMLElement);
		const figures = allWithin(strip, "figure", HTMLElement);
		const first = figures.map((figure) => [...figure.childNodes]);
		const start = rows.findIndex(({ name, seed }) => name === strip.dataset.prompt && seed === strip.dataset.seed);
		let now = start;
		const prompts = choice("Prompt", [...new Set(rows.map(({ name }) => name))]);
		const seeds = choice("Seed", [...new Set(rows.map(({ seed }) => seed))]);
		const show = (to) => {
			now = (to + rows.length) % rows.length;
			const shown = rows[now];
			if (shown === void 0) return;
			prompts.select.value = shown.name;
			seeds.select.value = shown.seed;
			title.textContent = \`\${shown.name}, seed \${shown.seed}\`;
			text.textContent = within(shown.prompt, ".text", HTMLElement).textContent;
			text.title = text.textContent;
			for (const [at, figure] of figures.entries()) if (now === start) figure.replaceChildren(...first[at] ?? []);
			else fill(figure, shown.row.cells[at + 1] ?? null);
		};
		const choose = () => {
			const wanted = rows.findIndex(({ name, seed }) => name === prompts.select.value && seed === seeds.select.value);
			show(wanted);
		};
		for (const { select } of [prompts, seeds]) select.addEventListener("change", choose);
		const before = makeButton$1("Previous", "", () => show(now - 1));
		const after = makeButton$1("Next", "", () => show(now + 1));
		title.classList.add("quiet");
		title.after(make("div", "switch", prompts.label, seeds.label, before, after));
		strip.addEventListener("keydown", (event) => {
			if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
			if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
			event.preventDefault();
			const at = figures.findIndex((figure) => figure.contains(document.activeElement));
			show(now + (event.key === "ArrowRight" ? 1 : -1));
			figures[at]?.querySelector("button.pick")?.focus();
		});
		show(now);
	}
	function rowsOf(kind) {
		return allWithin(document, "#images article", HTMLElement).filter(({ dataset }) => dataset.kind === kind).flatMap((prompt) => allWithin(prompt, "tbody tr", HTMLTableRowElement).map((row) => {
			return {
				prompt,
				row,
				name: prompt.dataset.prompt ?? "",
				seed: row.dataset.seed ?? ""
			};
		}));
	}
	function choice(name, values) {
		const select = make("select", "", ...values.map((value) => new Option(value, value)));
		return {
			label: make("label", "", \`\${name} \`, select),
			select
		};
	}
	function fill(figure, place) {
		const copy = (place?.querySelector(".output, .blank") ?? null)?.cloneNode(true);
		const content = copy instanceof HTMLElement ? copy : make("span", "blank", "not sent");
		content.querySelector(".quiet-button")?.remove();
		for (const media of content.querySelectorAll("[id]")) media.removeAttribute("id");
		for (const film of content.querySelectorAll(".playing")) film.classList.remove("playing");
		const caption = within(figure, "figcaption", HTMLElement).cloneNode(true);
		if (!(caption instanceof HTMLElement)) return;
		caption.querySelector("small")?.remove();
		const words = wordsOf(Number((place?.id ?? "").slice(5) || -1));
		if (words !== "") caption.append(make("small", "", words));
		figure.replaceChildren(content, caption);
	}
	function wordsOf(number) {
		const cell = cellFacts(number);
		const total = cell?.outputs[0]?.takes[0] === void 0 ? null : totalOf(cell.outputs[0].takes[0]);
		const others = (cell?.outputs.length ?? 0) - 1;
		return [total === null ? "" : duration(total), others > 0 ? plural(others, "other output") : ""].filter((word) => word !== "").join(", ");
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
		const compared = withNearest(pick);
		if (compared !== null) compare(compared);
	});
	for (const place of allWithin(document, "#images td[id]", HTMLTableCellElement)) {
		const button = makeButton$1("Timings", "quiet-button", () => takes(Number(place.id.slice(5))));
		button.setAttribute("aria-haspopup", "dialog");
		const original = place.querySelector(".original");
		if (original === null) place.append(button);
		else original.after(" ", button);
	}
	for (const strip of allWithin(document, ".strip[data-kind]", HTMLElement)) switchableStrip(strip);
	for (const table of allWithin(document, "table.sortable", HTMLTableElement)) sortableTable(table);
	filterSheet(within(document, "#filter", HTMLElement));
	const followCompare = () => {
		const compared = comparedOf(location.hash);
		if (compared === null) return;
		history.replaceState(null, "", "#images");
		compare(compared);
	};
	addEventListener("hashchange", followCompare);
	followCompare();

})();`;

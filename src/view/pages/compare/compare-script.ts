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
	function closable(dialog) {
		within(dialog, ".close", HTMLButtonElement).addEventListener("click", () => dialog.close());
		dialog.addEventListener("click", ({ target }) => {
			if (target === dialog) dialog.close();
		});
	}

// src/report/words/run/take-name.ts
	function takeName({ repeat, step }) {
		return step === null ? \`take \${repeat}\` : \`take \${repeat} at concurrency \${step}\`;
	}

// src/report/html/client/page-facts.ts
	function pageFacts(page) {
		let starts = null;
		const cells = /* @__PURE__ */ new Map();
		return {
			cell: (number) => {
				const known = cells.get(number);
				if (known !== void 0) return known;
				starts ??= startsOfCells(page);
				const start = starts[number];
				if (start === void 0) return null;
				const facts = readCell(page, number, start);
				cells.set(number, facts);
				return facts;
			},
			levelsAndOutcomes: () => ({
				levels: valuesOf(page.cells.level),
				outcomes: valuesOf(page.takes.outcome)
			}),
			tagsOf: (prompt) => page.prompts.find(([id]) => id === prompt)?.[2] ?? []
		};
	}
	function totalOf({ times }) {
		return times[0]?.[1] ?? null;
	}
	function nameOfOutput({ cell, takes }) {
		const [first] = takes;
		const place = \`\${cell.variant}, seed \${cell.seed}\`;
		return first === void 0 ? place : \`\${place}, \${takeName(first)}\`;
	}
	const others = /* @__PURE__ */ new WeakMap();
	function valueIn(column, row) {
		if ("usual" in column) {
			let known = others.get(column);
			if (known === void 0) {
				known = new Map(column.others);
				others.set(column, known);
			}
			return known.has(row) ? known.get(row) : column.usual;
		}
		const value = column[row];
		if (value === void 0) throw new Error(\`no row \${row}\`);
		return value;
	}
	function valuesOf(column) {
		return [...new Set("usual" in column ? [column.usual, ...column.others.map(([, value]) => value)] : column)];
	}
	function startsOfCells({ cells, cellCount }) {
		const found = [];
		let [output, take] = [0, 0];
		for (let cell = 0; cell < cellCount; cell += 1) {
			found.push({
				output,
				take
			});
			output += valueIn(cells.outputs, cell);
			take += valueIn(cells.takes, cell);
		}
		return found;
	}
	function readCell(page, number, start) {
		const { variants, baselines, units, prompts, cells: data, outputs } = page;
		const [id, text, tags] = prompts[valueIn(data.prompt, number)] ?? [
			"",
			"",
			[]
		];
		const takes = Array.from({ length: valueIn(data.takes, number) }, (_, at) => readTake(page, start.take + at));
		const shown = [];
		const outcomes = [...new Set(takes.map(({ outcome }) => outcome))];
		const [seed, level, pairs] = [
			valueIn(data.seed, number),
			valueIn(data.level, number),
			valueIn(data.pairs, number)
		];
		const own = valueIn(data.variant, number);
		const baseline = variants[baselines[own] ?? -1] ?? null;
		const unit = units[own] ?? "ms";
		const cell = {
			number,
			variant: variants[own] ?? "",
			baseline,
			unit,
			prompt: id,
			promptText: text,
			tags,
			seed,
			level,
			outcomes,
			takes,
			pairs,
			outputs: shown
		};
		for (let at = 0; at < valueIn(data.outputs, number); at += 1) {
			const row = start.output + at;
			shown.push({
				cell,
				number: at,
				sha256: valueIn(outputs.sha256, row),
				width: valueIn(outputs.width, row),
				height: valueIn(outputs.height, row),
				durationS: valueIn(outputs.durationS, row),
				fps: valueIn(outputs.fps, row),
				level: valueIn(outputs.level, row),
				takes: takes.filter(({ output }) => output === at)
			});
		}
		return cell;
	}
	function readTake({ takes, messages }, row) {
		const error = valueIn(takes.error, row);
		return {
			repeat: valueIn(takes.repeat, row),
			step: valueIn(takes.step, row),
			outcome: valueIn(takes.outcome, row),
			output: valueIn(takes.output, row),
			times: TIMES.map((name) => [name, valueIn(takes[name], row)]),
			httpStatus: valueIn(takes.httpStatus, row),
			attempts: valueIn(takes.attempts, row),
			requestId: valueIn(takes.requestId, row),
			flags: valueIn(takes.flags, row),
			error: error === null ? null : [error[0], messages[error[1]] ?? ""]
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

// src/report/html/client/takes-data.ts
	const DATA_ID = "takes-data";
	let facts = null;
	function shownFacts() {
		facts ??= pageFacts(JSON.parse(document.getElementById(DATA_ID)?.textContent ?? ""));
		return facts;
	}
	function cellFacts(number) {
		return shownFacts().cell(number);
	}
	function outputOf({ dataset }) {
		return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? -1)] ?? null;
	}

// src/report/html/client/compare/beside-baseline.ts
	function besideBaseline(clicked, outputs) {
		const firsts = outputs.filter(({ cell, number }) => cell.seed === clicked.cell.seed && number === 0);
		const own = firsts.find(({ cell }) => cell === clicked.cell) ?? clicked;
		const left = firsts.find(({ cell }) => cell.variant === clicked.cell.baseline) ?? own;
		if (left !== clicked) return own === left || own === clicked ? [left, clicked] : [
			left,
			clicked,
			own
		];
		return [clicked, firsts.find(({ cell }) => cell.baseline === clicked.cell.variant) ?? firsts.find((each) => each !== clicked) ?? outputs.find((each) => each.cell === clicked.cell && each !== clicked) ?? clicked];
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

// src/report/words/outputs/difference-words.ts
	function differenceWords({ samples, ssim, chroma, pdqDistance, frames, unpaired }) {
		const parts = [];
		if (samples === null) parts.push("different sizes");
		else {
			parts.push(\`largest difference \${stepsOf255(samples.maxDifference)} of 255\`);
			if (samples.psnrDb !== null) parts.push(\`PSNR \${samples.psnrDb.toFixed(1)} dB\`);
		}
		if (ssim !== null) parts.push(frames > 1 ? \`SSIM \${ssimWords(ssim.p5)} (5th percentile), \${ssimWords(ssim.worst)} (worst frame)\` : \`SSIM \${ssimWords(ssim.worst)}\`);
		if (chroma !== null) parts.push(\`chroma distance \${significant(chroma)} of 255\`);
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
			chroma: 4,
			pdqDistance: 10
		},
		related: { pdqDistance: 31 }
	};

// src/report/words/outputs/level-words.ts
	const { near, similar, related } = DEFAULT_LIMITS;
	const LEVEL_WORDS = {
		byte: {
			same: "byte-identical",
			meaning: "byte-identical."
		},
		pixel: {
			same: "pixel-identical",
			meaning: "the same pixels, in other bytes."
		},
		near: {
			same: "visually identical",
			meaning: \`no sample differs by more than \${stepsOf255(near.maxDifference)} of 255, and PSNR is at least \${near.psnrDb} dB.\`
		},
		similar: {
			same: "visually similar",
			meaning: \`the same image, with differences: SSIM is at least \${similar.ssim}, mean distance of chroma at most \${similar.chroma} of 255, and PDQ distance, where defined, at most \${similar.pdqDistance} of 256.\`
		},
		related: {
			same: "related",
			meaning: \`similar composition, different detail: PDQ distance is at most \${related.pdqDistance} of 256.\`
		},
		different: {
			same: "different",
			meaning: "different images: beyond the limits of visually identical, visually similar and related."
		}
	};

// src/report/html/client/compare/between.ts
	function pairsBetween([left, right, third], words) {
		if (third === void 0) return [saying(make("p", ""), words, left, right)];
		const body = [
			[
				"Left and right",
				left,
				right
			],
			[
				"Left and third",
				left,
				third
			],
			[
				"Right and third",
				right,
				third
			]
		].map(([name, one, other]) => {
			const head = make("th", "", name);
			head.scope = "row";
			return make("tr", "", head, saying(make("td", ""), words, one, other));
		});
		const caption = make("caption", "quiet", "How far the images are apart");
		return [make("table", "plain pair-table", caption, make("tbody", "", ...body))];
	}
	function saying(element, words, one, other) {
		element.textContent = words(one, other, (known) => {
			element.textContent = known;
		});
		return element;
	}

// src/report/html/client/compare/layout.ts
	const LAYOUTS = [
		"side",
		"slider",
		"flicker",
		"difference"
	];

// src/report/html/client/compare/zoom.ts
	const WHOLE = {
		zoom: "fit",
		x: .5,
		y: .5
	};
	const STEPS$1 = [
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
			zoom: STEPS$1.find((step) => step > now * 1.01) ?? now
		};
		const smaller = STEPS$1.filter((step) => step < now * .99 && step > fit).at(-1);
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

// src/report/html/client/compare/compare-hash.ts
	const FIRST_SETTING = {
		view: WHOLE,
		divider: 50,
		doublings: 2,
		stoppedAtS: null
	};
	const PREFIX = "#compare?";
	function isComparison(hash) {
		return hash.startsWith(PREFIX);
	}
	function hashOfCompared({ outputs, layout, view, divider, doublings, stoppedAtS }) {
		const parts = [\`outputs=\${outputs.flatMap((each) => each === void 0 ? [] : [\`\${each.cell.number}.\${each.number}\`]).join(",")}\`, \`view=\${layout}\`];
		if (view.zoom !== "fit") parts.push(\`at=\${view.zoom},\${view.x.toFixed(4)},\${view.y.toFixed(4)}\`);
		if (layout === "slider" && divider !== FIRST_SETTING.divider) parts.push(\`divider=\${divider}\`);
		if (layout === "difference" && doublings !== FIRST_SETTING.doublings) parts.push(\`amplify=\${1 << doublings}\`);
		if (stoppedAtS !== null) parts.push(\`time=\${stoppedAtS.toFixed(3)}\`);
		return \`\${PREFIX}\${parts.join("&")}\`;
	}
	function comparedOf(hash) {
		if (!isComparison(hash)) return null;
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
			layout,
			...settingOf(query)
		};
	}
	function settingOf(query) {
		const number = (name, least, most) => {
			const value = Number.parseFloat(query.get(name) ?? "");
			return value >= least && value <= most ? value : null;
		};
		const amplify = number("amplify", 1, 64);
		return {
			view: viewOf((query.get("at") ?? "").split(",").map(Number)),
			divider: number("divider", 0, 100) ?? FIRST_SETTING.divider,
			doublings: amplify === null ? FIRST_SETTING.doublings : Math.round(Math.log2(amplify)),
			stoppedAtS: number("time", 0, 86400)
		};
	}
	function viewOf([zoom = 0, x = .5, y = .5]) {
		const isShare = (value) => value >= 0 && value <= 1;
		return zoom > 0 && zoom <= 16 && isShare(x) && isShare(y) ? {
			zoom,
			x,
			y
		} : WHOLE;
	}

// src/report/html/client/compare/load-media.ts
	const firstFound = /* @__PURE__ */ new Map();
	async function loadMedia(output, allowed = "any") {
		const url = allowed === "any" ? originalOf(output) : null;
		const type = url?.slice(url.lastIndexOf(".")) ?? "";
		const isFound = firstFound.get(type);
		if (url !== null && (isFound === void 0 || await isFound)) {
			const loading = load(url, output, "original");
			if (isFound === void 0) firstFound.set(type, loading.then((shown) => shown !== null));
			const shown = await loading;
			if (shown !== null) return shown;
		}
		const [largest] = placesOf(output).flatMap((place) => [...place.querySelectorAll("img, video")]).sort((a, b) => b.src.length - a.src.length);
		if (largest === void 0) return null;
		return await load(largest.src, output, "copy", largest instanceof HTMLVideoElement);
	}
	function originalOf(output) {
		return placesOf(output).map((place) => place.parentElement?.querySelector("a.original")).find((link) => link !== null && link !== void 0)?.href ?? null;
	}
	function placesOf({ cell, number }) {
		return [...document.querySelectorAll(\`[data-cell="\${cell.number}"][data-output="\${number}"]\`)];
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

// src/report/html/client/compare/difference-image.ts
	const GROUNDS = ["#000", "#fff"];
	const SAME_SHAPE = .01;
	function isOtherShape(one, other) {
		return Math.abs(one.width * other.height / (one.height * other.width) - 1) > SAME_SHAPE;
	}
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
		const grounds = one.element instanceof HTMLVideoElement ? GROUNDS.slice(0, 1) : GROUNDS;
		for (const ground of grounds) {
			const [flat, subtracted] = SCRATCH;
			const pen = drawOn(flat, one, size, ground);
			drawOn(subtracted, other, size, ground);
			if (pen === null) return;
			pen.globalCompositeOperation = "difference";
			pen.drawImage(subtracted, 0, 0);
			context.globalCompositeOperation = "lighten";
			context.drawImage(flat, 0, 0);
		}
		context.globalCompositeOperation = "lighter";
		for (let times = 0; times < doublings; times += 1) context.drawImage(canvas, 0, 0);
	}
	const SCRATCH = [document.createElement("canvas"), document.createElement("canvas")];
	function drawOn(canvas, image, { width, height }, ground) {
		Object.assign(canvas, {
			width,
			height
		});
		const context = canvas.getContext("2d");
		if (context === null) return null;
		context.fillStyle = ground;
		context.fillRect(0, 0, width, height);
		const scale = Math.min(width / image.width, height / image.height);
		const [wide, high] = isOtherShape(image, {
			width,
			height
		}) ? [image.width * scale, image.height * scale] : [width, height];
		context.drawImage(image.element, (width - wide) / 2, (height - high) / 2, wide, high);
		return context;
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
	function openOverlay(dialog, events, isCalm, settled) {
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
			if (now !== null) showOne(now.other.element.style.visibility === "hidden");
		};
		const showOne = (isOther) => {
			if (now === null) return;
			now.one.element.style.visibility = isOther ? "hidden" : "visible";
			now.other.element.style.visibility = isOther ? "visible" : "hidden";
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
			if (now === null) return;
			const at = frame.clientWidth * Number(share.value) / 100;
			divider.style.left = \`\${at}px\`;
			for (const { style } of [now.one.element, now.other.element]) {
				const [left, width] = [Number.parseFloat(style.left), Number.parseFloat(style.width)];
				style.setProperty("--cut", \`\${Math.min(100, Math.max(0, 100 * (at - left) / width))}%\`);
			}
		};
		const draw = () => {
			if (now === null) return;
			stage.place();
			if (now.layout === "slider") cut();
			if (now.layout !== "difference") return;
			const smaller = now.one.width <= now.other.width ? now.one : now.other;
			const size = sizeFor(now.size, smaller);
			drawDifference(canvas, now.one, now.other, size, Number(amplify.value));
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
		for (const control of [share, amplify]) control.addEventListener("change", settled);
		frame.addEventListener("pointerup", settled);
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
				const isDifference = layout === "difference";
				stage.show([
					one.element,
					other.element,
					...isDifference ? [canvas] : []
				], size);
				for (const { element, ...own } of [one, other]) {
					element.style.objectFit = isOtherShape(own, size) ? "contain" : "";
					element.style.visibility = isDifference ? "hidden" : "";
				}
				if (layout === "slider") frame.append(divider);
				if (layout === "flicker") {
					showOne(true);
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
			setting: () => ({
				divider: Number(share.value),
				doublings: Number(amplify.value)
			}),
			set: ({ divider: at, doublings }) => {
				share.value = String(at);
				amplify.value = String(doublings);
			},
			frame: stage.frame
		};
	}
	function sizeFor(shape, { width, height }) {
		if (!isOtherShape(shape, {
			width,
			height
		})) return {
			width,
			height
		};
		const scale = Math.sqrt(width * height / (shape.width * shape.height));
		return {
			width: Math.max(1, Math.round(shape.width * scale)),
			height: Math.max(1, Math.round(shape.height * scale))
		};
	}

// src/report/html/client/compare/player.ts
	const MOST_APART_S = .06;
	const ROUNDING = .001;
	const ARROW_SHARE = .01;
	const KEY_SHARES = {
		ArrowLeft: -.01,
		ArrowDown: -.01,
		ArrowRight: ARROW_SHARE,
		ArrowUp: ARROW_SHARE,
		PageDown: -.1,
		PageUp: .1
	};
	function openPlayer(bar, draw, settled) {
		const button = within(bar, ".play", HTMLButtonElement);
		const steps = allWithin(bar, ".step", HTMLButtonElement);
		const time = within(bar, "input", HTMLInputElement);
		const words = within(bar, "output", HTMLOutputElement);
		const speed = within(bar, "select", HTMLSelectElement);
		let played = [];
		let videos = [];
		let ticking = 0;
		const longest = () => videos.reduce((most, each) => most !== null && lengthOf(most) >= lengthOf(each) ? most : each, null);
		const say = () => {
			const leader = longest();
			if (leader === null) return;
			time.max = String(lengthOf(leader));
			time.value = String(leader.currentTime);
			const at = \`\${duration(1e3 * leader.currentTime, "s")} of \${duration(1e3 * lengthOf(leader), "s")}\`;
			const frames = framesOf(leader);
			words.textContent = frames === null ? at : \`\${at}, frame \${count(frames.now + 1)} of \${count(frames.of)}\`;
			button.textContent = leader.paused ? "Play" : "Pause";
		};
		const framesOf = (video) => {
			const fps = played.find(({ element }) => element === video)?.fps ?? null;
			if (fps === null || fps <= 0) return null;
			const of = Math.max(1, Math.round(lengthOf(video) * fps));
			return {
				now: Math.min(of - 1, Math.floor(video.currentTime * fps + ROUNDING)),
				of,
				fps
			};
		};
		const seek = (atS) => {
			for (const video of videos) video.currentTime = Math.min(atS, lengthOf(video));
		};
		const tick = () => {
			const leader = longest();
			if (leader === null) return;
			if (leader.ended) {
				seek(0);
				play();
			}
			for (const video of videos) {
				const atS = Math.min(leader.currentTime, lengthOf(video));
				if (video !== leader && Math.abs(video.currentTime - atS) > MOST_APART_S) video.currentTime = atS;
			}
			say();
			draw();
			if (!leader.paused) ticking = requestAnimationFrame(tick);
		};
		const play = () => {
			cancelAnimationFrame(ticking);
			for (const video of videos) {
				video.playbackRate = Number(speed.value);
				if (!video.ended || video === longest()) video.play().catch(say);
			}
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
		const step = (by) => {
			const leader = longest();
			const frames = leader === null ? null : framesOf(leader);
			if (frames === null) return false;
			pause();
			const to = Math.min(frames.of - 1, Math.max(0, frames.now + by));
			seek((to + .5) / frames.fps);
			say();
			settled();
			return true;
		};
		for (const each of steps) each.addEventListener("click", () => step(Number(each.dataset.step)));
		button.addEventListener("click", () => {
			toggle();
			settled();
		});
		const goTo = (atS) => {
			pause();
			seek(Math.max(0, atS));
			say();
		};
		time.addEventListener("input", () => goTo(Number(time.value)));
		time.addEventListener("keydown", (event) => {
			const leader = longest();
			const share = KEY_SHARES[event.key];
			if (leader === null || share === void 0 || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			if (Math.abs(share) === ARROW_SHARE && step(Math.sign(share))) return;
			goTo(leader.currentTime + share * lengthOf(leader));
			settled();
		});
		time.addEventListener("change", settled);
		speed.addEventListener("change", () => {
			for (const video of videos) video.playbackRate = Number(speed.value);
		});
		return {
			toggle: () => {
				if (videos.length === 0) return false;
				toggle();
				settled();
				return true;
			},
			step,
			stoppedAtS: () => {
				const leader = longest();
				return leader?.paused === true ? leader.currentTime : null;
			},
			take: (taken, stoppedAtS) => {
				pause();
				played = taken;
				videos = taken.map(({ element }) => element);
				bar.hidden = videos.length === 0;
				const leader = longest();
				for (const each of steps) each.hidden = leader === null || framesOf(leader) === null;
				for (const video of videos) video.addEventListener("seeked", draw);
				seek(stoppedAtS ?? 0);
				if (stoppedAtS === null && videos.length > 0) play();
				else say();
			}
		};
	}
	function lengthOf({ duration: own, seekable }) {
		if (Number.isFinite(own)) return own;
		return seekable.length === 0 ? 0 : seekable.end(seekable.length - 1);
	}

// src/report/words/outputs/outcome-words.ts
	const OUTCOME_WORDS = {
		ok: "delivered",
		moderated: "moderated",
		blank: "blank",
		throttled: "rate-limited",
		no_credit: "no credit",
		rejected: "rejected",
		error: "error",
		timed_out: "timed out",
		unknown_charged: "no answer, may be charged",
		invalid_media: "invalid media",
		cancelled: "cancelled",
		dropped: "dropped",
		defect: "internal error in Retake"
	};
	const BY_CODE = new Map(Object.entries(OUTCOME_WORDS));
	function outcomeWords(code) {
		return BY_CODE.get(code) ?? code;
	}

// src/report/words/outputs/flag-words.ts
	const FLAG_WORDS = /* @__PURE__ */ new Map([
		["harness_lag", "timestamped late"],
		["orphans", "beside abandoned requests"],
		["reconnected", "sent after a wait for its server"],
		["resumed", "measured by two processes"],
		["slowed", "sent below load.concurrency"],
		["cached", "served from a cache"],
		["blank", "one colour only"],
		["seed_echo", "another seed reported"]
	]);
	function flagWords(code) {
		return FLAG_WORDS.get(code) ?? code;
	}

// src/report/html/client/take-table.ts
	function takeTable(cell, takes) {
		const rows = rowsOf(cell).map(([name, words]) => [name, takes.map(words)]).filter(([, values]) => values.some((value) => value !== ""));
		const head = make("tr", "", make("td", ""), ...takes.map((take) => columnHead(takeName(take))));
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
			["outcome", ({ outcome }) => outcomeWords(outcome)],
			...(cell.takes[0]?.times ?? []).map(([name], at) => [name, ({ times: own }) => {
				const value = own[at]?.[1] ?? null;
				return value === null ? "" : duration(value, cell.unit);
			}]),
			["HTTP status", ({ httpStatus }) => httpStatus === null ? "" : String(httpStatus)],
			["attempts", ({ attempts }) => attempts === 0 ? "" : String(attempts)],
			["request id", ({ requestId }) => requestId ?? ""],
			["flags", ({ flags }) => flags.map(flagWords).join(", ")],
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
				total === null ? "" : duration(total, cell.unit),
				first === void 0 ? "" : outcomeWords(first.outcome),
				\`seed \${cell.seed}\`,
				first === void 0 ? "" : takeName(first)
			],
			[groupWords(output)],
			[shownWords(output, shown)]
		];
		const original = shown?.source === "original" ? originalOf(output) : null;
		const links = original === null ? [] : [make("small", "", originalLink(original, output))];
		const details = make("details", "", make("summary", "", "Timings and request"), takeTable(cell, takes));
		return [
			...lines.map((words) => make("small", "", words.filter((word) => word !== "").join(", "))),
			...links,
			details
		];
	}
	function groupWords({ cell, takes, level }) {
		const delivered = cell.takes.filter(({ output }) => output !== null).length;
		if (delivered < 2) return "";
		const share = \`\${count(takes.length)} of \${count(delivered)} takes gave these bytes\`;
		if (cell.outputs.length < 2 || level === null) return share;
		return level === "byte" ? \`\${share}: the usual output\` : \`\${share}: \${LEVEL_WORDS[level].same} \${level === "different" ? "from" : "to"} the usual output\`;
	}
	function originalLink(url, output) {
		const link = make("a", "", "Open the original");
		link.href = url;
		link.target = "_blank";
		link.rel = "noopener";
		link.setAttribute("aria-label", \`Open the original of \${nameOfOutput(output)} in a new tab\`);
		return link;
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
			figure.setAttribute("aria-busy", "true");
			const asked = output;
			const loaded = asked === null ? null : await loadMedia(asked);
			if (output !== asked) return;
			figure.removeAttribute("aria-busy");
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
			hasChoice: () => outputs.length > 2,
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
	const SETTLED_MS = 300;
	function compareView(dialog, { isCalm, between: words, place }) {
		const title = within(dialog, "#compare-prompt", HTMLElement);
		const text = within(dialog, "#compare-text", HTMLElement);
		const between = within(dialog, ".between", HTMLElement);
		const zoomWords = within(dialog, ".zoom output", HTMLOutputElement);
		const overlayBox = within(dialog, ".overlay", HTMLElement);
		const radios = allWithin(dialog, ".views input", HTMLInputElement);
		let view = WHOLE;
		let layout = "side";
		let settling = 0;
		const change = (changed) => {
			view = changed;
			placeAll();
			settled();
		};
		const settled = () => {
			clearTimeout(settling);
			settling = setTimeout(tellAddress, SETTLED_MS);
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
		const overlay = openOverlay(dialog, events, isCalm, settled);
		const player = openPlayer(within(dialog, ".player", HTMLElement), () => overlay.draw(), settled);
		const frameNow = () => layout === "side" ? left.stage.frame() : overlay.frame();
		const placeAll = () => {
			for (const { stage } of sides) stage.place();
			overlay.draw();
			zoomWords.textContent = view.zoom === "fit" ? "fit" : \`\${Math.round(100 * view.zoom)} %\`;
			for (const { classList } of allWithin(dialog, ".stage", HTMLElement)) classList.toggle("movable", view.zoom !== "fit");
		};
		const outputsNow = () => {
			const [one, other, another] = sides.map((side) => side.output());
			if (!one || !other) return null;
			return another ? [
				one,
				other,
				another
			] : [one, other];
		};
		const tellAddress = () => {
			const outputs = outputsNow();
			if (outputs === null || !dialog.open) return;
			const setting = {
				view,
				...overlay.setting(),
				stoppedAtS: isCalm() ? null : player.stoppedAtS()
			};
			history.replaceState(history.state, "", hashOfCompared({
				outputs,
				layout,
				...setting
			}));
		};
		const render = async (stoppedAtS = isCalm() ? 0 : null) => {
			dialog.dataset.view = layout;
			overlayBox.hidden = layout === "side";
			overlay.clear();
			for (const radio of radios) radio.checked = radio.value === layout;
			third.figure.hidden = layout !== "side" || !third.hasChoice();
			third.figure.classList.toggle("none", third.output() === null);
			const outputs = outputsNow();
			between.replaceChildren(...outputs === null ? [] : pairsBetween(layout === "side" ? outputs : [outputs[0], outputs[1]], words));
			const shown = sides.map((side) => side.shown());
			for (const media of shown) if (media !== null) Object.assign(media.element.style, {
				visibility: "",
				objectFit: ""
			});
			if (layout === "side") for (const side of sides) showSide(side);
			else await showOverlay(layout, left, right);
			const videos = shown.flatMap((media, at) => media?.element instanceof HTMLVideoElement ? [{
				element: media.element,
				fps: sides[at]?.output()?.fps ?? null
			}] : []);
			player.take(layout === "side" ? videos : videos.slice(0, 2), stoppedAtS);
			placeAll();
			tellAddress();
		};
		const showOverlay = async (how, a, b) => {
			const [one, other] = [a.shown(), b.shown()];
			const [first, second] = [a.output(), b.output()];
			if (one === null || other === null || first === null || second === null) return;
			const pair = how === "difference" ? await alike([one, first], [other, second]) : [one, other];
			if (pair !== null && layout === how) overlay.show(how, pair[0], pair[1], sizeOf(first, one));
		};
		const chooseAll = async (choices, stoppedAtS) => {
			await Promise.all(choices.map(([side, index]) => side.choose(index)));
			await render(stoppedAtS);
		};
		const show = ({ outputs: [one, other, another], layout: wanted, ...setting }) => {
			const prompt = document.getElementById(\`cell-\${one.cell.number}\`)?.closest(".prompt") ?? null;
			if (prompt === null) return;
			const outputs = allWithin(prompt, ".pick", HTMLElement).flatMap((each) => outputOf(each) ?? []);
			title.textContent = one.cell.prompt;
			text.textContent = one.cell.promptText;
			for (const side of sides) side.offer(outputs);
			view = setting.view;
			layout = wanted;
			overlay.set(setting);
			if (!dialog.open) {
				dialog.showModal();
				dialog.focus();
			}
			chooseAll([
				[left, outputs.indexOf(one)],
				[right, outputs.indexOf(other)],
				[third, another === void 0 ? -1 : outputs.indexOf(another)]
			], setting.stoppedAtS ?? void 0);
		};
		const open = (compared) => {
			history.pushState(OPENED_HERE, "", hashOfCompared(compared));
			show(compared);
		};
		const follow = () => {
			const compared = comparedOf(location.hash);
			if (compared !== null) show(compared);
			else if (dialog.open) dialog.close();
		};
		for (const side of sides) side.choice.addEventListener("change", () => {
			chooseAll([[side, side.choice.selectedIndex - (side === third ? 1 : 0)]]);
		});
		for (const radio of radios) radio.addEventListener("change", () => {
			layout = LAYOUTS.find((each) => each === radio.value) ?? "side";
			render(player.stoppedAtS() ?? void 0);
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
			if (key === " ") {
				if (!isControl(target) && player.toggle()) event.preventDefault();
				return;
			}
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			const frames = STEPS[key];
			if (frames !== void 0 && !(target instanceof HTMLSelectElement) && player.step(frames)) {
				event.preventDefault();
				return;
			}
			if (isField(target)) return;
			const by = ARROWS[key];
			const frame = frameNow();
			if (by !== void 0 && event.shiftKey && frame !== null) change(moved(view, frame, by[0] * KEY_MOVE, by[1] * KEY_MOVE));
			else if (key === "ArrowRight") chooseAll([[right, right.index() + 1]]);
			else if (key === "ArrowLeft") chooseAll([[right, right.index() - 1]]);
			else if (KEYS[key] !== void 0) zoomBy(KEYS[key]);
			else if (key === "v") {
				layout = LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length] ?? "side";
				render(player.stoppedAtS() ?? void 0);
			} else return;
			event.preventDefault();
		});
		dialog.addEventListener("close", () => {
			clearTimeout(settling);
			if (isComparison(location.hash)) {
				if (isOpenedHere(history.state)) history.back();
				else history.replaceState(null, "", place);
			}
			player.take([], 0);
			overlay.clear();
			for (const side of sides) side.clear();
		});
		closable(dialog);
		return {
			open,
			follow
		};
	}
	const OPENED_HERE = { comparison: "opened here" };
	function isOpenedHere(state) {
		return typeof state === "object" && state !== null && "comparison" in state;
	}
	function isControl(target) {
		return target instanceof Element && target.closest("button, summary, select, input, a") !== null;
	}
	function isField(target) {
		return target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
	}
	const ARROWS = {
		ArrowLeft: [1, 0],
		ArrowRight: [-1, 0],
		ArrowUp: [0, 1],
		ArrowDown: [0, -1]
	};
	const STEPS = {
		",": -1,
		".": 1
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
	function clickedOutput(pick) {
		const output = outputOf(pick);
		const prompt = document.getElementById(\`cell-\${pick.dataset.cell}\`)?.closest(".prompt") ?? null;
		if (output === null || prompt === null) return null;
		const outputs = allWithin(prompt, ".pick", HTMLElement).flatMap((each) => outputOf(each) ?? []);
		return {
			outputs: besideBaseline(output, outputs),
			layout: "side",
			...FIRST_SETTING
		};
	}

// src/report/html/client/hover-player.ts
	const ROW = "tr, .strip-images, .media";
	function hoverPlayer() {
		const calm = matchMedia("(prefers-reduced-motion: reduce)");
		let playing = null;
		const stop = (pick) => {
			if (playing === null || pick !== void 0 && playing.pick !== pick) return;
			for (const film of playing.films) {
				const video = film.querySelector("video");
				video?.pause();
				video?.load();
				film.classList.remove("playing");
			}
			playing = null;
		};
		const play = (pick) => {
			if (calm.matches || pick.querySelector("video") === null || playing?.pick === pick) return;
			stop();
			const films = allWithin(pick.closest(ROW) ?? pick, "button.film", HTMLElement).filter(isInView);
			playing = {
				pick,
				films
			};
			for (const film of films) {
				film.classList.add("playing");
				film.querySelector("video")?.play().catch(() => film.classList.remove("playing"));
			}
		};
		return {
			play,
			stop,
			isCalm: () => calm.matches
		};
	}
	function isInView(film) {
		const { left, right, width } = film.getBoundingClientRect();
		return width > 0 && right > 0 && left < innerWidth;
	}

// src/report/html/client/pick-buttons.ts
	function makePicks(part) {
		for (const span of allWithin(part, "span.pick, span.input", HTMLElement)) {
			repeatMedia(span);
			if (span.classList.contains("pick")) makeButton(span);
		}
	}
	function followPicks(player, open) {
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
			button.classList.add("film");
			button.setAttribute("aria-label", video.getAttribute("aria-label") ?? "");
		}
		span.replaceWith(button);
	}

// src/report/words/outputs/decode-reason.ts
	function decodeReason(reason) {
		switch (reason.code) {
			case "digest_changed": return "the stored file has changed: its digest does not match";
			case "unknown_format": return "the media format is unknown";
			case "media_missing": return "the media of one output is missing";
			case "no_longer_decodes": return "it no longer decodes";
			case "failed": return reason.detail;
			case "timed_out": return \`decoding took longer than \${reason.limitMs / 1e3} s and was stopped\`;
			case "decoder_died": return "the process that decodes it ended twice: memory may be short, or the file makes the decoder crash";
			case "package_missing":
			case "package_broken": return \`\${reason.needed === "animated_avif" ? "animated AVIF is decoded as video: " : ""}\${packageWords(reason)}\`;
			case "no_demuxer": return \`no demuxer for \${reason.mime}\`;
			case "no_decoder": return \`no decoder for \${reason.codec}\${reason.alpha ? " with alpha" : ""}\`;
			case "no_conversion": return "its frames cannot be converted";
			case "avif_alpha": return "animated AVIF with alpha is not supported";
			case "avif_frame_sizes": return "animated AVIF with frames of different sizes is not supported";
			default: return faultWords(reason);
		}
	}
	function packageWords(fault) {
		if (fault.code === "package_missing") return \`\${fault.package}, the package for video, is not installed\`;
		const { package: name, version, needs, detail } = fault;
		return \`\${name} \${version ?? "of unknown version"}, the package for video, does not load (Retake needs \${needs}): \${detail}\`;
	}
	function faultWords(fault) {
		switch (fault.code) {
			case "damaged": return fault.detail;
			case "container_damaged": return \`the container cannot be read: \${fault.detail}\`;
			case "codec_header_damaged": return \`its \${fault.codec} header cannot be read: \${fault.detail}\`;
			case "stream_damaged": return \`cut off or damaged after \${plural(fault.frames, "frame")}\${fault.detail === null ? "" : \`: \${fault.detail}\`}\`;
			case "frame_damaged": return fault.detail === null ? \`frame \${fault.frame} is damaged\` : \`frame \${fault.frame} does not decode: \${fault.detail}\`;
			case "cut_off": return \`cut off: the file declares \${fault.declaredBytes} bytes and has \${fault.bytes}\`;
			case "frames_end_early": return \`its header declares \${fault.declaredS} s, but its frames end after \${fault.endS} s\`;
			case "frames_missing": return \`the animation declares \${plural(fault.declared, "frame")} and has \${fault.frames}\`;
			case "no_frame": return "it has no frame that decodes";
			case "no_video_stream": return "it has no video stream";
			case "unknown_codec": return "the format of its video is unknown";
			case "wrong_checksum": return \`the checksum of a chunk \${fault.chunk} is wrong\`;
			case "chunks_out_of_order": return "the chunks of the animation are out of order";
			case "wrong_frame_control": return "a frame control chunk has the wrong length";
			case "unknown_frame_rules": return "a frame of the animation has an unknown dispose or blend operation";
			case "frame_without_data": return "a frame of the animation has no data";
			case "frame_outside_canvas": return "a frame of the animation lies outside its canvas";
			case "wrong_frame_size": return "a frame decodes to another size than declared";
			case "too_many_frames": return \`over the limit of \${fault.limit} frames\`;
			case "too_many_pixels": return \`over the limit of \${fault.limit} pixels\`;
			case "too_many_bytes": return \`over the limit of \${fault.limit} bytes of decoded frames\`;
			case "too_long": return \`over the limit of \${fault.limitS} s\`;
			case "frame_too_large": return \`frames of \${fault.width} x \${fault.height} pixels are over the limit\`;
		}
	}

// src/view/pages/client/between-runs.ts
	const asked = /* @__PURE__ */ new Map();
	let waiting = new AbortController();
	function betweenRuns(one, other, later) {
		if (one === other) return "One output of one run.";
		if (one.sha256 === other.sha256) return "Two runs: byte-identical.";
		const pair = pairOf(one);
		if (!asked.has(pair)) {
			waiting.abort();
			waiting = new AbortController();
			const answer = ask(pair, waiting.signal);
			asked.set(pair, answer);
			answer.catch(() => asked.delete(pair));
		}
		asked.get(pair)?.then(later, () => later(notCompared("retake view does not answer")));
		return "Two runs, other bytes. Comparing them …";
	}
	function pairOf({ cell }) {
		return (document.getElementById(\`cell-\${cell.number}\`)?.closest("[data-pair]"))?.dataset.pair ?? "";
	}
	async function ask(pair, signal) {
		const query = new URLSearchParams(location.search);
		const asking = new URLSearchParams({
			a: query.get("a") ?? "",
			b: query.get("b") ?? "",
			pair
		});
		const reply = await fetch(\`/compare/difference?\${asking}\`, { signal });
		if (reply.status === 404) return notCompared("one of the runs is gone");
		if (reply.status === 503) return notCompared("others are compared now; load this page again");
		if (!reply.ok) return notCompared(\`retake view refuses it (HTTP \${reply.status})\`);
		return foundWords(await reply.json());
	}
	function notCompared(why) {
		return \`Two runs, other bytes. They were not compared: \${why}.\`;
	}
	function foundWords(found) {
		if (found.state === "not_decoded") return notCompared("one of them was not decoded");
		if (found.state === "uncompared") return notCompared(decodeReason(found.reason));
		const { same } = LEVEL_WORDS[found.level];
		if (found.difference === null) return \`Two runs: \${same}, in other bytes.\`;
		return \`Two runs: \${same}; \${differenceWords(found.difference)}. Similarity says nothing about quality.\`;
	}

// src/view/pages/client/compare-runs.ts
	document.documentElement.classList.add("scripted");
	const player = hoverPlayer();
	const compare = compareView(within(document, "#compare", HTMLDialogElement), {
		isCalm: player.isCalm,
		between: betweenRuns,
		place: "#outputs"
	});
	makePicks(document.body);
	followPicks(player, (pick) => {
		player.stop();
		const compared = clickedOutput(pick);
		if (compared !== null) compare.open(compared);
	});
	addEventListener("hashchange", compare.follow);
	compare.follow();

})();`;

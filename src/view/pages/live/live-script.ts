// Made from client/ by npm run client.

/** The page's one script. */
export const SCRIPT = `(function() {

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
	function elapsed(ms) {
		if (ms < 59500) return duration(ms);
		const whole = Math.round(ms / 1e3);
		const minutes = Math.floor(whole / 60);
		if (minutes < 60) return \`\${minutes} min \${two(whole % 60)} s\`;
		return \`\${Math.floor(minutes / 60)} h \${two(minutes % 60)} min\`;
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
	function two(value) {
		return String(value).padStart(2, "0");
	}

// src/view/pages/live/running-time.ts
	function runningTime(ms) {
		const seconds = Math.max(0, Math.floor(ms / 1e3));
		return seconds < 60 ? \`\${seconds} s\` : elapsed(1e3 * seconds);
	}

// src/view/pages/client/live.ts
	const MOST_SHOWN = 24;
	const AGAIN_AFTER_MS = 5e3;
	const UNSEEN_LOOK_AFTER_MS = 1e4;
	document.documentElement.classList.add("scripted");
	let last = null;
	let again = 0;
	let source = null;
	follow();
	setInterval(tellTime, 1e3);
	document.addEventListener("visibilitychange", () => {
		if (!document.hidden && source === null) follow();
	});
	for (const change of [
		"pointerleave",
		"focusout",
		"pause"
	]) document.getElementById("latest")?.addEventListener(change, () => setTimeout(showOutputs), { capture: true });
	function follow() {
		clearTimeout(again);
		const opened = new EventSource("events");
		source = opened;
		opened.onopen = () => say("");
		opened.onmessage = (message) => {
			last = JSON.parse(String(message.data));
			show(last);
			if (last.report !== null) {
				opened.close();
				location.replace(last.report);
			} else if (document.hidden) {
				opened.close();
				source = null;
				again = setTimeout(follow, UNSEEN_LOOK_AFTER_MS);
			}
		};
		opened.onerror = () => {
			say("The connection is lost; connecting again.");
			if (opened.readyState !== EventSource.CLOSED) return;
			again = setTimeout(() => location.reload(), AGAIN_AFTER_MS);
		};
	}
	function say(text) {
		const place = document.getElementById("connection");
		if (place !== null) place.textContent = text;
	}
	function show({ title, texts, ended, planned, bars, undelivered }) {
		for (const element of document.querySelectorAll("[data-live]")) {
			const text = texts[element.getAttribute("data-live") ?? ""];
			if (text !== void 0 && element.textContent !== text) element.textContent = text;
		}
		for (const [at, bar] of document.querySelectorAll("progress").entries()) {
			const state = at === 0 ? {
				ended,
				planned
			} : bars[at - 1];
			bar.max = Math.max(1, state?.planned ?? 1);
			bar.value = state?.ended ?? 0;
		}
		document.title = \`\${title} · Retake\`;
		showReasons(undelivered);
		showOutputs();
	}
	function tellTime() {
		const place = document.querySelector("[data-since]");
		const atMs = Date.parse(place?.dataset.since ?? "");
		if (place !== null && Number.isFinite(atMs) && source !== null) place.textContent = runningTime(Date.now() - atMs);
	}
	function showReasons(reasons) {
		const list = document.getElementById("undelivered");
		const items = reasons.map(({ words, message }) => {
			const [item, head, said] = [
				"li",
				"b",
				"span"
			].map((tag) => document.createElement(tag));
			if (item === void 0 || head === void 0 || said === void 0) return "";
			head.textContent = words;
			said.textContent = message;
			item.append(head, " ", said);
			return item;
		});
		list?.replaceChildren(...items);
	}
	function showOutputs() {
		const media = document.getElementById("latest");
		const waiting = document.getElementById("waiting");
		if (media === null || waiting === null || last === null) return;
		const first = media.firstElementChild;
		const newest = Number(first instanceof HTMLElement ? first.dataset.number ?? 0 : 0);
		const arrived = last.outputs.filter(({ number }) => number > newest);
		const isWatched = media.matches(":hover, :focus-within") || isPlaying(media);
		waiting.textContent = isWatched && arrived.length > 0 ? \`\${arrived.length} new.\` : "";
		if (isWatched) return;
		for (const output of arrived) media.prepend(figureOf(output));
		while (media.children.length > MOST_SHOWN) media.lastElementChild?.remove();
	}
	function isPlaying(media) {
		return [...media.querySelectorAll("video")].some((video) => !video.paused);
	}
	function figureOf({ number, original, isVideo, variant, words }) {
		const figure = document.createElement("figure");
		figure.dataset.number = String(number);
		const label = \`\${variant}, \${words}\`;
		const caption = document.createElement("figcaption");
		const name = document.createElement("b");
		name.textContent = variant;
		caption.append(name, \` \${words}\`);
		if (original === null) {
			const nothing = document.createElement("span");
			nothing.className = "nothing";
			nothing.textContent = "no image stored";
			figure.append(nothing, caption);
			return figure;
		}
		const link = document.createElement("a");
		link.href = original;
		link.textContent = "original";
		link.setAttribute("aria-label", \`Original: \${label}\`);
		caption.append(" ", link);
		figure.append(isVideo ? videoOf(original, label) : imageOf(original, label), caption);
		return figure;
	}
	function imageOf(source, label) {
		const image = document.createElement("img");
		image.alt = label;
		image.src = source;
		return image;
	}
	function videoOf(source, label) {
		const video = document.createElement("video");
		video.controls = true;
		video.muted = true;
		video.loop = true;
		video.playsInline = true;
		video.preload = "metadata";
		video.setAttribute("aria-label", label);
		video.src = source;
		return video;
	}

})();`;

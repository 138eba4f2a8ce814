// Made from client/ by npm run client.

/** The page's one script. */
export const SCRIPT = `(function() {

// src/view/pages/client/live.ts
	const MOST_SHOWN = 24;
	const AGAIN_AFTER_MS = 3e3;
	document.documentElement.classList.add("scripted");
	follow();
	function follow() {
		const source = new EventSource("events");
		source.onopen = () => say("");
		source.onmessage = (message) => {
			const state = JSON.parse(String(message.data));
			show(state);
			if (state.report === null) return;
			source.close();
			location.replace(state.report);
		};
		source.onerror = () => {
			say("The connection is lost; connecting again.");
			if (source.readyState !== EventSource.CLOSED) return;
			setTimeout(follow, AGAIN_AFTER_MS);
		};
	}
	function say(text) {
		const place = document.getElementById("connection");
		if (place !== null) place.textContent = text;
	}
	function show({ texts, ended, planned, outputs }) {
		for (const element of document.querySelectorAll("[data-live]")) {
			const text = texts[element.getAttribute("data-live") ?? ""];
			if (text !== void 0 && element.textContent !== text) element.textContent = text;
		}
		const bar = document.querySelector("progress");
		if (bar !== null) {
			bar.max = Math.max(1, planned);
			bar.value = ended;
		}
		const media = document.getElementById("latest");
		if (media === null) return;
		const first = media.firstElementChild;
		const last = Number(first instanceof HTMLElement ? first.dataset.number ?? 0 : 0);
		for (const output of outputs) if (output.number > last) media.prepend(figureOf(output));
		while (media.children.length > MOST_SHOWN) media.lastElementChild?.remove();
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

// Made from client/ by npm run client.

/** The page's one script. */
export const SCRIPT = `(function() {

// src/view/pages/parts/bare-page.ts
	const BARE_PAGE = "retake-bare-page";

// src/view/pages/client/refresh/morph.ts
	function morph(now, next, holds) {
		if (now.isEqualNode(next) || isOfReader(now)) return false;
		for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
		for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
		const [mine, theirs] = [[...now.childNodes], [...next.childNodes]];
		if (mine.length === theirs.length && mine.every((child, at) => isSamePlace(child, theirs[at]))) return mine.map((child, at) => morphNode(child, theirs[at], holds)).includes(true);
		if (holds(now)) return true;
		const found = matched(mine, theirs);
		for (const child of mine) if (!found.includes(child)) child.remove();
		let cursor = now.firstChild;
		let isHeld = false;
		for (const [at, child] of theirs.entries()) {
			const own = found[at];
			if (own !== void 0) isHeld = morphNode(own, child, holds) || isHeld;
			const placed = own ?? document.importNode(child, true);
			if (placed === cursor) cursor = cursor.nextSibling;
			else now.insertBefore(placed, cursor);
		}
		return isHeld;
	}
	function matched(mine, theirs) {
		const left = new Set(mine);
		return theirs.map((child) => {
			const own = [...left].find((each) => isSamePlace(each, child));
			if (own !== void 0) left.delete(own);
			return own;
		});
	}
	function morphNode(now, next, holds) {
		if (now instanceof Element && next instanceof Element) return morph(now, next, holds);
		if (next !== void 0 && now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
		return false;
	}
	function isSamePlace(one, other) {
		return other !== void 0 && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
	}
	function keyOf(node) {
		return node instanceof Element ? node.getAttribute("data-key") : null;
	}
	function isOfReader(element) {
		if (element.id === "connection") return true;
		if (!(element instanceof HTMLFormElement)) return false;
		return element.contains(document.activeElement) || [...element.elements].some(isChanged);
	}
	function isChanged(control) {
		if (control instanceof HTMLInputElement) return control.value !== control.defaultValue;
		if (!(control instanceof HTMLSelectElement)) return false;
		const chosen = [...control.options].findIndex((option) => option.defaultSelected);
		return control.selectedIndex !== Math.max(0, chosen);
	}

// src/view/pages/client/lists.ts
	const LOOK_EVERY_MS = 3e3;
	const AGAIN_AFTER_MS = 5e3;
	const POINTING_MS = 4e3;
	document.documentElement.classList.add("scripted");
	let tag = "";
	let timer = 0;
	let isAsking = false;
	let pointedAt = Number.NEGATIVE_INFINITY;
	document.addEventListener("pointermove", () => {
		pointedAt = performance.now();
	});
	document.addEventListener("visibilitychange", () => {
		if (!document.hidden) look();
	});
	wait(LOOK_EVERY_MS);
	function wait(ms) {
		clearTimeout(timer);
		timer = setTimeout(look, ms);
	}
	function look() {
		clearTimeout(timer);
		if (document.hidden || isAsking) return;
		isAsking = true;
		const asking = new XMLHttpRequest();
		asking.open("GET", location.href);
		asking.responseType = "document";
		asking.setRequestHeader(BARE_PAGE, "1");
		if (tag !== "") asking.setRequestHeader("If-None-Match", tag);
		asking.onload = () => {
			say("");
			const { status } = asking;
			const fresh = status === 200 ? asking.responseXML : null;
			if (fresh !== null) tag = show(fresh) ? "" : asking.getResponseHeader("ETag") ?? "";
			else if (status !== 304) location.reload();
			wait(LOOK_EVERY_MS);
		};
		asking.onerror = () => {
			say("retake view does not answer; trying again.");
			wait(AGAIN_AFTER_MS);
		};
		asking.onloadend = () => {
			isAsking = false;
		};
		asking.send();
	}
	function show(next) {
		const [now, fresh] = [document.querySelector(".page"), next.querySelector(".page")];
		if (now === null || fresh === null) return false;
		const anchor = anchorOf(now);
		const before = anchor?.getBoundingClientRect().top ?? 0;
		const isPointing = performance.now() - pointedAt < POINTING_MS;
		const isHeld = morph(now, fresh, (parent) => isPointing && parent.matches(":hover"));
		document.title = next.title;
		if (anchor?.isConnected === true) scrollBy(0, anchor.getBoundingClientRect().top - before);
		return isHeld;
	}
	function anchorOf(page) {
		const { activeElement } = document;
		if (activeElement !== null && activeElement !== document.body && page.contains(activeElement)) return activeElement;
		const pointed = [...page.querySelectorAll("main tr:hover, main li:hover")].at(-1);
		if (pointed !== void 0) return pointed;
		if (scrollY === 0) return null;
		return [...page.querySelectorAll("main tr, main h2")].find((each) => each.getBoundingClientRect().top >= 0) ?? null;
	}
	function say(text) {
		const place = document.getElementById("connection");
		if (place !== null && place.textContent !== text) place.textContent = text;
	}

})();`;

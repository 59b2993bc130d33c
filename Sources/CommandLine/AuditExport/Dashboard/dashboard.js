"use strict";
// Shows changes without a reload. Without this file the page is the same, as of when it was loaded.
const events = new EventSource("/events");
const lost = document.getElementById("lost");
let isLoading = false;
let isStale = false;

async function refresh() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    const response = await fetch("/");
    if (!response.ok) break;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) replace(part, page.getElementById(part.id));
  }
  isLoading = false;
}

// Keeps what the reader has opened, and where they are.
function replace(part, next) {
  if (!next || part.innerHTML === next.innerHTML) return;
  const opened = [...part.querySelectorAll("details[open]")].map((details) => details.id);
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.hidden = next.hidden;
  part.toggleAttribute("aria-labelledby", next.hasAttribute("aria-labelledby"));
  if (next.hasAttribute("aria-labelledby")) part.setAttribute("aria-labelledby", next.getAttribute("aria-labelledby"));
  part.replaceChildren(...next.childNodes);
  for (const id of opened) if (id) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus();
}

events.onmessage = () => refresh().catch(() => { isLoading = false; });
events.onopen = () => { lost.textContent = ""; };
events.onerror = () => { lost.textContent = lost.dataset.text; };

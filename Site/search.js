"use strict";
// Finds the sections that have all words. What they say is set as text, never as HTML.
const most = 50;
const field = document.getElementById("q");
const list = document.getElementById("found");
const count = document.getElementById("count");
const lowered = sections.map(([, page, title, text]) => [`${page} ${title}`.toLowerCase(), text.toLowerCase(), title ? 0 : 2]);

// How well a section fits: words in its heading count more, most of all whole ones, and the first section of a page
// before its others. 0: it lacks a word.
function score([title, text, first], words) {
  let sum = 0;
  for (const word of words) {
    if (title.split(/\s+/).includes(word)) sum += 20;
    else if (title.includes(word)) sum += 8;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum + first + (text.includes(words.join(" ")) ? 3 : 0);
}

function marked(element, text, words) {
  const lower = text.toLowerCase();
  let end = 0;
  while (end < text.length) {
    const hits = words.map((word) => [lower.indexOf(word, end), word.length]).filter(([at]) => at >= 0);
    // In a few scripts, lower case has another length: then nothing is marked.
    if (hits.length === 0 || lower.length !== text.length) break;
    const [at, length] = hits.reduce((first, other) => (other[0] < first[0] ? other : first));
    element.append(text.slice(end, at));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, at + length);
    element.append(mark);
    end = at + length;
  }
  element.append(text.slice(end));
}

// The text around the first word.
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, (places.length ? Math.min(...places) : 0) - 60);
  return (start > 0 ? "…" : "") + text.slice(start, start + 220) + (start + 220 < text.length ? "…" : "");
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : sections
    .map((section, index) => [score(lowered[index], words), index])
    .filter(([sum]) => sum > 0)
    .sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  list.replaceChildren(...found.slice(0, most).map(([, index]) => {
    const [place, page, title, text] = sections[index];
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = place;
    marked(link, title ? `${page}: ${title}` : page, words);
    const line = document.createElement("p");
    marked(line, excerpt(text, words), words);
    item.append(link, line);
    return item;
  }));
  const more = found.length > most ? `. The first ${most} are below.` : "";
  count.textContent = words.length === 0 ? "" : `${found.length} ${found.length === 1 ? "section" : "sections"}${more}`;
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", show);
show();
field.focus();

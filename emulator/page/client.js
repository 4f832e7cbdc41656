// Keeps the page up to date. Without it, the page is a still picture whose forms work all the same.

const live = document.getElementById('live');

/** The element that a text of HTML describes. */
function parse(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  return template.content.firstElementChild;
}

const isLike = (node, wanted) =>
  node.nodeName === wanted.nodeName && (node.id ?? '') === (wanted.id ?? '');

/**
 * The next of an element's nodes that may become the first of those wanted: none that stands behind another one that is
 * still wanted.
 */
function nextLike(from, [wanted, ...later]) {
  for (let node = from; node !== null; node = node.nextSibling) {
    if (isLike(node, wanted)) return node;
    const isElement = node.nodeType === Node.ELEMENT_NODE;
    if (isElement && later.some((one) => isLike(node, one))) return null;
  }
  return null;
}

/** What a person has folded or unfolded: it stays so. */
const theirs = new WeakSet();
document.addEventListener('click', ({ target }) => {
  const summary = target.closest('summary');
  if (summary !== null) theirs.add(summary.parentElement);
});

function morphAttributes(from, to) {
  const isKept = (name) => name === 'open' && theirs.has(from);
  for (const { name } of [...from.attributes]) {
    if (!isKept(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (!isKept(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

function morphChildren(from, to) {
  let at = from.firstChild;
  const all = [...to.childNodes];
  for (const [place, wanted] of all.entries()) {
    const node = nextLike(at, all.slice(place));
    if (node === null) {
      from.insertBefore(wanted, at);
      continue;
    }
    while (at !== node) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    morph(node, wanted);
    at = node.nextSibling;
  }
  while (at !== null) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Makes a node like another. What is the same stays, and with it the focus and what was typed. */
function morph(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    from.nodeValue = to.nodeValue;
    return;
  }
  morphAttributes(from, to);
  if (!from.hasAttribute('data-slot')) morphChildren(from, to);
}

function putPart({ id, slot, after, html }) {
  const wanted = parse(html);
  const known = document.getElementById(id);
  if (known !== null) morph(known, wanted);
  else if (after === null) document.getElementById(slot)?.prepend(wanted);
  else document.getElementById(after)?.after(wanted);
}

function putRequests({ rows, removed, count }) {
  const body = document.getElementById('request-rows');
  for (const { id, html } of rows) {
    const known = document.getElementById(id);
    if (known === null) body.prepend(parse(html));
    else morph(known, parse(html));
  }
  for (const id of removed) document.getElementById(id)?.remove();
  while (body.rows.length > Number(body.dataset.most)) body.lastElementChild.remove();
  document.getElementById('request-count').textContent = String(count);
}

/** Puts the focus near where it was, if what had it is gone. */
function keepFocus(change) {
  const focused = document.activeElement;
  const around = [];
  for (let node = focused; node !== null; node = node.parentElement) around.push(node);
  change();
  if (focused === document.body || focused?.isConnected) return;
  const left = around.find((node) => node.isConnected && node.id !== '');
  if (left === undefined) return;
  left.tabIndex = -1;
  left.focus({ preventScroll: true });
}

function connect() {
  const source = new EventSource(document.body.dataset.events);
  source.addEventListener('open', () => {
    live.textContent = 'Live';
    live.className = 'live';
  });
  source.addEventListener('error', () => {
    live.textContent = `Not connected. Start the emulator with --page-port ${location.port}, and this page updates.`;
    live.className = 'bad';
  });
  source.addEventListener('emulator', ({ data }) => {
    // Of an emulator that was started since, everything is another.
    if (data !== document.body.dataset.emulator) location.reload();
  });
  source.addEventListener('message', ({ data }) => {
    const { parts, removed, requests } = JSON.parse(data);
    keepFocus(() => {
      for (const id of removed) document.getElementById(id)?.remove();
      for (const part of parts) putPart(part);
      if (requests !== undefined) putRequests(requests);
    });
  });
}

/** Says beside a form why it was not sent. */
function refuse(form, words) {
  const place = document.createElement('span');
  place.className = 'notice bad unsent';
  place.role = 'status';
  form.after(place);
  place.textContent = words;
}

/** Sends a form without leaving the page. What it did comes by the events. */
async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  const address = submitter?.getAttribute('formaction') ?? form.getAttribute('action');
  for (const one of document.querySelectorAll('.unsent')) one.remove();
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  if (response.type === 'opaqueredirect') form.reset();
  else refuse(form, await response.text());
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (form.method !== 'post') return;
  event.preventDefault();
  send(form, submitter).catch(() => refuse(form, 'Not sent: the emulator does not run.'));
});

connect();

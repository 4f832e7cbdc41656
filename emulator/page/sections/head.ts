import { type Html, html } from '../html.ts';
import { type OutageSide, type Outages, outageNames, outageSides } from '../outages.ts';
import { button, noticeAt, type Part, pill, type View } from '../part.ts';
import { timeOfDay } from '../terminal-line.ts';

/** The addresses, what is out of order, and what the last button did. */
export function headParts(view: View, outages: Outages): Part[] {
  return [
    { id: 'addresses', slot: 'head', render: () => renderAddresses(view, outages) },
    { id: 'notice', slot: 'head', render: () => renderNotice(view) },
  ];
}

function renderAddresses(view: View, outages: Outages): Html {
  const addresses = { service: view.emulator.url, GitHub: view.github.url };
  const rows = outageSides.map(
    (side) =>
      html`<div class="facts" id="address-${side}"><b>${side}</b> <code>${addresses[side]}</code> <span class="right">${renderOutage(view, outages, side)}</span>${noticeAt(view, `address-${side}`)}</div>`,
  );
  return html`<div id="addresses">${rows}</div>`;
}

function renderOutage(view: View, outages: Outages, side: OutageSide): Html {
  const place = `address-${side}`;
  const left = Math.ceil((outages.endOf(side) - view.now) / 1000);
  if (left <= 0)
    return button(
      view,
      'begin-outage',
      { side, place },
      'Answer 503 for 10 s',
      `as ${outageNames[side]}`,
    );
  return html`${pill(`answers 503 for ${left} s`, 'bad')} ${button(view, 'stop-outage', { side, place }, 'Stop', `503 of ${outageNames[side]}`)}`;
}

/** It is read out from here, and seen here if it is about nothing that is on the page. */
const renderNotice = ({ notice }: View): Html =>
  html`<p id="notice" role="status" class="${notice?.isError ? 'bad' : ''}${notice && notice.place !== 'notice' ? ' unseen' : ''}">${notice && `${timeOfDay(notice.at)} ${notice.text}`}</p>`;

import { type Html, html } from '../html.ts';
import { type OutageSide, type Outages, outageSides } from '../outages.ts';
import { button, type Part, pill, type View } from '../part.ts';
import { timeOfDay } from '../terminal-line.ts';

/** What a button did last: shown, and read out, until the next one. */
export interface Notice {
  readonly at: number;
  readonly text: string;
  readonly isError: boolean;
}

/** The addresses, what is out of order, and what the last button did. */
export function headParts(view: View, outages: Outages, notice: Notice | null): Part[] {
  return [
    { id: 'addresses', slot: 'head', render: () => renderAddresses(view, outages) },
    { id: 'notice', slot: 'head', render: () => renderNotice(notice) },
  ];
}

function renderAddresses(view: View, outages: Outages): Html {
  const addresses = { service: view.emulator.url, GitHub: view.github.url };
  const rows = outageSides.map(
    (side) =>
      html`<div class="facts" id="address-${side}"><b>${side}</b> <code>${addresses[side]}</code> <span class="right">${renderOutage(view, outages, side)}</span></div>`,
  );
  return html`<div id="addresses">${rows}</div>`;
}

function renderOutage(view: View, outages: Outages, side: OutageSide): Html {
  const left = Math.ceil((outages.endOf(side) - view.now) / 1000);
  if (left <= 0)
    return button(view, 'begin-outage', { side }, 'Answer 503 for 10 s', `as the ${side}`);
  return html`${pill(`answers 503 for ${left} s`, 'bad')} ${button(view, 'stop-outage', { side }, 'Stop', `503 of the ${side}`)}`;
}

const renderNotice = (notice: Notice | null): Html =>
  html`<p id="notice" role="status" class="${notice?.isError ? 'bad' : ''}">${notice && `${timeOfDay(notice.at)} ${notice.text}`}</p>`;

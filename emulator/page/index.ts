import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions } from './actions.ts';
import { renderCommit } from './commit.ts';
import { printable } from './html.ts';
import { renderOne, renderPage } from './layout.ts';
import { LivePages } from './live.ts';
import { Outages } from './outages.ts';
import { fill, type Notice, type Part, slot, type Watched } from './part.ts';
import { followRequests, RequestLog, type RequestRow } from './request-log.ts';
import { domainParts } from './sections/domains.ts';
import { gitHubParts } from './sections/github.ts';
import { headParts } from './sections/head.ts';
import { projectParts } from './sections/projects.ts';
import { shownRows } from './sections/requests.ts';
import { rawLog, runListParts, runParts } from './sections/runs.ts';
import { answer, type Served } from './server.ts';

export type { Watched } from './part.ts';
export type { RequestRow, Side } from './request-log.ts';
export { terminalLine } from './terminal-line.ts';

/** How to open the page; everything has a default. */
export interface PageOptions {
  /** 0 takes a free one. */
  port?: number;
  /** Called once for each request to the emulator, when it has ended. */
  onRequest?: (row: RequestRow) => void;
}

/** A page on which a person can watch the emulated world, and be its other side. */
export interface Page extends AsyncDisposable {
  /** Its address, with a slash at its end. */
  readonly url: string;
}

/**
 * Opens the page on the loopback interface, at a port of its own: deployed sites have the service's origin, and none of
 * them may press its buttons. Disposing of it closes it.
 * @throws if the port is taken
 */
export async function openPage(watched: Watched, options: PageOptions = {}): Promise<Page> {
  const { port: wantedPort = 0, onRequest } = options;
  const { emulator, github, cache } = watched;
  const runtimeToken = cache?.environment['ACTIONS_RUNTIME_TOKEN'] ?? '';
  const secrets = [emulator.key, emulator.gitToken, github.token, runtimeToken];
  const log = new RequestLog(shownRows.most, secrets);
  if (onRequest) log.onEnd(onRequest);
  const server = createServer();
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const token = randomBytes(32).toString('base64url');
  const outages = new Outages(watched);
  let notice: Notice | null = null;

  const started = String(Date.now());
  const viewNow = () => ({ ...watched, token, notice, now: Date.now() });
  const frame = () => ({ emulator: started, now: Date.now() });
  const runOf = (id: string) => watched.history?.runs.find(({ run }) => String(run.id) === id);
  const partsNow = (run: string | null): Part[] => {
    const view = viewNow();
    if (run !== null) {
      const record = runOf(run);
      return record === undefined ? [] : runParts(view, record);
    }
    const parts = [runListParts(view), projectParts(view), domainParts(view), gitHubParts(view)];
    return [...headParts(view, outages), ...parts.flat()];
  };
  const live = new LivePages(started, partsNow, log);
  const served: Served = {
    port,
    token,
    live,
    actions: createActions(watched, outages),
    render: (query) =>
      renderPage(partsNow(null), log.rows(query.filter), query, frame()).toString(),
    renderRun: (id) => {
      const record = runOf(id);
      if (record === undefined) return null;
      const { name, number } = record.run;
      const content = slot('run', fill(partsNow(id), 'run'));
      return renderOne(`${name} #${number}`, content, `?run=${id}`, frame()).toString();
    },
    rawLog: (id) => {
      const record = runOf(id);
      return record === undefined
        ? null
        : rawLog(record)
            .map((line) => `${printable(line)}\n`)
            .join('');
    },
    renderCommit: async (repository, sha) => {
      const content = await renderCommit(viewNow(), repository, sha);
      return content && renderOne(`Commit ${sha.slice(0, 7)}`, content, null, frame()).toString();
    },
    report: (text, isError, place) => {
      notice = { at: Date.now(), place, text, isError };
    },
  };
  server.on('request', (request, response) => {
    answer(request, response, served).catch(() => response.destroy());
  });
  const unfollow = followRequests(log, watched);
  const url = `http://127.0.0.1:${port}/`;
  emulator.pageUrl = url;
  github.pageUrl = url;
  return {
    url,
    async [Symbol.asyncDispose]() {
      emulator.pageUrl = null;
      github.pageUrl = null;
      unfollow();
      live.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

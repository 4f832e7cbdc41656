import { type Reply, text } from './reply.ts';
import { headerText, type RequestHead, type Surface } from './request.ts';

/** Whether a request is a browser's that opens the service's address. */
export function isForPage(head: RequestHead): boolean {
  const accepts = headerText(head, 'accept') ?? '';
  return head.method === 'GET' && head.path === '/' && accepts.includes('text/html');
}

/** Sends a browser to the page that shows the emulated world. */
export class Pointer implements Surface {
  readonly #page: string;

  constructor(page: string) {
    this.#page = page;
  }

  operation(): string {
    return 'page';
  }

  async respond(): Promise<Reply> {
    const { headers, ...reply } = text(302, 'text/plain', `The page is at ${this.#page}\n`);
    return { ...reply, headers: { ...headers, location: this.#page, 'cache-control': 'no-store' } };
  }
}

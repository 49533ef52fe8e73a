/** What the pages have in common: their elements, and the way to the extension. No framework, no network. */
import type { FromPage, PanelPlace, ToPage } from './messages.js';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: PanelPlace): void;
};

const api = acquireVsCodeApi();
const SVG = 'http://www.w3.org/2000/svg';

export const element = <T extends Element>(id: string): T => document.getElementById(id) as unknown as T;
export const title = element<HTMLHeadingElement>('title');
export const headline = element<HTMLParagraphElement>('headline');
export const problem = element<HTMLParagraphElement>('problem');
export const status = element<HTMLParagraphElement>('status');
export const table = element<HTMLTableElement>('table');
export const content = element<HTMLDivElement>('content');

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== '') node.textContent = text;
  return node;
}

export function html<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

export const post = (message: FromPage): void => api.postMessage(message);

/** Begins the conversation with the extension. */
export function listen<Answer>(page: {
  readonly show: (answer: Answer) => void;
  readonly cursor: (line: number) => void;
  /** The content is hidden then, and the reason stands in its place. */
  readonly clear: () => void;
}): void {
  element<HTMLButtonElement>('copy').addEventListener('click', () => post({ kind: 'copy' }));
  window.addEventListener('message', ({ data }: MessageEvent<ToPage<Answer>>) => {
    switch (data.kind) {
      case 'show':
        page.show(data.answer);
        return;
      case 'cursor':
        page.cursor(data.line);
        return;
      case 'place':
        api.setState(data.place);
        return;
      case 'nothing':
        page.clear();
        content.hidden = true;
        problem.textContent = data.message;
        return;
    }
  });
  post({ kind: 'ready' });
}

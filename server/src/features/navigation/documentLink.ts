/**
 * Links: files that RUN lines name beside the test (`%S/Inputs/x.ll`), parts of this file that split-file makes (`%t/a.mir`), source files of the
 * debug information and of the module.
 */
import type { DocumentLink } from 'vscode-languageserver-types';
import { DocumentKind } from '../../syntax/tree.js';
import { visible } from '../../text/visible.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export function provideDocumentLinks(snapshot: Snapshot): DocumentLink[] {
  return [...runLineLinks(snapshot), ...debugFileLinks(snapshot)];
}

function runLineLinks(snapshot: Snapshot): DocumentLink[] {
  const { text, uri, test } = snapshot;
  const links: DocumentLink[] = [];
  for (const { at: start, line } of test.directives.flatMap(({ rows }) => rows)) {
    const content = text.slice(start, text.lineEnd(line));
    for (const match of content.matchAll(/%t\/([^\s"'|<>;&)]+)/g)) {
      const part = partLine(text.text, match[1]!);
      const at = start + match.index;
      if (part >= 0)
        links.push({
          range: snapshot.rangeOf(at, at + match[0].length),
          target: `${uri}#L${text.lineAt(part) + 1}`,
        });
    }
    for (const match of content.matchAll(/%[Sp]\/+([^\s"'|<>;&)]+)/g)) {
      const at = start + match.index;
      const target = targetOf(uri, match[1]!);
      if (target !== null) links.push({ range: snapshot.rangeOf(at, at + match[0].length), target });
    }
  }
  return links;
}

/** Where split-file's part of that name begins, -1 without one: `//--- a.mir`, `#--- a.mir`. */
function partLine(text: string, name: string): number {
  for (const { index, 1: own } of text.matchAll(/^(?:\/\/|[;#]|\.)?---[ \t]+(\S+)[ \t]*$/gm))
    if (own === name) return index;
  return -1;
}

/** `!DIFile(filename: "a.cl", directory: "/src")` */
function debugFileLinks(snapshot: Snapshot): DocumentLink[] {
  const { file, text, uri } = snapshot;
  const links: DocumentLink[] = [];
  file.documents.forEach((doc, d) => {
    if (doc.kind !== DocumentKind.IR) return;
    const base = file.docStarts[d]!;
    const ir = text.slice(base, base + doc.length);
    const source = /^[ \t]*source_filename = "([^"\n]+\.[A-Za-z]+)"/m.exec(ir);
    const sourceTarget = source ? targetOf(uri, source[1]!) : null;
    if (source && sourceTarget !== null) {
      const at = base + source.index + source[0].lastIndexOf(source[1]!);
      links.push({ range: snapshot.rangeOf(at, at + source[1]!.length), target: sourceTarget });
    }
    for (const match of ir.matchAll(/!DIFile\(filename: "([^"\n]+)"(?:, directory: "([^"\n]*)")?/g)) {
      const [whole, name, directory] = match;
      const path = name!.startsWith('/') || !directory ? name! : `${directory}/${name}`;
      const at = base + match.index + whole.indexOf(name!);
      const target = targetOf(uri, path);
      if (target !== null) links.push({ range: snapshot.rangeOf(at, at + name!.length), target });
    }
  });
  return links;
}

/**
 * The address of a path beside the document, or of an absolute one in the same file system. Null for what is no path of a file there:
 * Windows would ask a server of the file's choice for `//server/share`, and documents that are not saved have no place.
 */
function targetOf(uri: string, path: string): string | null {
  const [, root = null, folder = ''] = /^([a-z][\w+.-]*:\/\/[^/?#]*)(\/(?:[^?#]*\/)?)/i.exec(uri) ?? [];
  if (root === null || path !== visible(path) || /^[\\/]{2}|^\\|^[a-z][\w+.-]*:/i.test(path)) return null;
  const encoded = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return root + normalize(path.startsWith('/') ? encoded : folder + encoded);
}

/** Without `.` and `..`. */
function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

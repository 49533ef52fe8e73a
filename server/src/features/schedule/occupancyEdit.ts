/** The key `occupancy` of `machineFunctionInfo` as llc prints it after scheduling. */
import type { MachineFunction } from '../../model/machineFunction.js';
import { NO_NODE, SyntaxKind, type Node, type Tree } from '../../syntax/tree.js';
import type { OffsetEdit } from './offsetEdit.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** Writes the scheduled function's occupancy into the header; null where it is the one that the function has. */
export function occupancyEdit(view: FunctionView, scheduled: MachineFunction, text: string): OffsetEdit | null {
  const { fn, document, start } = view;
  const { occupancy } = scheduled.header.machineFunctionInfo;
  if (fn === null || fn.header.machineFunctionInfo.occupancy === occupancy) return null;
  const eol = text.startsWith('\r\n', text.indexOf('\n', start) - 1) ? '\r\n' : '\n';
  const { yaml } = document;
  const keyText = (pair: Node): string => {
    const key = yaml.firstChild(pair);
    return text.slice(start + yaml.start(key), start + yaml.end(key));
  };
  const insert = (at: number, newText: string): OffsetEdit => ({ start: at, end: at, newText });
  const info = pairOf(yaml, 0, (pair) => keyText(pair) === 'machineFunctionInfo');
  if (info === NO_NODE) {
    const body = pairOf(yaml, 0, (pair) => keyText(pair) === 'body');
    return insert(start + yaml.start(body), `machineFunctionInfo:${eol}  occupancy: ${occupancy}${eol}`);
  }
  const value = yaml.nextSibling(yaml.firstChild(info), info);
  const from = start + yaml.start(value);
  if (yaml.kind(value) !== SyntaxKind.YamlMapping)
    return insert(start + yaml.end(yaml.firstChild(info)) + 1, `${eol}  occupancy: ${occupancy}`);
  const own = pairOf(yaml, value, (pair) => keyText(pair) === 'occupancy');
  if (own !== NO_NODE) {
    const number = yaml.nextSibling(yaml.firstChild(own), own);
    return { start: start + yaml.start(number), end: start + yaml.end(number), newText: String(occupancy) };
  }
  const first = yaml.firstChild(value);
  if (text[from] === '{') return insert(from + 1, ` occupancy: ${occupancy}${first === NO_NODE ? ' ' : ','}`);
  const indent = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return insert(from, `occupancy: ${occupancy}${eol}${indent}`);
}

function pairOf(yaml: Tree, mapping: Node, is: (pair: Node) => boolean): Node {
  for (let p = yaml.firstChild(mapping); p !== NO_NODE; p = yaml.nextSibling(p, mapping))
    if (yaml.kind(p) === SyntaxKind.YamlPair && yaml.firstChild(p) !== NO_NODE && is(p)) return p;
  return NO_NODE;
}

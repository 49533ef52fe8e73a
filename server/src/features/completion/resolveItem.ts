/** `completionItem/resolve`: documentation of what is selected in the list. */
import type { CompletionItem } from 'vscode-languageserver-types';
import { opcodeFacts } from '../hover/hoverOpcode.js';
import { virtualText } from '../hover/hoverRegister.js';
import { code, markup, prose, rich, type Markdown } from '../words/markdown.js';
import { HEADER_KEYS } from '../words/headerKeys.js';
import { createSubtarget, type Subtarget } from '../../target/index.js';
import { subtargetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import type { About } from './candidate.js';

/** What an item carries to its resolution. */
export interface ItemData {
  readonly textDocument: { readonly uri: string };
  readonly about: About;
  /** offset in the document where it was proposed */
  readonly at: number;
}

/** The item with documentation; as it came where there is none. */
export function resolveCompletionItem(snapshot: Snapshot, item: CompletionItem): CompletionItem {
  const { about, at } = (item.data ?? {}) as Partial<ItemData>;
  // One without documentation, or an item of another that a client has sent to us.
  if (about === undefined || at === undefined) return item;
  const view = snapshot.functionAt(at);
  const lines = linesOf(about, snapshot, view, view?.fn?.subtarget ?? snapshot.subtarget);
  return lines.length === 0 ? item : { ...item, documentation: markup([lines]) };
}

function linesOf({ what, name }: About, snapshot: Snapshot, view: FunctionView | null, st: Subtarget): Markdown[] {
  const { tables } = st;
  switch (what) {
    case 'opcode': {
      const opc = tables.opcodeByName(name);
      return opc < 0 ? [] : opcodeFacts(st, opc);
    }
    case 'register': {
      if (!name.startsWith('$')) return view ? virtualText(view, name) : [];
      const reg = tables.regByName(name.slice(1));
      if (reg <= 0) return [];
      const rc = tables.getMinimalPhysRegClass(reg);
      const bits = rc < 0 ? '' : `, ${tables.regClassBits[rc]!} bits`;
      return [rich`**${code(name)}**${bits}, ${code(tables.regAsmName(reg))} in assembly`];
    }
    case 'class': {
      const rc = tables.regClassByName(name);
      if (rc < 0) return [];
      const regs = tables.classRegs(rc);
      const members = regs.length === 0 ? '' : `, ${tables.regName(regs[0]!)} to ${tables.regName(regs.at(-1)!)}`;
      return [
        rich`**${tables.regClassName(rc)}**: ${tables.regClassBits[rc]!} bits, ${regs.length} registers${members}`,
        ...(tables.isAllocatableClass(rc) ? [] : [rich`not allocatable`]),
      ];
    }
    case 'key':
      return Object.hasOwn(HEADER_KEYS, name) ? [prose(HEADER_KEYS[name]!)] : [];
    case 'processor': {
      const other = createSubtarget(snapshot.target.triple, name, '', snapshot.subtarget.release);
      if (!other.tables.isAMDGCN) return [rich`**${subtargetText(other)}**: R600`];
      return [
        rich`**${subtargetText(other)}**: ${other.maxWavesPerEU} waves per EU, ${other.addressableNumArchVGPRs} VGPRs, ${other.addressableLdsBytes / 1024} KiB of LDS`,
      ];
    }
  }
}

/** Labels, successor lists and live-in lists (MIParser::parseBasicBlockDefinition and parseBasicBlock, LLVM 22). */
import { LabelFlag, NO_NODE, SyntaxKind, type Node } from '../../syntax/tree.js';
import type { BlockLiveIn } from '../machineFunction.js';
import { ChunkReader } from './chunkReader.js';
import { DUMMY_ENTRY_BLOCK } from './context.js';
import { Phase } from './diagnostics.js';
import { LineKind, type LabelInfo, type LiveInsInfo, type SuccessorsInfo } from './packedChunk.js';

export class BlockLineReader extends ChunkReader {
  protected label(n: Node): void {
    const { tree } = this;
    const { irFunction, module } = this.context;
    const info = {
      node: n,
      number: tree.value(n) >>> 0,
      irName: null as string | null,
      irBlockRef: null as string | null,
      isMachineBlockAddressTaken: false,
      irBlockAddressTaken: null as string | null,
      isLandingPad: false,
      isInlineAsmBrIndirectTarget: false,
      isEHFuncletEntry: false,
      isEHScopeEntry: false,
      alignment: 0,
      sectionId: null as string | null,
      callFrameSize: 0,
    };
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      switch (tree.kind(c)) {
        case SyntaxKind.IRBlock: {
          const ref = this.irBlock(c);
          if (ref === null) break;
          if (ref.name !== null) info.irName = ref.name;
          else info.irBlockRef = `%ir-block.${ref.number}`;
          break;
        }
        case SyntaxKind.AttributeMachineBlockAddressTaken:
          info.isMachineBlockAddressTaken = true;
          break;
        case SyntaxKind.AttributeIRBlockAddressTaken: {
          const block = tree.childOfKind(c, SyntaxKind.IRBlock);
          const ref = block === NO_NODE ? null : this.irBlock(block);
          if (ref !== null) info.irBlockAddressTaken = ref.name ?? String(ref.number);
          break;
        }
        case SyntaxKind.AttributeLandingPad:
          info.isLandingPad = true;
          break;
        case SyntaxKind.AttributeInlineAsmBrIndirectTarget:
          info.isInlineAsmBrIndirectTarget = true;
          break;
        case SyntaxKind.AttributeEHFuncletEntry:
          info.isEHFuncletEntry = true;
          break;
        case SyntaxKind.AttributeEHScopeEntry:
          info.isEHScopeEntry = true;
          break;
        case SyntaxKind.AttributeAlign:
          info.alignment = this.firstInteger(c);
          break;
        case SyntaxKind.AttributeBBSections: {
          const child = tree.firstChild(c);
          if (child === NO_NODE) break;
          info.sectionId =
            tree.kind(child) === SyntaxKind.Integer ? String(tree.intNumber(child)) : this.nameText(child);
          break;
        }
        case SyntaxKind.AttributeCallFrameSize:
          info.callFrameSize = this.firstInteger(c);
          break;
        default:
          break;
      }
    }
    const nameId = tree.aux(n);
    if (nameId >= 0) {
      const name = this.context.names.text(nameId);
      const isKnown =
        module === null ? name === DUMMY_ENTRY_BLOCK : irFunction !== null && irFunction.blockByName(name) !== null;
      if (isKnown) info.irName = name;
      // The name is looked up after the colon, and just before a redefinition is.
      else if ((tree.flags(n) & LabelFlag.NoColon) === 0) {
        const message = `basic block '${name}' is not defined in the function '${this.context.functionName}'`;
        const complaint = this.complaint(n, 'undefined-block', message);
        this.report({ ...complaint, order: complaint.end - 0.75 }, Phase.DefinitionScan);
      }
    }
    this.line(LineKind.Label, n, info satisfies LabelInfo);
    this.reportErrors(n);
  }

  protected successors(n: Node): void {
    const { tree } = this;
    const successors: SuccessorsInfo['successors'][number][] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.Successor) continue;
      const weight = tree.childOfKind(c, SyntaxKind.Integer);
      const nameId = tree.aux(c);
      successors.push({
        number: tree.value(c) >>> 0,
        name: nameId < 0 ? null : this.context.names.text(nameId),
        weight: weight === NO_NODE ? 0 : tree.value(weight) >>> 0,
        start: tree.start(c),
        end: tree.end(c),
      });
    }
    this.line(LineKind.Successors, n, { node: n, successors } satisfies SuccessorsInfo);
    this.reportErrors(n);
  }

  protected liveIns(n: Node): void {
    const { tree } = this;
    const liveIns: BlockLiveIn[] = [];
    const nodes: Node[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.LiveIn) continue;
      const id = tree.value(c);
      const reg = this.context.names.reg(id);
      if (reg < 0) {
        this.report(this.complaint(c, 'unknown-register', `unknown register name '${this.context.names.text(id)}'`));
        break;
      }
      const mask = tree.childOfKind(c, SyntaxKind.Integer);
      const laneLo = mask === NO_NODE ? 0xffffffff : tree.value(mask) >>> 0;
      const laneHi = mask === NO_NODE ? 0xffffffff : tree.aux(mask) >>> 0;
      liveIns.push({ reg, laneLo, laneHi });
      nodes.push(c);
    }
    this.line(LineKind.LiveIns, n, { node: n, liveIns, nodes } satisfies LiveInsInfo);
    this.reportErrors(n);
  }
}

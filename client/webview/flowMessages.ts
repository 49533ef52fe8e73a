/** What the extension and the control flow view say to each other. */
import type { ControlFlow } from '../../server/src/features/controlFlow/controlFlowData.js';

export type ToFlowView =
  | { readonly kind: 'flow'; readonly flow: ControlFlow }
  /** 0-based line of the cursor in the file */
  | { readonly kind: 'cursor'; readonly line: number }
  /** there is nothing to show, and why */
  | { readonly kind: 'nothing'; readonly message: string };

export type FromFlowView =
  | { readonly kind: 'ready' }
  /** 0-based */
  | { readonly kind: 'goTo'; readonly line: number }
  | { readonly kind: 'copy' };

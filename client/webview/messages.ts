/** What the extension and the pressure view say to each other. */
import type { PressureProfile } from '../../server/src/features/pressure/profileData.js';

export type ToView =
  | { readonly kind: 'profile'; readonly profile: PressureProfile }
  /** 0-based line of the cursor in the file */
  | { readonly kind: 'cursor'; readonly line: number }
  /** there is nothing to show, and why */
  | { readonly kind: 'nothing'; readonly message: string };

export type FromView =
  | { readonly kind: 'ready' }
  /** 0-based */
  | { readonly kind: 'goTo'; readonly line: number }
  /** index among the targets of the RUN lines */
  | { readonly kind: 'target'; readonly index: number }
  | { readonly kind: 'copy' };

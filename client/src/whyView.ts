/** "Why is the pressure N here?" as a report beside the source, and the links that lead to it from hovers. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { WHY_REQUEST, type WhyResult } from '../../server/src/protocol/customRequests.js';
import { placeOf } from './commandArguments';
import { paramsOf, type VirtualViews } from './virtualViews';

/** Commands that links of the server may run. */
export const LINK_COMMANDS: readonly string[] = ['amdgpu-mir.whyPressure', 'amdgpu-mir.goTo'];

/** Tells the server that links to commands work here. Call before the client starts. */
export function offerCommandLinks(client: LanguageClient): void {
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), amdgpuMirCommands: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
}

export function registerWhy(client: LanguageClient, views: VirtualViews): vscode.Disposable {
  return vscode.commands.registerCommand(
    'amdgpu-mir.whyPressure',
    async (uri?: unknown, line?: unknown, character?: unknown) => {
      const place = placeOf(uri, line, character);
      if (!place) return;
      await views.showReport(`why at line ${place.position.line + 1}`, place, async (at) => {
        const why = await client.sendRequest<WhyResult | null>(WHY_REQUEST, paramsOf(at));
        return why?.report ?? 'no answer; an edit of the source, or the command, asks again\n';
      });
    },
  );
}

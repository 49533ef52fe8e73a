/** "Why is the pressure N here?", "Why divergent?" and "Details" as reports beside the source, and the links that lead to them from hovers. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import { DETAILS_REQUEST, WHY_DIVERGENT_REQUEST, WHY_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import { openedBy, placeOf } from './commandArguments';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

/** Commands that links of the server may run. */
export const LINK_COMMANDS: readonly string[] = [
  'amdgpu-mir.whyPressure',
  'amdgpu-mir.goTo',
  'amdgpu-mir.explainSchedule',
  'amdgpu-mir.showDetails',
  'amdgpu-mir.whyDivergent',
  'amdgpu-mir.explainAllocation',
  'amdgpu-mir.showRunOutput',
];

/** Tells the server that links to commands work here, and that it is heard on targets and verdicts. Call before the client starts. */
export function offerOwnMessages(client: BaseLanguageClient): void {
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = {
        ...(capabilities.experimental as object | undefined),
        amdgpuMirCommands: true,
        amdgpuMirStatus: true,
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
}

export function registerWhy(client: BaseLanguageClient, views: VirtualViews): vscode.Disposable {
  return vscode.commands.registerCommand(
    'amdgpu-mir.whyPressure',
    async (uri?: unknown, line?: unknown, character?: unknown) => {
      const at = placeOf(uri, line, character);
      if (!at) return;
      const place = openedBy('whyPressure', at);
      await views.showReport(`why at line ${place.position.line + 1}`, place, async (at) => {
        const why = await ask(client, WHY_REQUEST, paramsOf(at));
        return why?.report ?? NO_ANSWER;
      });
    },
  );
}

/** All that a hover on the instruction has no room for. */
export const registerDetails = (client: BaseLanguageClient, views: VirtualViews): vscode.Disposable =>
  registerReport(client, views, 'showDetails', DETAILS_REQUEST, (line) => `line ${line} in detail`);

/** Why the register under the cursor, or the branch, differs between lanes. */
export const registerWhyDivergent = (client: BaseLanguageClient, views: VirtualViews): vscode.Disposable =>
  registerReport(client, views, 'whyDivergent', WHY_DIVERGENT_REQUEST, (line) => `lanes at line ${line}`);

/** `title`: of the report at a 1-based line */
function registerReport(
  client: BaseLanguageClient,
  views: VirtualViews,
  command: string,
  request: typeof DETAILS_REQUEST | typeof WHY_DIVERGENT_REQUEST,
  title: (line: number) => string,
): vscode.Disposable {
  return vscode.commands.registerCommand(
    `amdgpu-mir.${command}`,
    async (uri?: unknown, line?: unknown, character?: unknown) => {
      const at = placeOf(uri, line, character);
      if (!at) return;
      const place = openedBy(command, at);
      await views.showReport(title(place.position.line + 1), place, async (at) => {
        return (await ask(client, request, paramsOf(at))) ?? NO_ANSWER;
      });
    },
  );
}

/** The control flow view: the blocks of the function under the cursor. The page is client/webview/flowView. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { CONTROL_FLOW_REQUEST, type ControlFlow } from '../../server/src/lsp/common/customRequests.js';
import style from '../webview/flowView.css';
import html from '../webview/flowView.html';
import { ask } from './ask';
import { FunctionPanel } from './functionPanel';
import type { TargetStatus } from './targetStatus';

export type ControlFlowView = FunctionPanel<ControlFlow>;

export const makeControlFlowView = (
  client: BaseLanguageClient,
  status: TargetStatus,
  extension: vscode.Uri,
): ControlFlowView =>
  new FunctionPanel(client, status, extension, {
    command: 'showControlFlow',
    viewType: 'amdgpu-mir.controlFlow',
    title: vscode.l10n.t('Control Flow'),
    html,
    style,
    script: 'flowView.js',
    request: (params) => ask(client, CONTROL_FLOW_REQUEST, params),
    shows: ({ blocks }, line) => blocks.some((b) => b.line <= line && line <= b.lastLine),
    copied: vscode.l10n.t('Control flow copied'),
  });

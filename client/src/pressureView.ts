/** The pressure view: the pressure along the function under the cursor. The page is client/webview/pressureView. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { PRESSURE_PROFILE_REQUEST, type PressureProfile } from '../../server/src/lsp/common/customRequests.js';
import style from '../webview/pressureView.css';
import html from '../webview/pressureView.html';
import { ask } from './ask';
import { FunctionPanel } from './functionPanel';
import type { TargetStatus } from './targetStatus';

export type PressureView = FunctionPanel<PressureProfile>;

export const makePressureView = (
  client: BaseLanguageClient,
  status: TargetStatus,
  extension: vscode.Uri,
): PressureView =>
  new FunctionPanel(client, status, extension, {
    command: 'showPressureView',
    viewType: 'amdgpu-mir.pressure',
    title: vscode.l10n.t('Register Pressure'),
    html,
    style,
    script: 'pressureView.js',
    request: (params) => ask(client, PRESSURE_PROFILE_REQUEST, params),
    shows: ({ lines }, line) => lines.length > 0 && lines[0]! <= line && line <= lines[lines.length - 1]!,
    copied: vscode.l10n.t('Pressure report copied'),
  });

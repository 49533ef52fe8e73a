/** The log view: registers and instructions of a function over the passes of a log. The page is client/webview/logView. */
import type * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { LOG_GRAPH_REQUEST, type LogGraph } from '../../server/src/lsp/common/customRequests.js';
import style from '../webview/logView.css';
import html from '../webview/logView.html';
import { LOG_LANGUAGE } from './commandArguments';
import { FunctionPanel } from './functionPanel';
import { askWithProgress } from './longRequest';
import type { TargetStatus } from './targetStatus';

export type LogView = FunctionPanel<LogGraph>;

export const makeLogView = (client: BaseLanguageClient, status: TargetStatus, extension: vscode.Uri): LogView =>
  new FunctionPanel(client, status, extension, {
    command: 'showLogView',
    viewType: 'amdgpu-mir.log',
    title: 'Passes of the Log',
    html,
    style,
    script: 'logView.js',
    language: LOG_LANGUAGE,
    request: (params) => askWithProgress(client, LOG_GRAPH_REQUEST, params),
    shows: ({ points }, line) => points.some((p) => p.line <= line && line <= p.lastLine),
    copied: 'Table of passes copied',
  });

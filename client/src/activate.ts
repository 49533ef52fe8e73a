/**
 * The VS Code extension on either platform (extension.ts, extensionWeb.ts): starts the language server, shows its state, offers the
 * commands. All knowledge of MIR is in the server; this side knows the editor only.
 */
import * as vscode from 'vscode';
import { vsdiag, type BaseLanguageClient, type LanguageClientOptions } from 'vscode-languageclient';
import { AllocationViews } from './allocationViews';
import { PassTrailViews } from './passTrailViews';
import { registerCommands } from './commands';
import { CompareTargets } from './compareTargets';
import { CompareVersions } from './compareVersions';
import { makeControlFlowView, type ControlFlowView } from './controlFlowView';
import { LOG_LANGUAGE } from './commandArguments';
import { makeLogView, type LogView } from './logView';
import { MachineLogs } from './machineLogs';
import { LeverViews } from './leverViews';
import { Pins } from './pins';
import { Placeholders } from './placeholders';
import { makePressureView, type PressureView } from './pressureView';
import { registerRulePages, withRulePage } from './rules';
import { RematViews } from './rematViews';
import { RunLines } from './runLines';
import { makeSweepView, type SweepView } from './sweepView';
import { SourceLineLinks } from './sourceLineLinks';
import { SourceMir } from './sourceMir';
import { DependenceHighlights } from './dependenceHighlights';
import { ScheduleViews } from './scheduleViews';
import { offerFiles } from './workspaceFiles';
import { TargetStatus } from './targetStatus';
import { PressureMarks } from './pressureMarks';
import { TestExplorer } from './testExplorer';
import { traceChannel } from './traceChannel';
import { VerdictMarks } from './verdictMarks';
import { VirtualViews } from './virtualViews';
import { asLabel } from './plainText';
import { ExecMarks } from './execMarks';
import { provideCompletionItem, provideOnTypeFormattingEdits } from './typedAhead';
import { UpdateChecks } from './updateChecks';
import { LINK_COMMANDS, offerOwnMessages, registerDetails, registerWhy, registerWhyDivergent } from './whyView';

let client: BaseLanguageClient | undefined;

/** What tests and other extensions may use. */
export interface ExtensionApi {
  readonly client: BaseLanguageClient;
  readonly status: TargetStatus;
  readonly dependences: DependenceHighlights;
  readonly pressure: PressureView;
  readonly flow: ControlFlowView;
  readonly sweep: SweepView;
  readonly log: LogView;
  readonly marks: PressureMarks;
  readonly exec: ExecMarks;
  readonly verdicts: VerdictMarks;
  readonly tests: TestExplorer;
  readonly sourceLines: SourceLineLinks;
}

/** `makeClient`: how the server runs on this platform. */
export async function activateWith(
  context: vscode.ExtensionContext,
  makeClient: (options: LanguageClientOptions) => BaseLanguageClient,
): Promise<ExtensionApi> {
  const output = vscode.window.createOutputChannel('AMDGPU MIR', { log: true });
  const pins = new Pins();
  const placeholders = new Placeholders();
  /** the server was told of no programs, for want of trust */
  let isWithheld = false;
  const clientOptions: LanguageClientOptions = {
    documentSelector: [{ language: 'mir' }, { language: LOG_LANGUAGE }],
    outputChannel: output,
    traceOutputChannel: traceChannel(output, context.subscriptions),
    // A server that dies is started again and given the open files; one that dies all the time is not.
    connectionOptions: { maxRestartCount: 20 },
    synchronize: { configurationSection: 'amdgpu-mir' },
    markdown: { isTrusted: { enabledCommands: LINK_COMMANDS } },
    middleware: {
      sendRequest: pins.sendRequest,
      provideOnTypeFormattingEdits,
      provideCompletionItem,
      workspace: {
        // A workspace that is not trusted must not have programs started by its RUN lines, whoever has named them.
        configuration: async (params, token, next) => {
          const sections: unknown = await next(params, token);
          isWithheld = !vscode.workspace.isTrusted;
          if (!isWithheld || !Array.isArray(sections)) return sections as never;
          return sections.map((s: unknown) =>
            typeof s === 'object' ? { ...s, llc: {}, filecheck: {}, tools: {} } : s,
          ) as never;
        },
      },
      provideCodeLenses: async (document, token, next) => {
        const lenses = await next(document, token);
        for (const { command } of lenses ?? []) if (command) command.title = asLabel(command.title);
        return lenses && placeholders.withoutLenses(document, lenses);
      },
      handleDiagnostics: (uri, diagnostics, next) =>
        placeholders.handleDiagnostics(uri, diagnostics.map(withRulePage), next),
      provideDiagnostics: async (document, previousResultId, token, next) => {
        const report = await next(document, placeholders.previousResult(document, previousResultId), token);
        if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report;
        const uri = document instanceof vscode.Uri ? document : document.uri;
        return { ...report, items: placeholders.without(uri, report.items.map(withRulePage)) };
      },
    },
  };
  client = makeClient(clientOptions);
  placeholders.attach(client);
  offerFiles(client);
  offerOwnMessages(client);
  const status = new TargetStatus(client, context.workspaceState);
  const views = new VirtualViews(client, context.workspaceState);
  const dependences = new DependenceHighlights(client);
  const pressure = makePressureView(client, status, context.extensionUri);
  const flow = makeControlFlowView(client, status, context.extensionUri);
  const sweep = makeSweepView(client, status, context.extensionUri);
  const log = makeLogView(client, status, context.extensionUri);
  const marks = new PressureMarks(client, status);
  const verdicts = new VerdictMarks(client);
  const exec = new ExecMarks(client, status);
  const tests = new TestExplorer(client);
  const sourceLines = new SourceLineLinks(client);
  context.subscriptions.push(
    pressure,
    flow,
    sweep,
    log,
    output,
    status,
    views,
    status.onDidChangeTarget((uri) => views.refresh(vscode.Uri.parse(uri))),
    dependences,
    marks,
    exec,
    registerWhy(client, views),
    registerDetails(client, views),
    registerWhyDivergent(client, views),
    pins,
    placeholders,
    new ScheduleViews(client, views, pins),
    new AllocationViews(client, views),
    new PassTrailViews(client, views),
    new CompareVersions(client, views),
    new LeverViews(client, views),
    new CompareTargets(client, status, views),
    new RematViews(client, views),
    verdicts,
    tests,
    new RunLines(client, views),
    new MachineLogs(client, views),
    new SourceMir(client, context.workspaceState),
    sourceLines,
    new UpdateChecks(client),
    ...registerCommands(client, output, status, context),
    registerRulePages(context),
  );
  await client.start();
  const tellAgain = (): void => {
    void client?.sendNotification('workspace/didChangeConfiguration', { settings: null });
  };
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(tellAgain));
  // Trust may have come while the server started.
  if (isWithheld && vscode.workspace.isTrusted) tellAgain();
  void views.restore();
  return { client, status, dependences, pressure, flow, sweep, log, marks, exec, verdicts, tests, sourceLines };
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

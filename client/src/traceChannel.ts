/** Where the messages between VS Code and the server are written. */
import * as vscode from 'vscode';

/**
 * The extension's output, to which the setting `amdgpu-mir.trace.server` is enough for a trace. vscode-languageclient asks for VS Code's log level
 * `Trace` besides, and who sets only the setting sees nothing.
 */
export function traceChannel(
  output: vscode.LogOutputChannel,
  subscriptions: vscode.Disposable[],
): vscode.LogOutputChannel {
  const isAsked = (): boolean =>
    vscode.workspace.getConfiguration('amdgpu-mir').get<string>('trace.server', 'off') !== 'off';
  const level = (): vscode.LogLevel => (isAsked() ? vscode.LogLevel.Trace : output.logLevel);
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  subscriptions.push(
    changed,
    output.onDidChangeLogLevel(() => changed.fire(level())),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('amdgpu-mir.trace.server')) changed.fire(level());
    }),
  );
  return {
    name: output.name,
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: changed.event,
    // The output itself leaves out what is below its own level.
    trace: (message, ...args) => (isAsked() ? output.info(message, ...args) : output.trace(message, ...args)),
    debug: (message, ...args) => output.debug(message, ...args),
    info: (message, ...args) => output.info(message, ...args),
    warn: (message, ...args) => output.warn(message, ...args),
    error: (error, ...args) => output.error(error, ...args),
    append: (value) => output.append(value),
    appendLine: (value) => output.appendLine(value),
    replace: (value) => output.replace(value),
    clear: () => output.clear(),
    show: () => output.show(true),
    hide: () => output.hide(),
    dispose: () => output.dispose(),
  };
}

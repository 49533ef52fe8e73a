/** The extension inside a real VS Code: what a user sees of the examples, and that it stays right while one edits. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as vscode from 'vscode';

interface SweepTable {
  readonly done: number;
  readonly isRunning: boolean;
  readonly rows: readonly { readonly label: string; readonly row: { readonly failed: string } | null }[];
}

interface Api {
  client: {
    initializeResult?: { serverInfo?: { name: string; version?: string } };
    sendRequest<T>(method: string, params: object): Promise<T>;
    sendNotification(method: string, params: object): Promise<void>;
  };
  status: { readonly text: string; select(params: { uri: string }): Promise<void> };
  pressure: {
    onDidShow: vscode.Event<{ function: string; series: { name: string; values: number[] }[] }>;
  };
  flow: { onDidShow: vscode.Event<{ function: string; blocks: { name: string }[] }> };
  sweep: { onDidShow: vscode.Event<SweepTable> };
  marks: { readonly shown: { readonly peaks: number[]; readonly heat: [number, number][] } };
  dependences: { readonly shown: { readonly predecessors: number[]; readonly successors: number[] } };
  readonly tests: { runAll(): Promise<void>; readonly results: ReadonlyMap<string, string> };
  readonly verdicts: { readonly shown: { readonly failed?: readonly number[] } };
}

const POLL_MS = 50;

/** VS Code for the Web, the extension host a web worker (suite/web.ts). */
const isBrowser = typeof importScripts === 'function';
declare const importScripts: unknown;

/** Waits until `probe` gives something; the editor offers no event for most of what is looked at here. */
async function until<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  limitMs = 15_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (end < Date.now()) throw new Error(`not seen within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

async function open(name: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
  await vscode.window.showTextDocument(document);
  return document;
}

function lineOf(document: vscode.TextDocument, text: string): number {
  for (let i = 0; i < document.lineCount; i++) if (document.lineAt(i).text.includes(text)) return i;
  throw new Error(`no line contains ${text}`);
}

async function hoverText(document: vscode.TextDocument, line: number, text: string): Promise<string> {
  const position = new vscode.Position(line, document.lineAt(line).text.indexOf(text) + 1);
  const hovers = await run<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
  return hovers.flatMap((h) => h.contents.map((c) => (typeof c === 'string' ? c : c.value))).join('\n');
}

const lenses = async (document: vscode.TextDocument): Promise<string[]> => {
  const found = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
  return found.map((l) => l.command?.title ?? '');
};

const hints = async (document: vscode.TextDocument): Promise<string[]> => {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const found = await run<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, all);
  return found.map((h) => (typeof h.label === 'string' ? h.label : h.label.map((p) => p.value).join('')));
};

const errors = (document: vscode.TextDocument): vscode.Diagnostic[] => vscode.languages.getDiagnostics(document.uri);

/** Changes the text, waits for `seen`, and takes the change back. */
async function withEdit(
  document: vscode.TextDocument,
  from: string,
  to: string,
  seen: () => Promise<void>,
): Promise<void> {
  const editor = await vscode.window.showTextDocument(document);
  const line = lineOf(document, from);
  const start = document.lineAt(line).text.indexOf(from);
  const range = new vscode.Range(line, start, line, start + from.length);
  assert.ok(await editor.edit((edit) => edit.replace(range, to)));
  try {
    await seen();
  } finally {
    const back = new vscode.Range(line, start, line, start + to.length);
    const again = await vscode.window.showTextDocument(document);
    assert.ok(await again.edit((edit) => edit.replace(back, from)));
  }
}

describe('AMDGPU MIR in VS Code', () => {
  let api: Api;
  let saxpy: vscode.TextDocument;

  before(async () => {
    saxpy = await open('saxpy.mir');
    const extension = vscode.extensions.getExtension<Api>('amdgpu-mir.amdgpu-mir');
    assert.ok(extension, 'the extension is installed');
    api = await extension.activate();
  });

  it('knows the language', () => assert.equal(saxpy.languageId, 'mir'));

  it('runs the server that models LLVM 22.1.8', () =>
    assert.match(api.client.initializeResult?.serverInfo?.name ?? '', /^amdgpu-mir \(LLVM 22\.1\.8\)$/));

  it('names the target of the RUN line in the status bar', async () => {
    await until('status text', () => (api.status.text.includes('gfx90a wave64, LLVM 24') ? true : undefined));
  });

  it('shows occupancy and peak above the function', async () => {
    const titles = await until('code lens', async () => {
      const found = await lenses(saxpy);
      return found.length > 0 ? found : undefined;
    });
    // llc-22 -mcpu=gfx90a -run-pass=amdgpu-print-rp: the largest VGPR number is 10.
    assert.match(titles.join(' | '), /occupancy 8 of 8/);
    assert.match(titles.join(' | '), /live peak VGPR 10\b/);
  });

  it('shows the pressure around an instruction in its hover', async () => {
    const text = await hoverText(saxpy, lineOf(saxpy, '%vy:vreg_128_align2'), 'GLOBAL_LOAD_DWORDX4');
    assert.match(text, /VGPR \d+ → \*\*\d+\*\*/);
    assert.match(text, /occupancy/);
    assert.match(text, /gfx90a wave64, LLVM 24/);
  });

  it('shows pressure at line ends, and none when switched off', async () => {
    const settings = vscode.workspace.getConfiguration('amdgpu-mir');
    await until('inlay hints', async () => ((await hints(saxpy)).some((h) => /VGPR 10/.test(h)) ? true : undefined));
    await settings.update('inlayHints.mode', 'off', vscode.ConfigurationTarget.Workspace);
    await until('no inlay hints', async () => ((await hints(saxpy)).length === 0 ? true : undefined));
    await settings.update('inlayHints.mode', undefined, vscode.ConfigurationTarget.Workspace);
    await until('inlay hints again', async () => ((await hints(saxpy)).length > 0 ? true : undefined));
  });

  it('lists functions and blocks as symbols', async () => {
    const symbols = await run<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', saxpy.uri);
    assert.deepEqual(
      symbols.map((s) => s.name),
      ['saxpy'],
    );
    assert.deepEqual(
      symbols[0]!.children.map((s) => s.name),
      ['bb.0.entry', 'bb.1.body', 'bb.2.exit'],
    );
  });

  it('has no complaint about any example', async () => {
    for (const name of ['saxpy.mir', 'block_sum.mir', 'gemm_tile.mir', 'targets.mir']) {
      const document = await open(name);
      await until(`lens in ${name}`, async () => ((await lenses(document)).length > 0 ? true : undefined));
      assert.deepEqual(
        errors(document).map((d) => d.message),
        [],
        name,
      );
    }
  });

  it('marks an unknown opcode on the word, with the message of llc, and forgets it when it is mended', async () => {
    await withEdit(saxpy, 'V_OR_B32_e32', 'V_OR_B32_e33', async () => {
      const [found] = await until('diagnostic', () => (errors(saxpy).length > 0 ? errors(saxpy) : undefined));
      assert.equal(found!.message.split('\n')[0], "unknown machine instruction name 'V_OR_B32_e33'");
      assert.equal(saxpy.getText(found!.range), 'V_OR_B32_e33');
      assert.equal(found!.source, 'amdgpu-mir');
    });
    await until('no diagnostic', () => (errors(saxpy).length === 0 ? true : undefined));
  });

  it('offers the quick fix of a misspelt opcode, and its edit mends the line', async () => {
    await withEdit(saxpy, 'V_OR_B32_e32', 'V_OR_B32_e33', async () => {
      const [found] = await until('diagnostic', () => (errors(saxpy).length > 0 ? errors(saxpy) : undefined));
      const actions = await run<vscode.CodeAction[]>('vscode.executeCodeActionProvider', saxpy.uri, found!.range);
      const fix = actions.find((a) => a.title === "Change to 'V_OR_B32_e32'");
      assert.equal(fix?.isPreferred, true);
      const [[, edits]] = fix!.edit!.entries() as [[vscode.Uri, vscode.TextEdit[]]];
      assert.deepEqual(
        edits.map((e) => [saxpy.getText(e.range), e.newText]),
        [['V_OR_B32_e33', 'V_OR_B32_e32']],
      );
    });
    await until('no diagnostic', () => (errors(saxpy).length === 0 ? true : undefined));
  });

  it('takes a function from occupancy 7 to 8 by one quick fix', async () => {
    const rows = await open('seven_rows.mir');
    await until('occupancy 7', async () => (await lenses(rows)).some((l) => /occupancy 7 of 10/.test(l)) || undefined);
    const line = lineOf(rows, '%half:vgpr_32');
    const place = new vscode.Range(line, 0, line, 0);
    const actions = await run<vscode.CodeAction[]>('vscode.executeCodeActionProvider', rows.uri, place, 'quickfix', 4);
    const fix = actions.find((a) => a.title.startsWith('Rematerialize %half'));
    // What the allocator makes of it follows, once that is known.
    assert.ok(fix);
    assert.match(fix.title, /^Rematerialize %half at bb\.2 \(VGPR -1 in 2 regions, occupancy 7 to 8\)/);
    await vscode.workspace.applyEdit(fix.edit!);
    await until('occupancy 8', async () => (await lenses(rows)).some((l) => /occupancy 8 of 10/.test(l)) || undefined);
    assert.ok(lineOf(rows, '%half:vgpr_32') > lineOf(rows, 'bb.2.store:'));
    await run('workbench.action.files.revert');
  });

  it('links a finding to its place in the documentation, which opens rendered', async () => {
    await withEdit(saxpy, 'V_OR_B32_e32', 'V_OR_B32_e33', async () => {
      const [found] = await until('diagnostic', () => (errors(saxpy).length > 0 ? errors(saxpy) : undefined));
      const code = found!.code as { value: string; target: vscode.Uri };
      assert.equal(code.value, 'unknown-opcode');
      assert.equal(code.target.scheme, 'amdgpu-mir-rule');
      await run('vscode.open', code.target);
      await until('the page', () =>
        vscode.window.tabGroups.all.some((g) => g.tabs.some((t) => t.label.includes('unknown-opcode')))
          ? true
          : undefined,
      );
      const { viewType } = vscode.window.tabGroups.activeTabGroup.activeTab!.input as { viewType?: string };
      assert.equal(viewType, 'vscode.markdown.preview.editor');
      assert.match(
        (await vscode.workspace.openTextDocument(code.target)).getText(),
        /^# unknown-opcode\n[^#]*Quick fix[^#]*$/,
      );
      await run('workbench.action.closeActiveEditor');
    });
    await open('saxpy.mir');
  });

  it('chooses the active target by a lens, and compares all of them beside the file', async () => {
    const document = await open('targets.mir');
    const command = await until('lens of another target', async () => {
      const found = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
      return found.find((l) => l.command?.title === 'use gfx1030')?.command;
    });
    await run(command.command, ...(command.arguments ?? []));
    await until(
      'its occupancy',
      async () => (await lenses(document)).some((l) => l.startsWith('occupancy 16 of 16')) || undefined,
    );
    await until('status', () => (api.status.text.includes('gfx1030 wave32') ? true : undefined));
    await run('amdgpu-mir.compareTargets', document.uri.toString());
    const table = vscode.window.activeTextEditor!.document;
    assert.equal(table.uri.scheme, 'amdgpu-mir-view');
    assert.match(table.getText(), /^polynomial\n {2}target +occupancy +live peak VGPR/);
    assert.match(table.getText(), /^ {2}gfx900 wave64 +9 of 10 +28 at line 33/m);
    const links = await run<vscode.DocumentLink[]>('vscode.executeLinkProvider', table.uri);
    assert.deepEqual(
      links.map((l) => table.getText(l.range)),
      table.getText().match(/line \d+/g),
    );
    await run('workbench.action.closeEditorsInGroup');
    await open('targets.mir');
    // As the status bar does: what was chosen is forgotten, or the server is told again when it restarts.
    await api.status.select({ uri: document.uri.toString() });
    await until('the former target', () => (api.status.text.includes('gfx900 wave64') ? true : undefined));
    await open('saxpy.mir');
  });

  it('compares what llc ends with: with HEAD where there is a repository, else it says that there is none; under other options', async () => {
    const document = await open('saxpy.mir');
    const report = async (how: readonly string[]): Promise<string> => {
      await run('amdgpu-mir.compareWith', document.uri.toString(), how);
      const view = vscode.window.activeTextEditor!.document;
      if (view.uri.scheme !== 'amdgpu-mir-view') return '';
      const text = view.getText();
      await run('workbench.action.closeEditorsInGroup');
      return text;
    };
    assert.match(await report(['settings', '-enable-misched=0']), /^saxpy\.mir -> the same with -enable-misched=0 /);
    assert.match(await report(['file', document.uri.toString()]), /the function is the same/);
    // The folder of the tests is no repository: a message, and no view.
    assert.equal(await report(['git', 'HEAD']), '');
    await open('saxpy.mir');
  });

  it('shows the pressure view of the function under the cursor, and keeps it up to date', async () => {
    const profiles: { function: string; series: { name: string; values: number[] }[] }[] = [];
    const listener = api.pressure.onDidShow((p) => profiles.push(p));
    await open('saxpy.mir');
    await run('amdgpu-mir.showPressureView');
    const most = (): number | undefined => {
      const vgpr = profiles.at(-1)?.series.find((s) => s.name === 'VGPR');
      return vgpr && Math.max(...vgpr.values);
    };
    await until('a profile', () => (profiles.at(-1)?.function === 'saxpy' && most() === 10 ? true : undefined));
    await withEdit(saxpy, 'S_ENDPGM 0', 'S_ENDPGM 0, implicit %tid', async () => {
      await until('another pressure', () => (most() === 11 ? true : undefined));
    });
    await until('the former pressure', () => (most() === 10 ? true : undefined));
    await open('targets.mir');
    await until('another file', () => (profiles.at(-1)?.function === 'polynomial' ? true : undefined));
    listener.dispose();
    await run('workbench.action.closeEditorsInOtherGroups');
    await open('saxpy.mir');
  });

  it('sweeps the function under the cursor, and applies what would help as one edit', async () => {
    const document = await open('spill.mir');
    const tables: SweepTable[] = [];
    const listener = api.sweep.onDidShow((table) => tables.push(table));
    await run('amdgpu-mir.showSweep');
    const table = await until('a whole sweep', () => {
      const last = tables.at(-1);
      return last && !last.isRunning && last.done === last.rows.length ? last : undefined;
    });
    listener.dispose();
    assert.equal(table.rows[0]!.label, '(as in the file)');
    assert.ok(table.rows.length > 10 && table.rows.every(({ row }) => row?.failed === ''));
    const before = document.getText();
    const change = { kind: 'rematerialize', registers: ['%half'] };
    await run('amdgpu-mir.applyLever', document.uri.toString(), 20, change);
    assert.ok(document.getText().indexOf('%half:vgpr_32') > before.indexOf('%half:vgpr_32') + 1000);
    await vscode.window.showTextDocument(document);
    await run('undo');
    assert.equal(document.getText(), before);
    await run('amdgpu-mir.compareLever', document.uri.toString(), 20, change);
    await until('a diff', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input.modified.path.includes('%half') ? true : undefined;
    });
    await run('workbench.action.closeAllEditors');
    await open('saxpy.mir');
  });

  it('has a walkthrough whose commands exist and whose pictures ship', async () => {
    const extension = vscode.extensions.getExtension('amdgpu-mir.amdgpu-mir')!;
    const { contributes } = extension.packageJSON as {
      contributes: { walkthroughs: { steps: { description: string; media: { image: string } }[] }[] };
    };
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { description, media } of contributes.walkthroughs[0]!.steps) {
      for (const [, command] of description.matchAll(/\(command:([\w.-]+)/g)) assert.ok(known.has(command!), command);
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(extension.extensionUri, media.image));
    }
    await run('amdgpu-mir.openExample');
    const { document } = vscode.window.activeTextEditor!;
    assert.ok(document.isUntitled);
    await until('lens of the example', async () =>
      (await lenses(document)).some((l) => l.startsWith('occupancy 3 of 8')) ? true : undefined,
    );
    await run('workbench.action.revertAndCloseActiveEditor');
    await open('saxpy.mir');
  });

  it('finds functions of files that are not open', async () => {
    const found = await until('symbol', async () => {
      const symbols = await run<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', 'block_s');
      return symbols.find((s) => s.location.uri.path.endsWith('/block_sum.mir'));
    });
    assert.equal(found.kind, vscode.SymbolKind.Function);
  });

  it('repairs all mistakes of a file at once', async () => {
    const source = saxpy.getText();
    await withEdit(saxpy, 'V_OR_B32_e32', 'V_OR_B32_e33', async () => {
      const all = new vscode.Range(0, 0, saxpy.lineCount, 0);
      const [fix] = await until('fix-all', async () => {
        const kind = 'source.fixAll.amdgpu-mir';
        const found = await run<vscode.CodeAction[]>('vscode.executeCodeActionProvider', saxpy.uri, all, kind);
        return found.length > 0 ? found : undefined;
      });
      assert.equal(fix!.title, 'Repair 1 problem');
      assert.ok(await vscode.workspace.applyEdit(fix!.edit!));
      assert.equal(saxpy.getText(), source);
    });
  });

  it('reports limiting regions when asked to', async () => {
    const tile = await open('gemm_tile.mir');
    const settings = vscode.workspace.getConfiguration('amdgpu-mir');
    await settings.update('diagnostics.pressure', true, vscode.ConfigurationTarget.Workspace);
    const [found] = await until('finding', () => (errors(tile).length > 0 ? errors(tile) : undefined));
    assert.match(found!.message, /^VGPR pressure of region 1 \(bb\.1\) limits the occupancy of 'gemm_tile' to 3 of 8/);
    assert.equal(found!.severity, vscode.DiagnosticSeverity.Information);
    await settings.update('diagnostics.pressure', undefined, vscode.ConfigurationTarget.Workspace);
    await until('no finding', () => (errors(tile).length === 0 ? true : undefined));
    await open('saxpy.mir');
  });

  it('finds definition and references, renames, and colours registers by bank', async () => {
    const line = lineOf(saxpy, '%highx:vgpr_32 = COPY');
    const at = new vscode.Position(line, saxpy.lineAt(line).text.indexOf('%pointers') + 2);
    const definitions = await run<vscode.Location[]>('vscode.executeDefinitionProvider', saxpy.uri, at);
    assert.deepEqual(
      definitions.map((d) => d.range.start.line),
      [lineOf(saxpy, '%pointers:sgpr_128')],
    );
    const references = await run<vscode.Location[]>('vscode.executeReferenceProvider', saxpy.uri, at);
    assert.equal(references.length, 5);
    const renamed = await run<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', saxpy.uri, at, '%base');
    assert.deepEqual(
      renamed.get(saxpy.uri).map((e) => (e as vscode.TextEdit).newText),
      ['base', 'base', 'base', 'base', 'base'],
    );
    const legend = await run<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', saxpy.uri);
    const tokens = await run<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', saxpy.uri);
    const types = new Set<string>();
    for (let k = 3; k < tokens.data.length; k += 5) types.add(legend.tokenTypes[tokens.data[k]!]!);
    for (const type of ['sgpr', 'vgpr', 'opcode', 'block']) assert.ok(types.has(type), type);
  });

  it('follows an edit: a register that dies later raises the pressure', async () => {
    const line = lineOf(saxpy, '%highy:vgpr_32 = COPY');
    const before = await hoverText(saxpy, line, 'COPY');
    await withEdit(saxpy, 'S_ENDPGM 0', 'S_ENDPGM 0, implicit %tid', async () => {
      await until('another pressure', async () =>
        (await hoverText(saxpy, line, 'COPY')) !== before ? true : undefined,
      );
    });
    await until('the former pressure', async () =>
      (await hoverText(saxpy, line, 'COPY')) === before ? true : undefined,
    );
  });

  it('shows its status as a document that cannot be edited', async () => {
    await run('amdgpu-mir.showStatus');
    const shown = await until('the status', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === 'amdgpu-mir-status' ? document : undefined;
    });
    assert.match(
      shown.getText(),
      /^AMDGPU MIR \S+ answers as LLVM 22\.1\.8, 24\.[^\n]+\.\n\nThe server runs\b[^]*Open files\n {2}\S+\.mir: \d+ function/,
    );
    assert.equal(shown.isUntitled, false);
    const before = shown.getText();
    await run('type', { text: 'x' });
    assert.equal(shown.getText(), before);
    assert.equal(shown.isDirty, false);
    await run('workbench.action.closeActiveEditor');
  });

  it('says once that a file is of another target, and has no findings in it', async () => {
    const content = '# RUN: llc -mtriple=aarch64-linux-gnu %s\n---\nname: f\nbody: |\n  bb.0:\n    RET_ReallyLR\n...\n';
    const document = await vscode.workspace.openTextDocument({ language: 'mir', content });
    await vscode.window.showTextDocument(document);
    await until('the status bar', () => (api.status.text === '$(circle-slash) not an AMDGPU file' ? true : undefined));
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
    assert.deepEqual(await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri), []);
    await run('workbench.action.closeActiveEditor');
  });

  describe('places of pressure', () => {
    let tile: vscode.TextDocument;

    before(async () => {
      tile = await open('gemm_tile.mir');
    });
    after(() => run('workbench.action.closeAllEditors'));

    const cursor = (): number => vscode.window.activeTextEditor!.selection.active.line;
    /** The line with the highest VGPR number of llc-22 -run-pass=amdgpu-print-rp. */
    const peakLine = (): number => lineOf(tile, '%b13:vreg_128_align2 =');

    it('marks the peaks in the overview ruler', async () => {
      vscode.window.activeTextEditor!.selection = new vscode.Selection(peakLine(), 4, peakLine(), 4);
      await until('marks', () => (api.marks.shown.peaks.includes(peakLine()) ? true : undefined));
    });

    it('marks those of the function at the cursor only', async () => {
      const editor = await vscode.window.showTextDocument(tile);
      await editor.edit((e) =>
        e.insert(new vscode.Position(tile.lineCount, 0), '\n---\nname: other\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n'),
      );
      const last = tile.lineCount - 3;
      editor.selection = new vscode.Selection(last, 4, last, 4);
      await until('no marks in the other function', () => (api.marks.shown.peaks.length === 0 ? true : undefined));
      editor.selection = new vscode.Selection(peakLine(), 4, peakLine(), 4);
      await until('marks of this one', () => (api.marks.shown.peaks.includes(peakLine()) ? true : undefined));
      await run('undo');
      assert.doesNotMatch(tile.getText(), /name: other/);
    });

    it('leaves the marks out when asked to, at once', async () => {
      const settings = vscode.workspace.getConfiguration('amdgpu-mir');
      await settings.update('overviewRuler.peaks', false, vscode.ConfigurationTarget.Workspace);
      await until('no marks', () => (api.marks.shown.peaks.length === 0 ? true : undefined));
      await settings.update('overviewRuler.peaks', undefined, vscode.ConfigurationTarget.Workspace);
      await until('marks again', () => (api.marks.shown.peaks.includes(peakLine()) ? true : undefined));
    });

    it('writes peaks, changes or all numbers at line ends, as the setting says at the moment', async () => {
      const settings = vscode.workspace.getConfiguration('amdgpu-mir');
      const counts: number[] = [];
      for (const mode of ['peaks', 'changes', 'all']) {
        const before = counts[counts.length - 1] ?? 0;
        await settings.update('inlayHints.mode', mode, vscode.ConfigurationTarget.Workspace);
        counts.push(
          await until(`hints of ${mode}`, async () => {
            const found = await hints(tile);
            const isOf = found.length > before && found.every((h) => h.startsWith('live peak') === (mode === 'peaks'));
            return isOf ? found.length : undefined;
          }),
        );
      }
      // the highest of each bank; every instruction
      assert.equal(counts[0], 3);
      const body = tile.getText().slice(tile.getText().indexOf('\nbody:'));
      assert.equal(counts[2], body.match(/^ {4}(?!;|successors|liveins)\S/gm)?.length);
      await settings.update('inlayHints.mode', undefined, vscode.ConfigurationTarget.Workspace);
    });

    it('goes from peak to peak', async () => {
      const editor = await vscode.window.showTextDocument(tile);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await run('amdgpu-mir.goToPeak.vgpr');
      assert.equal(cursor(), peakLine());
      await run('amdgpu-mir.nextPeak.sgpr');
      const sgpr = lineOf(tile, '%pointers:sgpr_256');
      assert.equal(cursor(), sgpr);
      await run('amdgpu-mir.previousPeak.agpr');
      assert.equal(cursor(), lineOf(tile, '%acc11.sub15'));
    });

    it('colours the gutter when asked to, the peak hottest, and stops at once', async () => {
      const settings = vscode.workspace.getConfiguration('amdgpu-mir');
      const editor = await vscode.window.showTextDocument(tile);
      editor.revealRange(new vscode.Range(peakLine(), 0, peakLine(), 0), vscode.TextEditorRevealType.InCenter);
      assert.deepEqual(api.marks.shown.heat, []);
      await settings.update('gutter.heat', 'vgpr', vscode.ConfigurationTarget.Workspace);
      await until('heat at the peak', () =>
        api.marks.shown.heat.some(([line, step]) => line === peakLine() && step === 7) ? true : undefined,
      );
      await settings.update('gutter.heat', undefined, vscode.ConfigurationTarget.Workspace);
      await until('no heat', () => (api.marks.shown.heat.length === 0 ? true : undefined));
    });

    it('shows what lives into blocks when asked to', async () => {
      const settings = vscode.workspace.getConfiguration('amdgpu-mir');
      await settings.update('codeLens.blocks', true, vscode.ConfigurationTarget.Workspace);
      await until('lens above the loop', async () =>
        (await lenses(tile)).includes('at entry: 3 VGPR, 7 SGPR, 64 AGPR') ? true : undefined,
      );
      await settings.update('codeLens.blocks', undefined, vscode.ConfigurationTarget.Workspace);
    });

    it('says why the pressure is what it is, with links, and follows edits', async () => {
      const hover = await hoverText(tile, peakLine(), 'GLOBAL_LOAD');
      assert.match(hover, /\[why\]\(command:[^]*used soon 66 VGPR.*only passing 1 VGPR/);
      const titles = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', tile.uri, 100);
      const lens = titles.find((l) => l.command?.title === 'why...')!.command!;
      await run(lens.command, ...(lens.arguments ?? []));
      const beside = await until('report', () =>
        vscode.window.visibleTextEditors.find((e) => e.document.languageId === 'amdgpu-mir-report'),
      );
      const text = beside.document.getText();
      assert.match(text, /^VGPR 67, SGPR 7, AGPR 64 at line \d+ \(bb\.1:15 of @gemm_tile\)/);
      assert.match(text, /only passing through this region: 1 in 1 register/);
      const links = await run<vscode.DocumentLink[]>('vscode.executeLinkProvider', beside.document.uri);
      assert.ok(links.length > 30);

      const edit = new vscode.WorkspaceEdit();
      const end = lineOf(tile, '%b13:vreg_128_align2 =');
      edit.insert(tile.uri, new vscode.Position(end, 0), '    ; a line more\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
      // The report is about its line, on which the comment stands now: the instruction above is explained.
      await until('the report anew', () => (beside.document.getText() !== text ? true : undefined));
      const back = new vscode.WorkspaceEdit();
      back.delete(tile.uri, new vscode.Range(end, 0, end + 1, 0));
      assert.ok(await vscode.workspace.applyEdit(back));
      await until('the report as it was', () => (beside.document.getText() === text ? true : undefined));
      await tile.save();
    });
  });

  describe('registers allocated', () => {
    afterEach(() => run('workbench.action.closeAllEditors'));

    it('says what is spilled, shows it as a diff that follows edits, and the spill goes with its cause', async () => {
      const document = await open('spill.mir');
      const source = document.getText();
      const command = (pattern: RegExp): Promise<vscode.Command> =>
        until(`lens ${String(pattern)}`, async () => {
          const found = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
          return found.find((l) => pattern.test(l.command?.title ?? ''))?.command;
        });
      const { command: name, arguments: args } = await command(
        /^llc ends with 10 of 10 waves: VGPR 24, SGPR 10, 1 VGPR spilled/,
      );
      await run(name, ...(args ?? []));
      const { input } = await until('diff', () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        return tab?.input instanceof vscode.TabInputTextDiff ? (tab as { input: vscode.TabInputTextDiff }) : undefined;
      });
      assert.equal(input.original.toString(), document.uri.toString());
      const right = await vscode.workspace.openTextDocument(input.modified);
      assert.match(right.getText(), /SI_SPILL_V32_SAVE/);
      assert.match(right.getText(), /# A value that is loaded early/);

      const line = lineOf(document, '%half:vgpr_32 = V_MOV_B32_e32');
      const use = lineOf(document, '%t1:vgpr_32');
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(use, 0), `${document.lineAt(line).text}\n`);
      edit.delete(document.uri, new vscode.Range(line, 0, line + 1, 0));
      assert.ok(await vscode.workspace.applyEdit(edit));
      await until('no spill on the right side', () => (!right.getText().includes('SPILL') ? true : undefined));
      await command(/^llc ends with 10 of 10 waves: VGPR 24, .*, no spills$/);
      const back = new vscode.WorkspaceEdit();
      back.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), source);
      assert.ok(await vscode.workspace.applyEdit(back));
      await document.save();
    });
  });

  describe('passes', () => {
    afterEach(() => run('workbench.action.closeAllEditors'));

    const shown = async (cpu: string, pass: string, instrs: readonly string[]): Promise<vscode.TextDocument> => {
      const content = [
        `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=${pass} -o - %s`,
        ...['---', 'name: f', 'machineFunctionInfo:', '  isEntryFunction: true', 'body: |', '  bb.0:'],
        ...instrs.map((instr) => `    ${instr}`),
        '...',
        '',
      ].join('\n');
      const document = await vscode.workspace.openTextDocument({ language: 'mir', content });
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(9, 0, 9, 0);
      return document;
    };
    const afterSide = async (title: RegExp): Promise<vscode.TextDocument> => {
      const { input } = await until(`diff ${String(title)}`, () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        const isIt = tab?.input instanceof vscode.TabInputTextDiff && title.test(tab.label);
        return isIt ? (tab as { input: vscode.TabInputTextDiff }) : undefined;
      });
      return vscode.workspace.openTextDocument(input.modified);
    };
    const at = (document: vscode.TextDocument, pass: string): [string, number, number, string] => [
      document.uri.toString(),
      9,
      0,
      pass,
    ];
    const LOAD = '$vgpr2 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 1)';

    it('a wait says which load it is for, on hover and in the report', async () => {
      const document = await shown('gfx900', 'si-insert-waitcnts', [
        LOAD,
        '$vgpr3 = V_MOV_B32_e32 $vgpr2, implicit $exec',
        'S_ENDPGM 0',
      ]);
      await run('amdgpu-mir.showAfterPass', ...at(document, 'si-insert-waitcnts'));
      const after = await afterSide(/^f: si-insert-waitcnts, 1 of 1 \(gfx900/);
      const why =
        /vmcnt 0, for line 9 \(V_MOV_B32_e32\), which reads \$vgpr2: line 8 \(GLOBAL_LOAD_DWORD\) has still to write it/;
      const hover = await hoverText(after, lineOf(after, 'S_WAITCNT'), 'S_WAITCNT');
      assert.match(hover.replaceAll(/\\(.)/g, '$1').replaceAll('&nbsp;', ' '), why);
      await run('amdgpu-mir.explainPass', ...at(document, 'si-insert-waitcnts'));
      const report = await until('the report', () =>
        vscode.workspace.textDocuments.find((d) => d.uri.path.endsWith('explained.mir-report')),
      );
      assert.match(report.getText(), why);
    });

    it('a no-op says which hazard it is for', async () => {
      const document = await shown('gfx900', 'post-RA-hazard-rec', [
        '$sgpr4 = V_READFIRSTLANE_B32 $vgpr1, implicit $exec',
        '$sgpr6 = V_READLANE_B32 $vgpr3, $sgpr4',
        'S_ENDPGM 0',
      ]);
      await run('amdgpu-mir.showAfterPass', ...at(document, 'post-RA-hazard-rec'));
      const after = await afterSide(/^f: post-RA-hazard-rec/);
      const hover = await hoverText(after, lineOf(after, 'S_NOP 3'), 'S_NOP');
      assert.match(
        hover.replaceAll(/\\(.)/g, '$1').replaceAll('&nbsp;', ' '),
        /the lane is chosen by an SGPR that the VALU wrote/,
      );
    });

    it('goes from pass to pass, over those that change nothing', async () => {
      const document = await shown('gfx900', 'postrapseudos,si-mode-register,si-insert-waitcnts', [
        LOAD,
        '$vgpr3 = COPY $vgpr2',
        'S_ENDPGM 0',
      ]);
      await run('amdgpu-mir.showAfterPass', ...at(document, 'postrapseudos'));
      const first = await afterSide(/^f: postrapseudos, 1 of 3/);
      assert.match(first.getText(), /V_MOV_B32_e32 \$vgpr2/);
      const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', first.uri, 10);
      assert.ok(lenses.some((lens) => lens.command?.title === 'next: si-insert-waitcnts'));
      await run('amdgpu-mir.nextPass');
      assert.match((await afterSide(/^f: si-insert-waitcnts, 3 of 3/)).getText(), /S_WAITCNT/);
      await run('amdgpu-mir.previousPass');
      await afterSide(/^f: postrapseudos, 1 of 3/);
    });
  });

  describe('schedule', () => {
    const SCHEME = 'amdgpu-mir-view';
    let tile: vscode.TextDocument;
    let source: string;

    before(async () => {
      tile = await open('gemm_tile.mir');
      source = tile.getText();
    });
    afterEach(() => run('workbench.action.closeAllEditors'));

    /** Does what a click on the lens does. */
    async function choose(title: string): Promise<void> {
      const chosen = await until(`lens ${title}`, async () => {
        const found = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', tile.uri, 100);
        return found.find((l) => l.command?.title === title)?.command;
      });
      await run(chosen.command, ...(chosen.arguments ?? []));
    }

    async function scheduledText(): Promise<string> {
      const position = { line: lineOf(tile, 'bb.1.loop'), character: 0 };
      const params = { textDocument: { uri: tile.uri.toString() }, position };
      const found = await api.client.sendRequest<{ text: string | null }>('amdgpuMir/scheduledText', params);
      assert.ok(found.text, 'gemm_tile has a schedule');
      assert.notEqual(found.text, source);
      return found.text;
    }

    const comments = (text: string): [number, string][] =>
      text.split('\n').flatMap((line, i): [number, string][] => (/^ *[;#]/.test(line) ? [[i, line]] : []));

    it('compares source and schedule, and follows edits', async () => {
      await choose('schedule...');
      const { input } = await until('diff', () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        return tab?.input instanceof vscode.TabInputTextDiff ? (tab as { input: vscode.TabInputTextDiff }) : undefined;
      });
      assert.equal(input.original.toString(), tile.uri.toString());
      assert.equal(input.modified.scheme, SCHEME);
      const right = await vscode.workspace.openTextDocument(input.modified);
      assert.equal(right.getText(), await scheduledText());
      assert.equal(right.languageId, 'mir');

      const edit = new vscode.WorkspaceEdit();
      const line = lineOf(tile, 'Two steps of K');
      edit.insert(tile.uri, tile.lineAt(line).range.end, ' Seen.');
      assert.ok(await vscode.workspace.applyEdit(edit));
      await until('the edit on the right side', () => (right.getText().includes(' Seen.') ? true : undefined));
      assert.equal(right.getText(), await scheduledText());
      const back = new vscode.WorkspaceEdit();
      back.replace(tile.uri, new vscode.Range(0, 0, tile.lineCount, 0), source);
      assert.ok(await vscode.workspace.applyEdit(back));
      await tile.save();
    });

    it('applies the schedule: comments stay, the order is that of llc, one undo takes it back', async () => {
      const editor = await vscode.window.showTextDocument(tile);
      const line = lineOf(tile, 'bb.1.loop');
      editor.selection = new vscode.Selection(line, 0, line, 0);
      const wanted = await scheduledText();
      await run('amdgpu-mir.applySchedule');
      await until('the scheduled text', () => (tile.getText() !== source ? true : undefined));
      assert.equal(tile.getText(), wanted);
      // The header's new occupancy is a line more; from there on each comment has its place.
      const body = (text: string): string => text.slice(text.indexOf('\nbody:'));
      assert.deepEqual(comments(body(tile.getText())), comments(body(source)));

      const llc = (pass: string, input: string): string | null => {
        const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', `-run-pass=${pass}`, '-x=mir', '-o', '-', '-'];
        const done = spawnSync('llc-22', args, { input, encoding: 'utf8' });
        return done.error ? null : done.stdout;
      };
      const ofLlc = llc('machine-scheduler', source);
      // A browser starts no programs: the other host has compared.
      if (ofLlc === null) {
        if (!isBrowser) console.log('[test]', '  skipped: the comparison with llc-22, which is not installed');
      } else {
        assert.match(ofLlc, /occupancy: +5[^]*V_MFMA/);
        assert.equal(llc('none', tile.getText()), ofLlc);
      }

      await run('undo');
      await until('the source again', () => (tile.getText() === source ? true : undefined));
    });

    it('applies the schedule of the region at the cursor only', async () => {
      const editor = await vscode.window.showTextDocument(tile);
      const line = lineOf(tile, 'bb.1.loop') + 4;
      editor.selection = new vscode.Selection(line, 0, line, 0);
      const params = { textDocument: { uri: tile.uri.toString() }, position: { line, character: 0 }, scope: 'region' };
      const wanted = await api.client.sendRequest<{ text: string | null }>('amdgpuMir/scheduledText', params);
      await run('amdgpu-mir.applyRegionSchedule');
      await until('the scheduled region', () => (tile.getText() !== source ? true : undefined));
      assert.equal(tile.getText(), wanted.text);
      const head = (text: string): string => text.slice(0, text.indexOf('bb.1.loop'));
      assert.equal(head(tile.getText()), head(source));
      await run('undo');
      await until('the source again', () => (tile.getText() === source ? true : undefined));
    });

    it('offers the schedule of the region in the light bulb', async () => {
      // A document that no editor shows is gone sooner or later.
      await vscode.window.showTextDocument(tile);
      const line = lineOf(tile, '%b13:vreg_128_align2');
      const at = new vscode.Range(line, 8, line, 8);
      const actions = await run<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        tile.uri,
        at,
        'refactor.rewrite',
      );
      // llc-22 brings the loop from 3 to 5 waves.
      assert.match(
        actions[0]?.title ?? '',
        /^Apply schedule of region 1: max pressure VGPR 67 -> 19, .*occupancy 3 -> 5/,
      );
    });

    it('highlights what the instruction at the cursor waits for, and what waits for it', async () => {
      const editor = await vscode.window.showTextDocument(tile);
      const at = (text: string): number => {
        const line = lineOf(tile, text);
        editor.selection = new vscode.Selection(line, 4, line, 4);
        return line;
      };
      at('%acc00:areg_512_align2 = V_MFMA');
      await run('amdgpu-mir.toggleDependences');
      const of = (text: string): number => lineOf(tile, text);
      await until('the loads of its operands', () =>
        api.dependences.shown.predecessors.includes(of('%a00:vreg_128_align2 = GLOBAL_LOAD')) ? true : undefined,
      );
      at('%a00:vreg_128_align2 = GLOBAL_LOAD');
      await until('the products of a load', () =>
        api.dependences.shown.successors.includes(of('%acc00:areg_512_align2 = V_MFMA')) ? true : undefined,
      );
      await run('amdgpu-mir.toggleDependences');
      assert.deepEqual(api.dependences.shown, { predecessors: [], successors: [] });
    });

    it('explains the schedule beside the source', async () => {
      await vscode.window.showTextDocument(tile);
      await choose('explain...');
      const beside = await until('explanation', () =>
        vscode.window.visibleTextEditors.find((e) => e.document.uri.scheme === SCHEME),
      );
      assert.equal(beside.viewColumn, vscode.ViewColumn.Two);
      const text = beside.document.getText();
      assert.match(text, /^@gemm_tile {2}gfx90a wave64, LLVM 24\.0\.0git\n/);
      // llc-22 writes `occupancy: 5` into the header.
      assert.match(text, /^occupancy 8 -> 5 after scheduling; 3 regions/m);
      assert.match(text, /^stage OccInitialSchedule/m);
      const pick = /%a00:vreg_128_align2 = GLOBAL_LOAD_DWORDX4_SADDR .*\(line (\d+)\)$/m.exec(text);
      const line = lineOf(tile, '%a00:vreg_128_align2');
      assert.equal(Number(pick?.[1]), line + 1);

      // Lines wrap, and the lines of the source are links that move the cursor there.
      assert.equal(beside.document.languageId, 'amdgpu-mir-report');
      assert.equal(vscode.workspace.getConfiguration('editor', beside.document).get('wordWrap'), 'on');
      const links = await run<vscode.DocumentLink[]>('vscode.executeLinkProvider', beside.document.uri);
      const start = pick!.index + pick![0].lastIndexOf('line');
      const link = links.find((l) => beside.document.offsetAt(l.range.start) === start);
      assert.ok(link?.target, 'a link on the line of the pick');
      const [command, query] = [link.target.path, link.target.query];
      await run(command, ...(JSON.parse(query) as unknown[]));
      const source = vscode.window.activeTextEditor;
      assert.equal(source?.document.uri.toString(), tile.uri.toString());
      assert.equal(source.viewColumn, vscode.ViewColumn.One);
      assert.equal(source.selection.active.line, line);
    });
  });

  it('runs commands of links on documents of the workspace only', async () => {
    await open('saxpy.mir');
    const shown = (): string => vscode.window.activeTextEditor!.document.uri.toString();
    const before = shown();
    for (const args of [
      ['file:///etc/passwd', 0, 0],
      [before, '0', 0],
      [before, -1, 0],
      [before, 0.5, 0],
      ['command:workbench.action.quit', 0, 0],
      [{}, 0, 0],
      [],
    ])
      for (const command of ['amdgpu-mir.goTo', 'amdgpu-mir.useTarget']) await run(command, ...args);
    await run('amdgpu-mir.whyPressure', 'file:///etc/passwd', 0, 0);
    await run('amdgpu-mir.rematReport', 'file:///etc/passwd', 0);
    assert.equal(shown(), before);
    await run('amdgpu-mir.goTo', before, 3, 1);
    assert.equal(vscode.window.activeTextEditor!.selection.active.line, 3);
  });

  it('copies the pressure report of the function at the cursor', async () => {
    const editor = await vscode.window.showTextDocument(saxpy);
    editor.selection = new vscode.Selection(30, 0, 30, 0);
    await run('amdgpu-mir.copyPressureReport');
    assert.match(await vscode.env.clipboard.readText(), /^---\nname: saxpy\n[^]*Live-out:/);
  });

  // In a browser the server is a worker of the extension host, and ends with it.
  if (!isBrowser)
    it('starts a server again that is killed, with what is in the editor', async () => {
      const { _serverProcess } = api.client as unknown as { _serverProcess: { pid: number } };
      await withEdit(saxpy, 'V_OR_B32_e32', 'V_OR_B32_e33', async () => {
        process.kill(_serverProcess.pid, 'SIGKILL');
        await until('another server', async () => {
          const { pid } = (api.client as unknown as { _serverProcess?: { pid: number } })._serverProcess ?? {};
          return pid !== undefined && pid !== _serverProcess.pid && (await lenses(saxpy)).length > 0 ? true : undefined;
        });
        const [found] = await until('diagnostic', () => (errors(saxpy).length > 0 ? errors(saxpy) : undefined));
        assert.equal(saxpy.getText(found!.range), 'V_OR_B32_e33');
      });
      await until('no diagnostic', () => (errors(saxpy).length === 0 ? true : undefined));
    });

  it('runs the RUN lines of a test, and shows the CHECK line that fails until the text changes', async () => {
    const content = [
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s',
      '---',
      'name:            f',
      'body:             |',
      '  bb.0:',
      '    ; CHECK: S_NOP 1',
      '    S_NOP 0',
      '    S_ENDPGM 0',
      '...',
      '',
    ].join('\n');
    const document = await vscode.workspace.openTextDocument({ language: 'mir', content });
    const editor = await vscode.window.showTextDocument(document);
    await until('lens', async () => ((await lenses(document)).length > 0 ? true : undefined));
    void run('amdgpu-mir.checkRunLines');
    const ofFileCheck = (): vscode.Diagnostic[] => errors(document).filter((d) => d.source === 'FileCheck');
    const [found] = await until('the verdict', () => (ofFileCheck().length > 0 ? ofFileCheck() : undefined));
    assert.equal(document.getText(found!.range), '; CHECK: S_NOP 1');
    assert.match(found!.message, /^CHECK: expected string not found in input\n/);
    const { verdicts } = api;
    const line = found!.range.start.line;
    await until('a mark', () => (verdicts.shown.failed?.includes(line) ? true : undefined));
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '# not mended\n')));
    await until('the mark on its way', () => (verdicts.shown.failed?.includes(line + 1) ? true : undefined));
    assert.ok((await lenses(document)).some((l) => l.startsWith('✗ 1 of ')));
    await run('amdgpu-mir.showRunOutput', document.uri.toString(), 0);
    const shown = await until('the output', () =>
      vscode.workspace.textDocuments.find((d) => d.fileName.includes('output of line 1')),
    );
    assert.match(shown.getText(), /S_NOP 0/);
    assert.equal(shown.languageId, 'mir');
    await run('workbench.action.closeActiveEditor');
    const again = await vscode.window.showTextDocument(document);
    assert.ok(
      await again.edit((edit) => edit.replace(new vscode.Range(line + 1, 0, line + 1, 100), '    ; CHECK: S_NOP 0')),
    );
    await until('no verdict', () => (ofFileCheck().length === 0 ? true : undefined));
    await run('workbench.action.revertAndCloseActiveEditor');
    await open('saxpy.mir');
  });

  it('runs RUN lines in the test explorer, what is not saved, too', async () => {
    await api.tests.runAll();
    const resultOf = (name: string): string[] =>
      [...api.tests.results].filter(([id]) => id.includes(`/${name}#`)).map(([, result]) => result);
    assert.deepEqual(resultOf('saxpy.mir'), ['passed']);
    assert.equal(resultOf('targets.mir').length, 5);
    const saxpy = await open('saxpy.mir');
    const at = saxpy.getText().indexOf('V_');
    const edit = new vscode.WorkspaceEdit();
    // No name that another LLVM may know: that would be unsupported.
    edit.insert(saxpy.uri, saxpy.positionAt(at), '= ');
    await vscode.workspace.applyEdit(edit);
    await api.tests.runAll();
    assert.deepEqual(resultOf('saxpy.mir'), ['failed']);
    await run('undo');
  });

  it('survives a restart of the server, with the target that was chosen', async () => {
    const targets = await open('targets.mir');
    const uri = targets.uri.toString();
    const has = (target: string): Promise<unknown> =>
      until(target, () => (api.status.text.includes(target) ? true : undefined));
    await has('gfx900 wave64');
    await run('amdgpu-mir.useTarget', uri, 2);
    await has('gfx1030 wave32');
    await run('amdgpu-mir.restartServer');
    await until('code lens after the restart', async () => ((await lenses(targets)).length > 0 ? true : undefined));
    await has('gfx1030 wave32');
    assert.match((await lenses(targets)).join(' | '), /16 of 16|gfx1030/);
    await run('amdgpu-mir.useTarget', uri, 0);
    await has('gfx900 wave64');
    await vscode.window.showTextDocument(saxpy);
  });

  describe('editing', () => {
    const untitled = async (content: string): Promise<vscode.TextDocument> => {
      const document = await vscode.workspace.openTextDocument({ language: 'mir', content });
      await vscode.window.showTextDocument(document);
      return document;
    };
    const close = (): Thenable<unknown> => run('workbench.action.revertAndCloseActiveEditor');
    const at = (document: vscode.TextDocument, text: string, behind = false): vscode.Position => {
      const line = lineOf(document, text);
      return new vscode.Position(line, document.lineAt(line).text.indexOf(text) + (behind ? text.length : 1));
    };
    const HEAD = 'tracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0, $sgpr0, $sgpr1\n';
    const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -run-pass=none -o - %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none -o - %s
---
name: f
alignment: 1
${HEAD}    %0:vgpr_32 = COPY $vgpr0
    %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec

  bb.1:
    S_ENDPGM 0, implicit %3
...
`;

    it('completes an opcode with its operands as stops', async () => {
      const document = await untitled(TEST.replace('V_ADD_U32_e32 %0, %0, implicit $exec', 'V_MUL_F32'));
      const list = await until('completion', async () => {
        const found = await run<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          document.uri,
          at(document, 'V_MUL_F32', true),
        );
        return found.items.some((i) => labelOf(i) === 'V_MUL_F32_e32') ? found : undefined;
      });
      const item = list.items.find((i) => labelOf(i) === 'V_MUL_F32_e32')!;
      assert.match((item.insertText as vscode.SnippetString).value, /^V_MUL_F32_e32 \$\{1:src0\}, \$\{2:src1\}/);
      const help = await run<vscode.SignatureHelp>(
        'vscode.executeSignatureHelpProvider',
        saxpy.uri,
        new vscode.Position(
          lineOf(saxpy, 'V_OR_B32_e32'),
          saxpy.lineAt(lineOf(saxpy, 'V_OR_B32_e32')).text.indexOf(','),
        ),
      );
      assert.match(help.signatures[0]!.label, /V_OR_B32_e32/);
      await close();
    });

    it('says nothing of placeholders until their line is left', async () => {
      const document = await untitled(TEST.replace('V_ADD_U32_e32 %0, %0, implicit $exec', 'V_MUL_F32'));
      const word = await until('the misspelt word', () => errors(document).at(0));
      const list = await run<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at(document, 'V_MUL_F32', true),
      );
      const item = list.items.find((i) => labelOf(i) === 'V_MUL_F32_e32')!;
      const editor = await vscode.window.showTextDocument(document);
      assert.ok(await editor.insertSnippet(item.insertText as vscode.SnippetString, word.range));
      assert.equal(item.command?.command, 'amdgpu-mir.fillOperands');
      await run(item.command.command, ...(item.command.arguments ?? []));
      assert.equal(document.getText(editor.selection), 'src0');
      await until('the word to be forgotten', () => (errors(document).length === 0 ? true : undefined));
      // Longer than diagnostics take.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.deepEqual(errors(document), []);
      await run('cursorMove', { to: 'down' });
      const found = await until('the finding', () => errors(document).at(0));
      assert.equal(document.getText(found.range), 'src0');
      await close();
    });

    it('reports what is wrong on one target only, and which', async () => {
      const line = '    %3:vgpr_32 = V_ADD_F32_e64 0, $sgpr0, 0, $sgpr1, 0, 0, implicit $mode, implicit $exec';
      const document = await untitled(TEST.replace(/ {4}%3.*/, () => line));
      const found = await until('a finding', () => errors(document).at(0));
      assert.match(found.message, /^only on gfx906: VOP\* instruction violates constant bus restriction/);
      await close();
    });

    it('formats, renames and has a hierarchy of blocks', async () => {
      const document = await untitled(TEST.replace('    %3:', '  %3:'));
      const edits = await until('formatting', async () => {
        const found = await run<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', document.uri, {
          tabSize: 2,
          insertSpaces: true,
        });
        return found?.length > 0 ? found : undefined;
      });
      assert.ok(edits.some((e) => e.range.start.line === lineOf(document, '%3:')));
      const renamed = await run<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        document.uri,
        at(document, '%3:'),
        'sum',
      );
      assert.equal(renamed.get(document.uri).length, 2);
      const [block] = await run<vscode.TypeHierarchyItem[]>(
        'vscode.prepareTypeHierarchy',
        document.uri,
        at(document, 'bb.1:'),
      );
      assert.equal(block?.name, 'bb.1');
      const before = await run<vscode.TypeHierarchyItem[]>('vscode.provideSupertypes', block);
      assert.deepEqual(
        before.map((b) => b.name),
        ['bb.0'],
      );
      await close();
    });

    it('simplifies a test by one command', async () => {
      const document = await untitled(TEST);
      await until('no finding', () => (errors(document).length === 0 ? true : undefined));
      await run('amdgpu-mir.simplify');
      await until('the default key is gone', () => (document.getText().includes('alignment') ? undefined : true));
      assert.ok(document.getText().includes('V_ADD_U32_e32'));
      await close();
    });

    /** A test with something to rename and to repair in each part. */
    const PARTS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -run-pass=none -o - %s | FileCheck --check-prefix=GCN %s
--- |
  define void @f(ptr addrspace(1) %p) {
    ret void
  }
...
---
# GCN-LABEL: name: f
# GCN: [[SUM:%[0-9]+]]:vgpr_32 = V_ADD_U32_e64
# GCN: implicit [[SUM]]
name:            f
tracksRegLiveness: true
stack:
  - { id: 0, size: 4, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.3
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %5:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 %stack.0, implicit $exec
    S_BRANCH %bb.3

  bb.3:
    GLOBAL_STORE_DWORD undef %8:vreg_64, %5, 0, 0, implicit $exec :: (store (s32) into %ir.p, addrspace 1)
    S_ENDPGM 0, implicit %5, implicit %7
...
`;
    type Changes = readonly (readonly [from: string, to: string])[];
    const changed = (text: string, changes: Changes): string =>
      changes.reduce((result, [from, to]) => {
        assert.ok(result.includes(from), `no ${from}`);
        return result.replaceAll(from, () => to);
      }, text);
    const write = async (document: vscode.TextDocument, text: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
      assert.equal(document.getText(), text);
    };

    it('renames what is no register at all its places', async () => {
      const document = await untitled(PARTS);
      const renames: readonly (readonly [word: string, name: string, changes: Changes])[] = [
        [
          'name:            f',
          'total',
          [
            ['@f(', '@total('],
            ['name: f', 'name: total'],
            ['name:            f', 'name:            total'],
          ],
        ],
        ['  bb.3', '1', [['bb.3', 'bb.1']]],
        [
          '%stack.0',
          '4',
          [
            ['%stack.0', '%stack.4'],
            ['id: 0', 'id: 4'],
          ],
        ],
        [
          '%ir.p',
          'out',
          [
            ['%p)', '%out)'],
            ['%ir.p', '%ir.out'],
          ],
        ],
        ['[[SUM', 'ADDED', [['[[SUM', '[[ADDED']]],
        ['# GCN', 'ALL', [['GCN', 'ALL']]],
      ];
      for (const [word, name, changes] of renames) {
        await write(document, PARTS);
        const place = at(document, word, true).translate(0, -1);
        const edit = await run<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', document.uri, place, name);
        await vscode.workspace.applyEdit(edit);
        assert.equal(document.getText(), changed(PARTS, changes), word);
      }
      await close();
    });

    it('applies the rewrites and fills of the light bulb', async () => {
      const document = await untitled(PARTS);
      const rows: readonly (readonly [word: string, title: string, before: Changes, after: Changes])[] = [
        [
          '%5',
          'Renumber registers',
          [],
          [
            ['%5', '%1'],
            ['%7', '%2'],
            ['%8', '%3'],
          ],
        ],
        ['  bb.3', 'Renumber blocks', [], [['bb.3', 'bb.1']]],
        ['%5', 'Name %5 %add', [], [['%5', '%add']]],
        ['%5', 'Use V_ADD_U32_e32: 4 bytes instead of 8', [], [['V_ADD_U32_e64 %0, %0, 0,', 'V_ADD_U32_e32 %0, %0,']]],
        [
          '  bb.0:',
          'Add $vgpr0 to the live-ins of bb.0',
          [['    liveins: $vgpr0\n', '']],
          [['    successors: %bb.3\n', '    successors: %bb.3\n    liveins: $vgpr0\n']],
        ],
        [
          '  bb.0:',
          'Write the successors of bb.0: %bb.3',
          [['    successors: %bb.3\n', '']],
          [['    liveins: $vgpr0\n', '    successors: %bb.3\n    liveins: $vgpr0\n']],
        ],
        [
          'name:            f',
          'Add tracksRegLiveness: true',
          [['tracksRegLiveness: true\n', '']],
          [['name:            f\n', 'name:            f\ntracksRegLiveness: true\n']],
        ],
        [
          '%7',
          'Add %7 to registers: as vgpr_32',
          [
            ['stack:', 'registers:\n  - { id: 0, class: vgpr_32 }\nstack:'],
            ['%7:vgpr_32', '%7'],
          ],
          [['vgpr_32 }\n', 'vgpr_32 }\n  - { id: 7, class: vgpr_32 }\n']],
        ],
      ];
      for (const [word, title, before, after] of rows) {
        const text = changed(PARTS, before);
        await write(document, text);
        const place = at(document, word, true);
        const action = await until(title, async () => {
          const found = await run<vscode.CodeAction[]>(
            'vscode.executeCodeActionProvider',
            document.uri,
            new vscode.Range(place, place),
          );
          return found.find((a) => a.title === title);
        });
        await vscode.workspace.applyEdit(action.edit!);
        assert.equal(document.getText(), changed(text, after), title);
      }
      await write(document, PARTS);
      const name = at(document, 'name:            f', true);
      const actions = await run<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(name, name),
      );
      await vscode.workspace.applyEdit(actions.find((a) => a.title === 'Duplicate function as f_2')!.edit!);
      for (const line of ['define void @f_2(ptr addrspace(1) %p) {', '# GCN-LABEL: name: f_2', 'name:            f_2'])
        assert.ok(document.getText().includes(`${line}\n`), line);
      await close();
    });

    it('completes RUN and CHECK lines, the header and the IR', async () => {
      const document = await untitled(PARTS);
      for (const [from, to, typed, wanted] of [
        ['-mcpu=gfx906', '-mcpu=gfx90', 'gfx90', 'gfx90a'],
        ['# GCN: implicit', '# GCN-', '# GCN-', 'GCN-NEXT:'],
        ['tracksRegLiveness: true', 'tracks', 'tracks', 'tracksRegLiveness'],
        ['    ret void', '    %x = lo', '%x = lo', 'load'],
      ] as const) {
        await write(document, changed(PARTS, [[from, to]]));
        const place = at(document, typed, true);
        const { items } = await run<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, place);
        assert.ok(
          items.some((i) => labelOf(i).startsWith(wanted)),
          `${typed}: ${items.map(labelOf).join(', ')}`,
        );
      }
      await close();
    });

    it('links a RUN line to the parts of its file', async () => {
      const document = await untitled(
        `# RUN: split-file %s %t\n# RUN: llc -mtriple=amdgcn %t/a.mir -o -\n#--- a.mir\n${PARTS.slice(PARTS.indexOf('---'))}`,
      );
      const [link] = await until('a link', async () => {
        const found = await run<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
        return found.length > 0 ? found : undefined;
      });
      assert.equal(document.getText(link!.range), '%t/a.mir');
      assert.equal(link!.target!.fragment, 'L3');
      await close();
    });

    it('shows the control flow of the function under the cursor', async () => {
      const sum = await open('block_sum.mir');
      const shown = new Promise<{ function: string; blocks: { name: string }[] }>((resolve) => {
        const listener = api.flow.onDidShow((flow) => {
          listener.dispose();
          resolve(flow);
        });
      });
      await run('amdgpu-mir.showControlFlow');
      const flow = await shown;
      assert.equal(flow.blocks[0]!.name, 'bb.0.entry');
      assert.ok(sum.getText().includes(`name:            ${flow.function}`) || sum.getText().includes(flow.function));
      await run('workbench.action.closeEditorsInOtherGroups');
    });

    it('tells the pick of an instruction', async () => {
      const document = await open('gemm_tile.mir');
      const editor = await vscode.window.showTextDocument(document);
      const place = at(document, 'V_MFMA');
      editor.selection = new vscode.Selection(place, place);
      await run('amdgpu-mir.explainPick');
      const report = await until('the pick', () =>
        vscode.workspace.textDocuments.find(
          (d) => /^\/pick.*mir-report$/.test(d.uri.path) && d.getText().includes('region '),
        ),
      );
      assert.match(report.getText(), /place \d+ of \d+/);
      await close();
    });

    it('reads a log of machine dumps: outline, a dump as MIR, what a pass changed', async () => {
      const dump = (pass: string, first: number): string =>
        `# *** IR Dump After A Pass (${pass}) ***:\n# Machine code for function f: NoPHIs, TracksLiveness\n\nbb.0:\n  %1:vgpr_32 = V_MOV_B32_e32 ${first}, implicit $exec\n  S_NOP 0, implicit %1:vgpr_32\n  S_ENDPGM 0\n\n# End machine code for function f.\n\n`;
      const content = `${dump('machine-scheduler', 1)}${dump('si-wqm', 1)}${dump('greedy', 2)}`;
      const opened = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
      await vscode.window.showTextDocument(opened);
      const log = await until('the language', () =>
        vscode.workspace.textDocuments.find(
          (d) => d.uri.toString() === opened.uri.toString() && d.languageId === 'amdgpu-mir-log',
        ),
      );
      const [top] = await until('an outline', async () => {
        const found = await run<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', log.uri);
        return found !== undefined && found.length > 0 ? found : undefined;
      });
      assert.deepEqual(
        top!.children.map(({ name, detail }) => `${name}: ${detail.includes('unchanged')}`),
        ['after machine-scheduler: false', 'after si-wqm: true', 'after greedy: false'],
      );
      await run('amdgpu-mir.openDumpAsMir', log.uri.toString(), top!.children[2]!.range.start.line);
      const mir = await until('the MIR', () =>
        vscode.workspace.textDocuments.find((d) => d.languageId === 'mir' && d.getText().includes('(greedy)')),
      );
      assert.match(mir.getText(), /V_MOV_B32_e32 2/);
      await run('amdgpu-mir.compareDump', log.uri.toString(), top!.children[2]!.range.start.line);
      await until('both sides', () =>
        vscode.workspace.textDocuments.some(
          (d) => d.uri.path === '/f after si-wqm.mir' && d.getText().includes('V_MOV_B32_e32 1'),
        )
          ? true
          : undefined,
      );
      await run('workbench.action.closeAllEditors');
    });
  });
});

const labelOf = ({ label }: vscode.CompletionItem): string => (typeof label === 'string' ? label : label.label);

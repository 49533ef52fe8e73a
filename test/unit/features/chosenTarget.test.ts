/** A target that somebody chose goes before RUN lines and attributes of functions, on every surface, which says what the file names. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import type { CheckFile } from '../../../server/src/cli/checkTypes.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideTargetComparison } from '../../../server/src/features/pressure/compareTargets.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';

const URI = 'file:///chosen.mir';
const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s\n';
const BODY = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1, implicit %0
...
`;
/** `attributes` of the only function. */
const withIR = (attributes: string): string =>
  `--- |\n  target triple = "amdgcn-amd-amdhsa"\n  define amdgpu_kernel void @f() #0 { ret void }\n  attributes #0 = { ${attributes} }\n...\n${BODY}`;
const NAMED = withIR('"target-cpu"="gfx942" "target-features"="+wavefrontsize64,+gfx9-insts" nounwind');
const PLAIN = withIR('nounwind');

const CPUS = ['gfx600', 'gfx803', 'gfx900', 'gfx90a', 'gfx942', 'gfx950', 'gfx1030', 'gfx1100', 'gfx1200', 'gfx1250'];

describe('a target that was chosen', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-chosen-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (text: string): string => {
    const path = join(folder, 'f.mir');
    writeFileSync(path, text);
    return path;
  };
  async function check(text: string, ...args: string[]): Promise<string> {
    const io = new BufferedIO();
    await runCheck(['--color=never', ...args, file(text)], io);
    return io.out();
  }
  async function functionOf(text: string, ...args: string[]): Promise<CheckFile['functions'][number]> {
    const { files } = JSON.parse(await check(text, '--json', ...args)) as { files: CheckFile[] };
    return files[0]!.functions[0]!;
  }

  it('has in check the numbers of a file that names nothing else', async () => {
    for (const cpu of CPUS) {
      const own = await functionOf(PLAIN, `--mcpu=${cpu}`);
      assert.equal(own.cpu, cpu);
      assert.equal(own.fileSays, null);
      for (const [text, named] of [
        [NAMED, 'gfx942'],
        [RUN + PLAIN, 'gfx90a'],
        [RUN + NAMED, 'gfx942'],
      ] as const)
        // prettier-ignore
        for (const option of [`--mcpu=${cpu}`, `--target=${cpu}`]) {
          const { line: _, pressure, fileSays, ...chosen } = await functionOf(text, option);
          const { line: __, pressure: ownPressure, fileSays: ___, ...rest } = own;
          assert.deepEqual(chosen, rest, option);
          assert.equal(pressure?.occupancy, ownPressure?.occupancy);
          assert.equal(pressure?.vgprLimit, ownPressure?.vgprLimit);
          assert.equal(fileSays, cpu === named ? null : `file says ${named}`, option);
        }
    }
  });

  it('is said beside what the file names', async () => {
    assert.match(await check(NAMED, '--mcpu=gfx1100'), /^ {2}f {2}gfx1100 wave32 \(file says gfx942\) {3}as written/m);
    assert.match(await check(NAMED, '--target=gfx1100,gfx90a'), /^ {2}f \(file says gfx942\)\n/m);
    assert.doesNotMatch(await check(NAMED), /file says/);
    const io = new BufferedIO();
    assert.equal(runExplain(['-mcpu=gfx1100', file(NAMED)], io), 0);
    assert.match(io.out(), /^@f {2}gfx1100 wave32 \(file says gfx942\), LLVM/);
  });

  it('keeps what the file says as long as only features are added', async () => {
    const { cpu, fileSays } = await functionOf(RUN + PLAIN, '--mattr=+xnack');
    assert.deepEqual([cpu, fileSays], ['gfx90a', null]);
    const io = new BufferedIO();
    await runCheck(['--json', '--mattr=+xnack', file(RUN + PLAIN)], io);
    assert.match(io.out(), /"features": "\+xnack"/);
  });

  it('is there once beside RUN lines that name it, too', async () => {
    const text = await check(RUN + PLAIN, '--all-targets', '--target=gfx90a,gfx1100');
    assert.equal(text.match(/gfx90a wave64/g)?.length, 1);
  });

  describe('in the editor', () => {
    const hostOf = (text: string): AnalysisHost => {
      const host = new AnalysisHost(false, Infinity);
      host.open(URI, 1, text);
      return host;
    };
    const chosen = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx1100', features: '' };

    it('by Select Target', () => {
      for (const [text, named] of [
        [NAMED, 'gfx942'],
        [RUN + PLAIN, 'gfx90a'],
        [RUN + NAMED, 'gfx942'],
      ] as const) {
        // prettier-ignore
        const host = hostOf(text);
        const before = documentStatus(host.snapshot(URI)!);
        assert.equal(before.fileSays, '');
        host.selectTarget(URI, chosen);
        const snapshot = host.snapshot(URI)!;
        assert.equal(snapshot.functions[0]!.fn!.subtarget.cpu, 'gfx1100');
        const { target, origin, fileSays } = documentStatus(snapshot);
        assert.deepEqual([target, origin, fileSays], ['gfx1100 wave32', 'override', `file says ${named}`]);
        const titles = provideCodeLenses(snapshot, null, NEVER_CANCELLED).map((l) => l.command?.title);
        assert.ok(titles.includes(`for gfx1100 wave32, file says ${named}`), titles.join('; '));
        const position = snapshot.text.positionAt(text.indexOf('V_ADD_U32'));
        const hover = JSON.stringify(provideHover(snapshot, { position }));
        assert.match(hover, /gfx1100/);
        host.selectTarget(URI, null);
        assert.deepEqual(documentStatus(host.snapshot(URI)!), before);
      }
    });

    it('by Compare Targets', () => {
      const snapshot = hostOf(NAMED).snapshot(URI)!;
      const targets = CPUS.map((cpu) => ({ cpu }));
      const { functions, text } = provideTargetComparison(snapshot, { targets }, NEVER_CANCELLED);
      const [f] = functions;
      for (const cpu of CPUS) {
        const rows = f!.rows.filter((r) => r.label === cpu);
        assert.ok(rows.length > 0 && rows.every((r) => r.target.startsWith(`${cpu} wave`)), cpu);
      }
      assert.equal(f!.fileSays, 'file says gfx942');
      assert.match(text, /^f \(file says gfx942\)\n/);
    });

    it('by the setting that goes before RUN lines', () => {
      const host = hostOf(NAMED);
      host.configure({ ...DEFAULT_SETTINGS, target: chosen });
      assert.equal(
        host.snapshot(URI)!.functions[0]!.fn!.subtarget.cpu,
        'gfx942',
        'else it is for files that say nothing',
      );
      host.configure({ ...DEFAULT_SETTINGS, target: chosen, targetOverridesRunLines: true });
      assert.equal(host.snapshot(URI)!.functions[0]!.fn!.subtarget.cpu, 'gfx1100');
    });
  });
});

/** Invariants of the target tables, lookups by text, and what is special about AMDGPU. */
import assert from 'node:assert/strict';
import { McFlag, RegKind, LLVM22 } from '../../../server/src/target/index.js';
import { isDS, isFLAT, isMAI, isMFMA, isMUBUF, isSALU, isSMRD, isVALU } from '../../../server/src/target/opcodes.js';

const t = LLVM22.tables;
const reg = (name: string): number => {
  const r = t.regByName(name);
  assert.ok(r > 0, name);
  return r;
};
const rc = (name: string): number => {
  const c = t.regClassByName(name);
  assert.ok(c >= 0, name);
  return c;
};
const opc = (name: string): number => {
  const o = t.opcodeByName(name);
  assert.ok(o >= 0, name);
  return o;
};

describe('registers', () => {
  it('finds every register by its name and no other text', () => {
    for (let r = 1; r < t.nRegs; r++) {
      const name = t.regName(r);
      assert.equal(t.regByName(name), r, name);
      assert.equal(t.regByNameAt(`$${name}, `, 1, 1 + name.length), r, name);
      assert.equal(t.regByNameAt(`${name}x`, 0, name.length + 1), -1, `${name}x`);
    }
    for (const name of [
      '',
      'vgpr',
      'vgpr00',
      'vgpr1024',
      'sgpr1_sgpr2',
      'vgpr0_',
      'vgpr0_vgpr2',
      'VGPR0',
      'vgpr#',
      '#',
    ])
      assert.equal(t.regByName(name), -1, name);
    assert.equal(t.regByName('noreg'), 0);
    assert.equal(t.regByName('vgpr99999999999999999999'), -1);
  });

  it('gives the registers of a file one run of units, in their order', () => {
    for (const file of ['sgpr', 'vgpr', 'agpr']) {
      const units = Array.from(t.numberedRegs(file)).flatMap((r) =>
        Array.from(t.unitList.subarray(t.unitBegin[r], t.unitEnd[r])),
      );
      assert.ok(units.length >= 212, file);
      units.forEach((unit, k) => assert.equal(unit, units[0]! + k, file));
    }
  });

  it('spells registers as MIR, as the verifier and as the assembler', () => {
    const r = reg('sgpr4_sgpr5');
    assert.equal(t.regEnumName(r), 'SGPR4_SGPR5');
    assert.equal(t.regAsmName(r), 's[4:5]');
    assert.equal(t.regAsmName(reg('vgpr7_lo16')), 'v7.l');
    assert.equal(t.regAsmName(reg('exec')), 'exec');
    assert.equal(t.regAsmName(reg('agpr255')), 'a255');
  });

  it('knows sub- and super-registers of tuples, pairs and halves', () => {
    const tuple = reg('vgpr4_vgpr5_vgpr6_vgpr7');
    const idx = (name: string): number => t.subRegIndexByName(name);
    assert.equal(t.getSubReg(tuple, idx('sub1_sub2')), reg('vgpr5_vgpr6'));
    assert.equal(t.getSubReg(tuple, idx('sub3_hi16')), reg('vgpr7_hi16'));
    assert.equal(t.getSubReg(tuple, idx('sub4')), 0);
    assert.equal(t.getSubReg(reg('exec'), idx('sub1')), reg('exec_hi'));
    assert.equal(t.getSubRegIndex(reg('vcc'), reg('vcc_lo')), idx('sub0'));
    assert.equal(t.getSubRegIndex(tuple, reg('vgpr8')), 0);
    assert.deepEqual(
      t.superRegs(reg('vcc_lo_lo16')).map((r) => t.regName(r)),
      ['vcc_lo', 'vcc'],
    );
    assert.equal(t.getMatchingSuperReg(reg('sgpr6'), idx('sub2'), rc('sgpr_128')), reg('sgpr4_sgpr5_sgpr6_sgpr7'));
    assert.equal(t.getMatchingSuperReg(reg('sgpr6'), idx('sub1'), rc('sgpr_128')), 0);
  });

  it('says the same about sub-registers in all questions', () => {
    for (let r = 1; r < t.nRegs; r += 13) {
      const seen = new Set<number>();
      for (const sub of t.subRegs(r)) {
        const idx = t.getSubRegIndex(r, sub);
        assert.ok(idx > 0 && !seen.has(idx));
        seen.add(idx);
        assert.equal(t.getSubReg(r, idx), sub);
        assert.ok(t.isSubRegister(r, sub) && t.regsOverlap(r, sub));
      }
    }
  });

  it('tells overlap as the units do', () => {
    const units = (r: number): Set<number> => new Set(t.unitList.subarray(t.unitBegin[r]!, t.unitEnd[r]!));
    let state = 7;
    const random = (n: number): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % n;
    for (let i = 0; i < 4000; i++) {
      const a = 1 + random(t.nRegs - 1);
      const near = i % 2 === 0 ? t.superRegs(1 + random(t.nRegs - 1)) : [];
      const b = near.length > 0 ? near[random(near.length)]! : 1 + random(t.nRegs - 1);
      const ub = units(b);
      const overlap = a === b || [...units(a)].some((u) => ub.has(u));
      assert.equal(t.regsOverlap(a, b), overlap, `${t.regName(a)} ${t.regName(b)}`);
    }
  });

  it('has the lanes of a register in its units', () => {
    for (let r = 1; r < t.nRegs; r += 17) {
      for (const sub of t.subRegs(r)) {
        const idx = t.getSubRegIndex(r, sub);
        const subUnits = new Set(t.unitList.subarray(t.unitBegin[sub]!, t.unitEnd[sub]!));
        let lane = t.unitLaneBegin(r);
        for (let k = t.unitBegin[r]!; k < t.unitEnd[r]!; k++, lane++) {
          const within =
            ((t.unitLaneLo[lane]! & t.subRegLaneLo[idx]!) | (t.unitLaneHi[lane]! & t.subRegLaneHi[idx]!)) !== 0;
          assert.equal(within, subUnits.has(t.unitList[k]!), `${t.regName(r)}:${t.subRegIndexName(idx)}`);
        }
      }
    }
  });
});

describe('register classes', () => {
  it('finds classes by their MIR name', () => {
    for (let c = 0; c < t.nRegClasses; c++) assert.equal(t.regClassByName(t.regClassMirName(c)), c);
    assert.equal(t.regClassName(rc('vreg_64_align2')), 'VReg_64_Align2');
    assert.equal(t.regClassByName('VReg_64'), -1);
    assert.equal(t.regClassByNameAt('%0:vgpr_32 =', 3, 10), rc('vgpr_32'));
  });

  it('has members that the containment test knows', () => {
    for (let c = 0; c < t.nRegClasses; c += 7) {
      const members = new Set(t.classRegs(c));
      for (let r = 0; r < t.nRegs; r += 5) assert.equal(t.classContains(c, r), members.has(r));
    }
  });

  it('has sub-classes that are subsets, and their common sub-class', () => {
    for (let a = 0; a < t.nRegClasses; a += 11)
      for (let b = 0; b < t.nRegClasses; b += 5) {
        if (t.hasSubClassEq(a, b)) for (const r of t.classRegs(b)) assert.ok(t.classContains(a, r));
        const common = t.getCommonSubClass(a, b);
        if (common >= 0) assert.ok(t.hasSubClassEq(a, common) && t.hasSubClassEq(b, common));
      }
    assert.equal(t.getCommonSubClass(rc('av_32'), rc('vgpr_32')), rc('vgpr_32'));
    assert.equal(t.getCommonSubClass(rc('sgpr_64'), rc('vreg_64')), -1);
  });

  it('projects classes through sub-register indices', () => {
    const sub1 = t.subRegIndexByName('sub1');
    assert.equal(t.getSubRegisterClass(rc('vreg_64'), sub1), rc('vgpr_32'));
    assert.equal(t.getSubClassWithSubReg(rc('vgpr_32'), sub1), -1);
    assert.equal(t.getMatchingSuperRegClass(rc('av_64'), rc('vgpr_32'), sub1), rc('vreg_64'));
    assert.equal(t.getMatchingSuperRegClass(rc('av_64'), rc('sgpr_32'), sub1), -1);
  });

  it('knows banks, kinds and weights', () => {
    const kind = (name: string): number => t.regClassKind[rc(name)]!;
    assert.deepEqual(['sreg_32', 'vgpr_32', 'agpr_32', 'av_32', 'vs_32'].map(kind), [
      RegKind.SGPR,
      RegKind.VGPR,
      RegKind.AGPR,
      RegKind.AVGPR,
      RegKind.VGPR,
    ]);
    assert.equal(t.regClassWeight[rc('vreg_512')], 16);
    assert.ok(t.isSGPRClass(rc('sreg_64')) && !t.isSGPRClass(rc('vs_64')));
    assert.equal(t.regBankName(t.regBankByName('vcc')), 'vcc');
    assert.ok(t.regBankCovers(t.regBankByName('agpr'), rc('areg_128')));
  });
});

describe('opcodes', () => {
  it('finds every opcode by its name and no other text', () => {
    for (let o = 0; o < t.nOpcodes; o++) assert.equal(t.opcodeByName(t.opcodeName(o)), o);
    for (let o = 0; o < t.nOpcodes; o += 9) {
      const name = t.opcodeName(o);
      const longer = `${name}_x`;
      assert.equal(t.opcodeByNameAt(`= ${name} %0`, 2, 2 + name.length), o);
      assert.equal(t.opcodeByName(longer), -1);
      assert.equal(t.opcodeByName(name.toLowerCase()), name === name.toLowerCase() ? o : -1);
    }
    for (const name of ['', 'A', 'ZZZ', 'V_', '\u{1f600}', 'COPY ', 'V_ADD_U32_e320'])
      assert.equal(t.opcodeByName(name), -1);
  });

  it('describes operands', () => {
    const o = opc('V_ADD_CO_U32_e64');
    assert.equal(t.opcodeNumDefs(o), 2);
    const classes = Array.from({ length: t.opcodeNumOperands(o) }, (_, i) => t.operandName(o, i));
    assert.deepEqual(classes, ['vdst', 'sdst', 'src0', 'src1', 'clamp']);
    assert.equal(t.getNamedOperandIdx(o, 'src1'), 3);
    assert.equal(t.getNamedOperandIdx(o, 'omod'), -1);
    assert.equal(t.getNamedOperandIdx(o, 'no_such_name'), -1);
    const mac = opc('V_FMAC_F32_e32');
    assert.equal(t.opInfoTiedTo[t.opInfoBegin(mac) + 3], 0);
    assert.ok(t.implicitUses(mac).includes(reg('exec')));
  });

  it('has flags and predicates', () => {
    const has = (name: string, flag: McFlag): boolean =>
      flag < 32
        ? ((t.opcodeFlagsLo(opc(name)) >>> flag) & 1) !== 0
        : ((t.opcodeFlagsHi(opc(name)) >>> (flag - 32)) & 1) !== 0;
    assert.ok(has('S_BRANCH', McFlag.Branch) && has('S_BRANCH', McFlag.Terminator));
    assert.ok(has('GLOBAL_LOAD_DWORD', McFlag.MayLoad) && !has('GLOBAL_LOAD_DWORD', McFlag.MayStore));
    assert.ok(has('COPY', McFlag.CheapAsAMove) && has('G_ADD', McFlag.PreISelOpcode));
    assert.ok(isVALU(t, opc('V_ADD_F32_e32')) && !isSALU(t, opc('V_ADD_F32_e32')));
    assert.ok(isSALU(t, opc('S_ADD_U32')) && isDS(t, opc('DS_READ_B32')) && isSMRD(t, opc('S_LOAD_DWORD_IMM')));
    assert.ok(isFLAT(t, opc('GLOBAL_LOAD_DWORD')) && isMUBUF(t, opc('BUFFER_LOAD_DWORD_OFFEN')));
    assert.ok(isMFMA(t, opc('V_MFMA_F32_4X4X1F32_e64')) && isMAI(t, opc('V_ACCVGPR_READ_B32_e64')));
    assert.ok(!isMFMA(t, opc('V_ACCVGPR_READ_B32_e64')));
  });

  it('lets nothing be computed again whose result depends on EXEC', () => {
    const has = (o: number, flag: McFlag): boolean => ((t.opcodeFlagsLo(o) >>> flag) & 1) !== 0;
    let n = 0;
    for (let o = 0; o < t.nOpcodes; o++) {
      if (!has(o, McFlag.Rematerializable)) continue;
      n++;
      assert.ok(!has(o, McFlag.Compare) && t.opcodeName(o) !== 'V_READFIRSTLANE_B32', t.opcodeName(o));
    }
    assert.ok(n > 100);
  });

  it('maps between encodings', () => {
    const map = (kind: Parameters<typeof t.mapOpcode>[0], name: string): string =>
      t.opcodeName(t.mapOpcode(kind, opc(name)));
    assert.equal(map('VOPe64', 'V_ADD_F32_e32'), 'V_ADD_F32_e64');
    assert.equal(map('VOPe32', 'V_ADD_F32_e64'), 'V_ADD_F32_e32');
    assert.equal(map('CommuteRev', 'V_SUB_F32_e32'), 'V_SUBREV_F32_e32');
    assert.equal(map('GlobalSaddr', 'GLOBAL_LOAD_DWORD'), 'GLOBAL_LOAD_DWORD_SADDR');
    assert.equal(t.mapOpcode('VOPe64', opc('S_ADD_U32')), -1);
  });
});

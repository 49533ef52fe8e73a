// Opcodes: descriptors, operand names, mappings between encodings.
#include "extract.h"
#include "operandNames.h"
#include "private.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace extract;

/// Some names that must find the operand that they name, as the descriptors show.
static void checkOperandNames(const TargetInstrInfo &TII) {
  auto Index = [&](StringRef Opcode, StringRef Name) {
    for (unsigned Op = 0; Op < TII.getNumOpcodes(); ++Op)
      if (TII.getName(Op) == Opcode)
        for (unsigned N = 0; N < NumOperandNames; ++N)
          if (Name == OperandNames[N])
            return int(AMDGPU::getNamedOperandIdx(uint16_t(Op), AMDGPU::OpName(N)));
    return -2;
  };
  if (Index("V_ADD_F32_e64", "src0_modifiers") != 1 || Index("V_ADD_F32_e64", "omod") != 6 ||
      Index("DS_READ2_B32", "offset1") != 3 || Index("S_LOAD_DWORD_IMM", "sbase") != 1 ||
      Index("V_MFMA_F32_4X4X1F32_e64", "blgp") != 6 || Index("V_MOV_B32_dpp", "bound_ctrl") != 6 ||
      Index("GLOBAL_LOAD_DWORD_SADDR", "cpol") != 4)
    report_fatal_error("operand names do not fit this LLVM: see operandNames.h");
}

void extract::writeInstrs(json::OStream &J, Sample &S) {
  const TargetInstrInfo &TII = *S.subtarget().getInstrInfo();
  checkOperandNames(TII);
  unsigned N = TII.getNumOpcodes();
  Pool<std::vector<int64_t>> Operands, Registers, Named;
  J.attributeObject("instrs", [&] {
    attributeArray(J, "operand_names", OperandNames);
    J.attributeArray("rows", [&] {
      for (unsigned Op = 0; Op < N; ++Op) {
        const MCInstrDesc &D = TII.get(Op);
        std::vector<int64_t> Ops, Names, Uses, Defs;
        for (unsigned K = 0; K < D.getNumOperands(); ++K) {
          const MCOperandInfo &I = D.operands()[K];
          Ops.insert(Ops.end(), {int64_t(I.RegClass), int64_t(I.Flags), int64_t(I.OperandType),
                                 int64_t(D.getOperandConstraint(K, MCOI::TIED_TO)),
                                 int64_t(D.getOperandConstraint(K, MCOI::EARLY_CLOBBER) != -1)});
        }
        for (unsigned Q = 0; Q < NumOperandNames; ++Q) {
          int Idx = AMDGPU::getNamedOperandIdx(uint16_t(Op), AMDGPU::OpName(Q));
          if (Idx >= 0)
            Names.insert(Names.end(), {int64_t(Q), int64_t(Idx)});
        }
        for (MCPhysReg R : D.implicit_uses())
          Uses.push_back(R);
        for (MCPhysReg R : D.implicit_defs())
          Defs.push_back(R);
        J.array([&] {
          J.value(TII.getName(Op));
          J.value(D.getNumDefs());
          J.value(D.getSize());
          J.value(D.getSchedClass());
          J.value(int64_t(D.getFlags()));
          J.value(hex(D.TSFlags));
          J.value(Operands.add(Ops));
          J.value(Named.add(Names));
          J.value(Registers.add(Uses));
          J.value(Registers.add(Defs));
        });
      }
    });
    J.attributeArray("operand_lists", [&] {
      for (const auto &L : Operands.Items)
        writeArray(J, L);
    });
    J.attributeArray("named_lists", [&] {
      for (const auto &L : Named.Items)
        writeArray(J, L);
    });
    J.attributeArray("implicit_lists", [&] {
      for (const auto &L : Registers.Items)
        writeArray(J, L);
    });
    // [from, to, from, to, ...]
    J.attributeObject("maps", [&] {
      auto Map = [&](StringRef Name, int (*Function)(uint16_t)) {
        J.attributeArray(Name, [&] {
          for (unsigned Op = 0; Op < N; ++Op) {
            int To = Function(uint16_t(Op));
            if (To < 0 || To >= int(N))
              continue;
            J.value(Op);
            J.value(To);
          }
        });
      };
      using namespace AMDGPU;
      Map("VOPe32", getVOPe32);
      Map("VOPe64", getVOPe64);
      Map("SDWA", getSDWAOp);
      Map("BasicFromSDWA", getBasicFromSDWAOp);
      Map("DPP32", getDPPOp32);
      Map("DPP64", getDPPOp64);
      Map("CommuteOrig", getCommuteOrig);
      Map("CommuteRev", getCommuteRev);
      Map("MUBUFAddr64", getAddr64Inst);
      Map("MUBUFIfAddr64", getIfAddr64Inst);
      Map("SOPK", getSOPKOp);
      Map("GlobalSaddr", getGlobalSaddrOp);
      Map("GlobalVaddr", getGlobalVaddrOp);
      Map("VCMPXNoSDst", getVCMPXNoSDstOp);
      Map("VCMPXFromVCMP", getVCMPXOpFromVCMP);
      Map("FlatScratchSSfromSV", getFlatScratchInstSSfromSV);
      Map("FlatScratchSTfromSS", getFlatScratchInstSTfromSS);
      Map("FlatScratchSVfromSS", getFlatScratchInstSVfromSS);
      Map("FlatScratchSVfromSVS", getFlatScratchInstSVfromSVS);
      Map("MFMAEarlyClobber", getMFMAEarlyClobberOp);
      Map("MFMASrcCVDstAGPR", getMFMASrcCVDstAGPROp);
      Map("SOPPWithRelaxation", getSOPPWithRelaxation);
    });
  });
}

// The second target of the AMDGPU back end: opcodes, features, processors, reserved registers of R600. Registers and classes
// are written by registers.cpp, since no rule of theirs differs.
#include "extract.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace extract;

static const char *const R600 = "r600--";

static void writeOpcodes(json::OStream &J, Sample &S) {
  const TargetInstrInfo &TII = *S.subtarget().getInstrInfo();
  Pool<std::vector<int64_t>> Operands, Registers;
  J.attributeObject("instrs", [&] {
    // [name, defs, size, flags, operand list, implicit uses, implicit defs]
    J.attributeArray("rows", [&] {
      for (unsigned Op = 0; Op < TII.getNumOpcodes(); ++Op) {
        const MCInstrDesc &D = TII.get(Op);
        std::vector<int64_t> Ops;
        for (unsigned K = 0; K < D.getNumOperands(); ++K) {
          const MCOperandInfo &I = D.operands()[K];
          Ops.insert(Ops.end(), {int64_t(TII.getOpRegClassID(I)), int64_t(I.Flags), int64_t(I.OperandType),
                                 int64_t(D.getOperandConstraint(K, MCOI::TIED_TO)),
                                 int64_t(D.getOperandConstraint(K, MCOI::EARLY_CLOBBER) != -1)});
        }
        std::vector<int64_t> Uses(D.implicit_uses().begin(), D.implicit_uses().end());
        std::vector<int64_t> Defs(D.implicit_defs().begin(), D.implicit_defs().end());
        J.array([&] {
          J.value(TII.getName(Op));
          J.value(D.getNumDefs());
          J.value(D.getSize());
          J.value(int64_t(D.getFlags()));
          J.value(Operands.add(Ops));
          J.value(Registers.add(Uses));
          J.value(Registers.add(Defs));
        });
      }
    });
    J.attributeArray("operand_lists", [&] {
      for (const auto &L : Operands.Items)
        writeArray(J, L);
    });
    J.attributeArray("implicit_lists", [&] {
      for (const auto &L : Registers.Items)
        writeArray(J, L);
    });
  });
}

static void writeProcessors(json::OStream &J) {
  Sample Plain(R600, "", "");
  const MCSubtargetInfo &Any = Plain.subtarget();
  ArrayRef<SubtargetFeatureKV> Features = Any.getAllProcessorFeatures();
  auto Numbers = [&](const FeatureBitset &Bits) {
    std::vector<int64_t> Res;
    for (unsigned I = 0; I < Features.size(); ++I)
      if (Bits.test(Features[I].Value))
        Res.push_back(I);
    return Res;
  };
  // [name, description, features that it implies]
  J.attributeArray("features", [&] {
    for (const SubtargetFeatureKV &F : Features)
      J.array([&] {
        J.value(F.Key);
        J.value(F.Desc);
        writeArray(J, Numbers(F.Implies.getAsBitset()));
      });
  });
  // [name, features that it names, reserved registers]
  J.attributeArray("cpus", [&] {
    for (const SubtargetSubTypeKV &C : Any.getAllProcessorDescriptions()) {
      Sample S(R600, C.Key, "");
      const TargetRegisterInfo &TRI = *S.subtarget().getRegisterInfo();
      J.array([&] {
        J.value(C.Key);
        writeArray(J, Numbers(C.Implies.getAsBitset()));
        BitVector Bits = TRI.getReservedRegs(S.kernel());
        std::vector<unsigned> Reserved;
        for (unsigned R : Bits.set_bits())
          Reserved.push_back(R);
        writeArray(J, ranges(Reserved));
      });
    }
  });
}

void extract::writeR600(json::OStream &J) {
  Sample S(R600, "redwood", "");
  writeOpcodes(J, S);
  writeRegisters(J, S);
  writeClasses(J, S);
  writeProcessors(J);
}

// Registers, units, sub-register indices, register masks, classes and banks.
#include "extract.h"
#include "private.h"
#include "llvm/CodeGen/RegisterBank.h"
#include "llvm/CodeGen/RegisterBankInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace extract;

static void writeSubRegIndices(json::OStream &J, const TargetRegisterInfo &TRI) {
  unsigned N = TRI.getNumSubRegIndices();
  J.attributeObject("sub_reg_indices", [&] {
    // [name, offset, size, lanes]
    J.attributeArray("rows", [&] {
      for (unsigned I = 0; I < N; ++I)
        J.array([&] {
          J.value(I ? TRI.getSubRegIndexName(I) : "");
          J.value(I ? TRI.getSubRegIdxOffset(I) : 0);
          J.value(I ? TRI.getSubRegIdxSize(I) : 0);
          J.value(hex(TRI.getSubRegIndexLaneMask(I).getAsInteger()));
        });
    });
    // One row for each first index: the results for the second index 1, 2, ...
    J.attributeArray("compose", [&] {
      for (unsigned A = 1; A < N; ++A)
        J.array([&] {
          for (unsigned B = 1; B < N; ++B)
            J.value(TRI.composeSubRegIndices(A, B));
        });
    });
  });
}

static void writeUnits(json::OStream &J, const TargetRegisterInfo &TRI) {
  // [name, weight, roots, pressure sets]
  J.attributeArray("reg_units", [&] {
    for (MCRegUnit U : TRI.regunits())
      J.array([&] {
        std::string Name;
        raw_string_ostream OS(Name);
        OS << printRegUnit(U, &TRI);
        J.value(Name);
        J.value(TRI.getRegUnitWeight(U));
        J.array([&] {
          for (MCRegUnitRootIterator R(U, &TRI); R.isValid(); ++R)
            J.value(unsigned(*R));
        });
        J.array([&] {
          for (const int *P = TRI.getRegUnitPressureSets(U); *P != -1; ++P)
            J.value(*P);
        });
      });
  });
}

void extract::writeRegisters(json::OStream &J, Sample &S) {
  const TargetRegisterInfo &TRI = *S.subtarget().getRegisterInfo();
  writeSubRegIndices(J, TRI);
  writeUnits(J, TRI);
  Pool<std::vector<uint64_t>> Lanes;
  J.attributeObject("regs", [&] {
    // [name, encoding, flags, units as ranges, lane list, assembler name, [index, sub-register, ...],
    //  minimal class]; flags: 1 constant, 2 artificial, 4 in an allocatable class
    J.attributeArray("rows", [&] {
      for (unsigned R = 1; R < TRI.getNumRegs(); ++R)
        J.array([&] {
          J.value(TRI.getName(R));
          J.value(TRI.getEncodingValue(R));
          J.value(int(TRI.isConstant(R)) | int(TRI.isArtificial(R)) << 1 | int(TRI.isInAllocatableClass(R)) << 2);
          std::vector<unsigned> Units;
          std::vector<uint64_t> Masks;
          for (MCRegUnitMaskIterator U(R, &TRI); U.isValid(); ++U) {
            Units.push_back(unsigned((*U).first));
            Masks.push_back((*U).second.getAsInteger());
          }
          writeArray(J, ranges(Units));
          J.value(Lanes.add(Masks));
          J.value(TRI.getRegAsmName(R));
          J.array([&] {
            for (MCSubRegIndexIterator I(R, &TRI); I.isValid(); ++I) {
              J.value(I.getSubRegIndex());
              J.value(unsigned(I.getSubReg()));
            }
          });
          const TargetRegisterClass *Minimal = nullptr;
          for (const TargetRegisterClass *RC : TRI.regclasses())
            if (RC->contains(R)) {
              Minimal = TRI.getMinimalPhysRegClass(R);
              break;
            }
          J.value(Minimal ? int(Minimal->getID()) : -1);
        });
    });
    J.attributeArray("lane_lists", [&] {
      for (const auto &L : Lanes.Items)
        J.array([&] {
          for (uint64_t M : L)
            J.value(hex(M));
        });
    });
    // [register, super-registers...] where these are not in ascending order.
    J.attributeArray("super_regs_unordered", [&] {
      for (unsigned R = 1; R < TRI.getNumRegs(); ++R) {
        unsigned Last = 0;
        bool Ordered = true;
        for (MCPhysReg Super : TRI.superregs(R)) {
          Ordered &= Super > Last;
          Last = Super;
        }
        if (!Ordered)
          J.array([&] {
            J.value(R);
            for (MCPhysReg Super : TRI.superregs(R))
              J.value(unsigned(Super));
          });
      }
    });
  });
  J.attributeObject("reg_masks", [&] {
    ArrayRef<const uint32_t *> Masks = TRI.getRegMasks();
    ArrayRef<const char *> Names = TRI.getRegMaskNames();
    for (unsigned I = 0; I < Masks.size(); ++I) {
      std::vector<unsigned> Kept;
      for (unsigned R = 1; R < TRI.getNumRegs(); ++R)
        if (!MachineOperand::clobbersPhysReg(Masks[I], R))
          Kept.push_back(R);
      attributeArray(J, StringRef(Names[I]).lower(), ranges(Kept));
    }
  });
}

static void writeClass(json::OStream &J, const TargetRegisterInfo &TRI, const TargetRegisterClass &RC, bool IsGCN) {
  J.attribute("name", TRI.getRegClassName(&RC));
  attributeArray(J, "regs", ranges(ArrayRef(RC.begin(), RC.getNumRegs())));
  J.attribute("bits", unsigned(TRI.getRegSizeInBits(RC)));
  J.attribute("spill_size", TRI.getSpillSize(RC));
  // The alignment of classes that cannot be spilled is no power of two.
  J.attribute("spill_align", TRI.getSpillSize(RC) ? int64_t(TRI.getSpillAlign(RC).value()) : 0);
  J.attribute("copy_cost", RC.getCopyCost());
  J.attribute("allocatable", RC.isAllocatable());
  J.attribute("base_class", RC.isBaseClass());
  J.attribute("ts_flags", RC.TSFlags);
  J.attribute("alloc_priority", RC.AllocationPriority);
  J.attribute("global_priority", RC.GlobalPriority);
  J.attribute("disjunct_sub_regs", RC.HasDisjunctSubRegs);
  J.attribute("covered_by_sub_regs", RC.CoveredBySubRegs);
  J.attribute("lanes", hex(RC.getLaneMask().getAsInteger()));
  J.attribute("weight", TRI.getRegClassWeight(&RC).RegWeight);
  J.attribute("weight_limit", TRI.getRegClassWeight(&RC).WeightLimit);
  J.attributeArray("pressure_sets", [&] {
    for (const int *P = TRI.getRegClassPressureSets(&RC); *P != -1; ++P)
      J.value(*P);
  });
  J.attribute("gcn_kind", IsGCN ? extractRegKind(&RC, &TRI) : 0);
  std::vector<unsigned> Subs;
  for (unsigned K = 0; K < TRI.getNumRegClasses(); ++K)
    if (RC.hasSubClassEq(TRI.getRegClass(K)))
      Subs.push_back(K);
  attributeArray(J, "sub_classes", ranges(Subs));
  J.attributeArray("super_classes", [&] {
    for (unsigned K : RC.superclasses())
      J.value(K);
  });
  // [index, classes whose index-th sub-registers are all in this class, as ranges]
  J.attributeArray("projections", [&] {
    for (SuperRegClassIterator I(&RC, &TRI); I.isValid(); ++I)
      J.array([&] {
        std::vector<unsigned> Classes;
        for (unsigned K = 0; K < TRI.getNumRegClasses(); ++K)
          if (I.getMask()[K / 32] >> (K % 32) & 1)
            Classes.push_back(K);
        J.value(I.getSubReg());
        writeArray(J, ranges(Classes));
      });
  });
  // [index, class of the sub-registers, largest sub-class whose members have the sub-register]
  J.attributeArray("sub_reg_classes", [&] {
    for (unsigned I = 1; I < TRI.getNumSubRegIndices(); ++I) {
      const TargetRegisterClass *Class = TRI.getSubRegisterClass(&RC, I);
      const TargetRegisterClass *Sub = TRI.getSubClassWithSubReg(&RC, I);
      if (!Class && !Sub)
        continue;
      J.array([&] {
        J.value(I);
        J.value(Class ? int(Class->getID()) : -1);
        J.value(Sub ? int(Sub->getID()) : -1);
      });
    }
  });
}

void extract::writeClasses(json::OStream &J, Sample &S) {
  const TargetRegisterInfo &TRI = *S.subtarget().getRegisterInfo();
  J.attributeArray("pressure_sets", [&] {
    for (unsigned I = 0; I < TRI.getNumRegPressureSets(); ++I)
      J.value(TRI.getRegPressureSetName(I));
  });
  bool IsGCN = S.subtarget().getTargetTriple().isAMDGCN();
  J.attributeArray("classes", [&] {
    for (const TargetRegisterClass *RC : TRI.regclasses())
      J.object([&] { writeClass(J, TRI, *RC, IsGCN); });
  });
  // [name, covered classes as ranges]
  J.attributeArray("banks", [&] {
    const RegisterBankInfo *RBI = S.subtarget().getRegBankInfo();
    for (unsigned I = 0; RBI && I < RBI->getNumRegBanks(); ++I)
      J.array([&] {
        const RegisterBank &Bank = RBI->getRegBank(I);
        J.value(Bank.getName());
        std::vector<unsigned> Covered;
        for (const TargetRegisterClass *RC : TRI.regclasses())
          if (Bank.covers(*RC))
            Covered.push_back(RC->getID());
        writeArray(J, ranges(Covered));
      });
  });
}

// ---- golden answers -------------------------------------------------------------------------------------------

/// Rows of numbers, one after the other: questions and LLVM's answers (-1: none).
void extract::writeGoldenQueries(json::OStream &J, Sample &S) {
  const TargetRegisterInfo &TRI = *S.subtarget().getRegisterInfo();
  const TargetInstrInfo &TII = *S.subtarget().getInstrInfo();
  Random Next;
  unsigned Classes = TRI.getNumRegClasses(), Indices = TRI.getNumSubRegIndices(), Regs = TRI.getNumRegs();
  auto Id = [](const TargetRegisterClass *RC) { return RC ? int64_t(RC->getID()) : -1; };
  auto Class = [&] { return TRI.getRegClass(Next(Classes)); };
  // [a, b, common sub-class]
  std::vector<int64_t> Common;
  for (unsigned I = 0; I < 1500; ++I) {
    const TargetRegisterClass *A = Class(), *B = I % 3 ? TRI.getRegClass((A->getID() + Next(12)) % Classes) : Class();
    Common.insert(Common.end(), {Id(A), Id(B), Id(TRI.getCommonSubClass(A, B))});
  }
  attributeArray(J, "common_sub_class", Common);
  // [a, b, index, matching super-class]; half of the questions with an index that b projects through
  std::vector<int64_t> Matching;
  for (unsigned I = 0; I < 3000; ++I) {
    const TargetRegisterClass *A = Class(), *B = Class();
    unsigned Idx = 1 + Next(Indices - 1);
    if (I % 2) {
      std::vector<unsigned> Own;
      for (SuperRegClassIterator P(B, &TRI); P.isValid(); ++P)
        Own.push_back(P.getSubReg());
      if (!Own.empty())
        Idx = Own[Next(unsigned(Own.size()))];
    }
    Matching.insert(Matching.end(), {Id(A), Id(B), int64_t(Idx), Id(TRI.getMatchingSuperRegClass(A, B, Idx))});
  }
  attributeArray(J, "matching_super_reg_class", Matching);
  // [class, index, sub-register class, sub-class with that index]
  std::vector<int64_t> Subs;
  for (unsigned I = 0; I < 1500; ++I) {
    const TargetRegisterClass *A = Class();
    unsigned Idx = 1 + Next(Indices - 1);
    Subs.insert(Subs.end(), {Id(A), int64_t(Idx), Id(TRI.getSubRegisterClass(A, Idx)),
                             Id(TRI.getSubClassWithSubReg(A, Idx))});
  }
  attributeArray(J, "sub_reg_class", Subs);
  // [register, its sub-register, index, encoding, minimal class, overlap with another register, that register]
  std::vector<int64_t> Parts;
  for (unsigned I = 0; I < 1500; ++I) {
    MCRegister R = 1 + Next(Regs - 1), Sub = R, Other = 1 + Next(Regs - 1);
    std::vector<MCPhysReg> All(TRI.subregs(R).begin(), TRI.subregs(R).end());
    if (!All.empty())
      Sub = All[Next(unsigned(All.size()))];
    std::vector<MCPhysReg> Supers(TRI.superregs(Sub).begin(), TRI.superregs(Sub).end());
    if (I % 2 && !Supers.empty())
      Other = Supers[Next(unsigned(Supers.size()))];
    bool InClass = llvm::any_of(TRI.regclasses(), [&](const TargetRegisterClass *RC) { return RC->contains(R); });
    Parts.insert(Parts.end(),
                 {int64_t(R.id()), int64_t(Sub.id()), int64_t(Sub == R ? 0 : TRI.getSubRegIndex(R, Sub)),
                  int64_t(TRI.getEncodingValue(R)), InClass ? Id(TRI.getMinimalPhysRegClass(R)) : -1,
                  int64_t(TRI.regsOverlap(R, Other)), int64_t(Other.id())});
  }
  attributeArray(J, "registers", Parts);
  std::vector<int64_t> Compose;
  for (unsigned I = 0; I < 1500; ++I) {
    unsigned A = 1 + Next(Indices - 1), B = 1 + Next(Indices - 1);
    Compose.insert(Compose.end(), {int64_t(A), int64_t(B), int64_t(TRI.composeSubRegIndices(A, B))});
  }
  attributeArray(J, "compose", Compose);
  // [name, opcode, defs, operands, size, scheduling class, flags, TSFlags (hex), [class, type, tied to, ...]]
  J.attributeArray("opcodes", [&] {
    for (unsigned I = 0; I < 400; ++I) {
      unsigned Op = Next(TII.getNumOpcodes());
      const MCInstrDesc &D = TII.get(Op);
      J.array([&] {
        J.value(TII.getName(Op));
        J.value(Op);
        J.value(D.getNumDefs());
        J.value(D.getNumOperands());
        J.value(D.getSize());
        J.value(D.getSchedClass());
        J.value(int64_t(D.getFlags()));
        J.value(hex(D.TSFlags));
        J.array([&] {
          for (unsigned K = 0; K < D.getNumOperands(); ++K) {
            J.value(TII.getOpRegClassID(D.operands()[K]));
            J.value(unsigned(D.operands()[K].OperandType));
            J.value(D.getOperandConstraint(K, MCOI::TIED_TO));
          }
        });
      });
    }
  });
  // Names: [register, MIR name is its lower case, assembler name]
  J.attributeArray("names", [&] {
    for (unsigned I = 0; I < 400; ++I) {
      unsigned R = 1 + Next(Regs - 1);
      J.array([&] {
        J.value(R);
        J.value(TRI.getName(R));
        J.value(TRI.getRegAsmName(R));
      });
    }
  });
}

// Features, processors, and what depends on them: class of class-by-mode operands, encodings of opcodes, callee-saved
// registers, allocation orders. And the golden answers for limits and occupancy.
#include "extract.h"
#include "private.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace extract;

static const char *const Hsa = "amdgcn-amd-amdhsa";

/// Numbers of the features in the order of the list, for the bits that are set.
static std::vector<int64_t> featureList(const MCSubtargetInfo &STI, const FeatureBitset &Bits) {
  std::vector<int64_t> Res;
  int64_t I = 0;
  for (const SubtargetFeatureKV &F : STI.getAllProcessorFeatures()) {
    if (Bits.test(F.Value))
      Res.push_back(I);
    ++I;
  }
  return Res;
}

/// Number of rows of the class-by-mode table: one more than the largest that an operand asks for.
static unsigned modeTableSize(const TargetInstrInfo &TII) {
  int Max = -1;
  for (unsigned Op = 0; Op < TII.getNumOpcodes(); ++Op)
    for (const MCOperandInfo &I : TII.get(Op).operands())
      if (I.isLookupRegClassByHwMode())
        Max = std::max(Max, int(I.RegClass));
  return unsigned(Max + 1);
}

namespace {
/// What the processors share; each state refers to these by number.
struct Shared {
  Pool<std::vector<int64_t>> ModeTables, EncodingTables, RegLists, Orders;
  Pool<std::vector<std::vector<int64_t>>> Conventions;
};
} // namespace

static void writeState(json::OStream &J, Shared &P, StringRef Cpu, StringRef Features, unsigned ModeRows) {
  Sample S(Hsa, Cpu, Features);
  const TargetSubtargetInfo &ST = S.subtarget();
  const TargetInstrInfo &TII = *ST.getInstrInfo();
  const TargetRegisterInfo &TRI = *ST.getRegisterInfo();

  std::vector<int64_t> Modes;
  for (unsigned I = 0; I < ModeRows; ++I) {
    MCOperandInfo Info{};
    Info.RegClass = int16_t(I);
    Info.Flags = 1 << MCOI::LookupRegClassByHwMode;
    Modes.push_back(TII.getOpRegClassID(Info));
  }

  // Opcodes that have another encoded form (-1: none); the others are encoded as they are.
  std::vector<int64_t> Encodings;
  for (unsigned Op = 0; Op < TII.getNumOpcodes(); ++Op) {
    int To = extractPseudoToMC(&TII, int(Op));
    if (To != int(Op))
      Encodings.insert(Encodings.end(), {int64_t(Op), int64_t(To)});
  }

  ArrayRef<const uint32_t *> Masks = TRI.getRegMasks();
  std::vector<std::vector<int64_t>> Saved;
  for (unsigned C = 0; C < NumConventions; ++C) {
    MachineFunction &MF = S.function(C);
    unsigned Number = MF.getFunction().getCallingConv();
    std::vector<unsigned> Regs;
    if (const MCPhysReg *R = TRI.getCalleeSavedRegs(&MF))
      for (; *R; ++R)
        Regs.push_back(*R);
    int64_t MaskId = -1;
    const uint32_t *Mask = TRI.getCallPreservedMask(MF, Number);
    for (unsigned I = 0; I < Masks.size(); ++I)
      if (Masks[I] == Mask)
        MaskId = int64_t(I);
    Saved.push_back({int64_t(Number), int64_t(P.RegLists.add(ranges(Regs))), MaskId});
  }

  // [class, list of registers] where the order differs from the members.
  std::vector<int64_t> Orders;
  for (unsigned C = 0; C < NumConventions; ++C) {
    std::vector<int64_t> Here;
    for (const TargetRegisterClass *RC : TRI.regclasses()) {
      ArrayRef<MCPhysReg> Order = RC->getRawAllocationOrder(S.function(C));
      if (Order.size() != RC->getNumRegs() || !std::equal(Order.begin(), Order.end(), RC->begin()))
        Here.insert(Here.end(), {int64_t(RC->getID()), int64_t(P.RegLists.add(ranges(Order)))});
    }
    if (C == 0)
      Orders = Here;
    else if (Here != Orders)
      report_fatal_error("the allocation order depends on the calling convention");
  }

  J.object([&] {
    J.attribute("cpu", Cpu);
    J.attribute("fs", Features);
    attributeArray(J, "on", featureList(ST, ST.getFeatureBits()));
    J.attribute("mode_table", P.ModeTables.add(Modes));
    J.attribute("encodings", P.EncodingTables.add(Encodings));
    J.attribute("conventions", P.Conventions.add(Saved));
    J.attribute("orders", P.Orders.add(Orders));
    J.attribute("hooks", int(ST.enableMachineScheduler()) | int(ST.enablePostRAMachineScheduler()) << 1 |
                             int(ST.enableSubRegLiveness()) << 2 | int(ST.useAA()) << 3 |
                             int(ST.requiresDisjointEarlyClobberAndUndef()) << 4);
  });
}

template <typename Lists> static void writeLists(json::OStream &J, StringRef Key, const Lists &L) {
  J.attributeArray(Key, [&] {
    for (const auto &Item : L)
      writeArray(J, Item);
  });
}

void extract::writeSubtargets(json::OStream &J) {
  Sample Any(Hsa, "gfx900", "");
  const TargetSubtargetInfo &ST = Any.subtarget();
  // [name, description, implied features]
  J.attributeArray("features", [&] {
    for (const SubtargetFeatureKV &F : ST.getAllProcessorFeatures())
      J.array([&] {
        J.value(F.Key);
        J.value(F.Desc);
        writeArray(J, featureList(ST, F.Implies.getAsBitset()));
      });
  });
  // [name, features, tuning features, scheduling model]
  J.attributeArray("cpus", [&] {
    for (const SubtargetSubTypeKV &P : ST.getAllProcessorDescriptions())
      J.array([&] {
        J.value(P.Key);
        writeArray(J, featureList(ST, P.Implies.getAsBitset()));
        writeArray(J, featureList(ST, P.TuneImplies.getAsBitset()));
        J.value(P.SchedModel->ProcID);
      });
  });
  J.attribute("default_sched_model", Sample(Hsa, "", "").subtarget().getSchedModel().ProcID);
  Shared P;
  unsigned ModeRows = modeTableSize(*ST.getInstrInfo());
  J.attributeArray("states", [&] {
    writeState(J, P, "", "", ModeRows);
    for (const SubtargetSubTypeKV &Cpu : ST.getAllProcessorDescriptions())
      for (StringRef Features : {"", "+wavefrontsize32", "+wavefrontsize64", "+cumode", "+real-true16"})
        writeState(J, P, Cpu.Key, Features, ModeRows);
  });
  writeLists(J, "mode_tables", P.ModeTables.Items);
  writeLists(J, "encoding_tables", P.EncodingTables.Items);
  writeLists(J, "reg_lists", P.RegLists.Items);
  writeLists(J, "order_tables", P.Orders.Items);
  // [calling convention, list of callee-saved registers, mask of preserved registers]
  J.attributeArray("convention_tables", [&] {
    for (const auto &Table : P.Conventions.Items)
      J.array([&] {
        for (const auto &Row : Table)
          writeArray(J, Row);
      });
  });
}

// ---- golden answers -------------------------------------------------------------------------------------------

/// [from, value, from, value, ...]: the value holds from that number on.
template <typename Function> static std::vector<int64_t> steps(unsigned From, unsigned To, Function F) {
  std::vector<int64_t> Res;
  for (unsigned N = From; N <= To; ++N) {
    int64_t V = F(N);
    if (Res.empty() || Res.back() != V)
      Res.insert(Res.end(), {int64_t(N), V});
  }
  return Res;
}

/// All limits of one subtarget as one list of lists, in the order that the test reads.
static std::vector<std::vector<int64_t>> limits(Sample &S) {
  using namespace AMDGPU::IsaInfo;
  const MCSubtargetInfo *STI = &S.subtarget();
  unsigned W = getMaxWavesPerEU(STI);
  std::vector<std::vector<int64_t>> Res;
  Res.push_back({getWavefrontSize(STI), getEUsPerCU(STI), W, getLocalMemorySize(STI),
                 getAddressableLocalMemorySize(STI), getTotalNumSGPRs(STI), getAddressableNumSGPRs(STI),
                 getSGPRAllocGranule(STI), getTotalNumVGPRs(STI), getAddressableNumArchVGPRs(STI)});
  Res.push_back(steps(0, 200, [&](unsigned N) { return extractOccupancySGPR(STI, N); }));
  Res.push_back(steps(1, W + 2, [&](unsigned N) { return getMaxNumSGPRs(STI, N, false); }));
  Res.push_back(steps(1, W + 2, [&](unsigned N) { return getMaxNumSGPRs(STI, N, true); }));
  Res.push_back(steps(1, W + 2, [&](unsigned N) { return getMinNumSGPRs(STI, N); }));
  Res.push_back(steps(1, 1024, [&](unsigned N) { return getMaxWorkGroupsPerCU(STI, N); }));
  for (unsigned Block : {0, 16, 32}) {
    Res.push_back({getVGPRAllocGranule(STI, Block, std::nullopt), getAddressableNumVGPRs(STI, Block)});
    Res.push_back(steps(0, 1100, [&](unsigned N) { return extractOccupancyVGPR(STI, N, Block); }));
    Res.push_back(steps(1, W + 2, [&](unsigned N) { return getMaxNumVGPRs(STI, N, Block); }));
    Res.push_back(steps(1, W + 2, [&](unsigned N) { return getMinNumVGPRs(STI, N, Block); }));
  }
  // [LDS bytes, smallest size, largest size, smallest occupancy, largest occupancy, ...]
  std::vector<int64_t> Ranges;
  const AMDGPUSubtarget &Sub = AMDGPUSubtarget::get(S.kernel());
  Random Next;
  for (unsigned I = 0; I < 120; ++I) {
    unsigned Lds = I % 3 ? Next(I % 2 ? 70000 : 330000) : Next(2) * 16384;
    unsigned A = 1 + Next(1024), B = 1 + Next(1024);
    auto R = Sub.getOccupancyWithWorkGroupSizes(Lds, {std::min(A, B), std::max(A, B)});
    Ranges.insert(Ranges.end(), {Lds, std::min(A, B), std::max(A, B), R.first, R.second});
  }
  Res.push_back(Ranges);
  return Res;
}

void extract::writeGolden(json::OStream &J) {
  Sample Any(Hsa, "gfx900", "");
  std::vector<std::string> Cpus = {""};
  for (const SubtargetSubTypeKV &P : Any.subtarget().getAllProcessorDescriptions())
    Cpus.push_back(P.Key);
  attributeArray(J, "cpus", Cpus);
  Sample Gfx90a(Hsa, "gfx90a", "");
  J.attributeObject("queries", [&] { writeGoldenQueries(J, Gfx90a); });
  Pool<std::vector<std::vector<int64_t>>> Limits;
  Pool<std::vector<int64_t>> Features;
  // [triple, processor, features, list of features that are on, limits]
  J.attributeArray("subtargets", [&] {
    for (StringRef Triple : {"amdgcn", "amdgcn-amd-amdhsa", "amdgcn-amd-amdpal", "amdgcn-mesa-mesa3d"})
      for (const std::string &Cpu : Cpus)
        for (StringRef FS : {"", "+wavefrontsize64", "+wavefrontsize32", "+cumode,+wavefrontsize64", "+cumode",
                             "-wavefrontsize32", "+xnack", "-xnack,+trap-handler", "-flat-for-global,+sramecc"}) {
          bool Plain = Triple == "amdgcn" || Triple == Hsa;
          if (!Plain && !FS.empty())
            continue;
          Sample S(Triple, Cpu, FS);
          J.array([&] {
            J.value(Triple);
            J.value(Cpu);
            J.value(FS);
            J.value(Features.add(featureList(S.subtarget(), S.subtarget().getFeatureBits())));
            J.value(Plain ? int(Limits.add(limits(S))) : -1);
          });
        }
  });
  writeLists(J, "features", Features.Items);
  J.attributeArray("limits", [&] {
    for (const auto &L : Limits.Items)
      J.array([&] {
        for (const auto &Row : L)
          writeArray(J, Row);
      });
  });
}

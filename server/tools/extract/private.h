// Functions of the AMDGPU back end that no public header declares. They can be called because the extractor is
// linked against LLVM's static libraries; a changed signature shows as a link error or in the packer's checks.
#pragma once
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include <optional>
#include <utility>

namespace llvm {
/// Only ever a reference to LLVM's object.
class AMDGPUSubtarget {
public:
  static const AMDGPUSubtarget &get(const MachineFunction &);
  std::pair<unsigned, unsigned> getOccupancyWithWorkGroupSizes(uint32_t LDSBytes,
                                                               std::pair<unsigned, unsigned> Sizes) const;
};
namespace AMDGPU {
enum class OpName : uint8_t {};
int16_t getNamedOperandIdx(uint16_t Opcode, OpName Name);
int getMCOpcode(uint16_t Opcode, unsigned Generation);
int getVOPe32(uint16_t);
int getVOPe64(uint16_t);
int getSDWAOp(uint16_t);
int getBasicFromSDWAOp(uint16_t);
int getDPPOp32(uint16_t);
int getDPPOp64(uint16_t);
int getCommuteOrig(uint16_t);
int getCommuteRev(uint16_t);
int getAddr64Inst(uint16_t);
int getIfAddr64Inst(uint16_t);
int getSOPKOp(uint16_t);
int getGlobalSaddrOp(uint16_t);
int getGlobalVaddrOp(uint16_t);
int getVCMPXNoSDstOp(uint16_t);
int getVCMPXOpFromVCMP(uint16_t);
int getFlatScratchInstSSfromSV(uint16_t);
int getFlatScratchInstSTfromSS(uint16_t);
int getFlatScratchInstSVfromSS(uint16_t);
int getFlatScratchInstSVfromSVS(uint16_t);
int getMFMAEarlyClobberOp(uint16_t);
int getMFMASrcCVDstAGPROp(uint16_t);
int getSOPPWithRelaxation(uint16_t);
bool isIntrinsicSourceOfDivergence(unsigned ID);
bool isIntrinsicAlwaysUniform(unsigned ID);
namespace IsaInfo {
unsigned getWavefrontSize(const MCSubtargetInfo *);
unsigned getEUsPerCU(const MCSubtargetInfo *);
unsigned getMaxWavesPerEU(const MCSubtargetInfo *);
unsigned getLocalMemorySize(const MCSubtargetInfo *);
unsigned getAddressableLocalMemorySize(const MCSubtargetInfo *);
unsigned getTotalNumSGPRs(const MCSubtargetInfo *);
unsigned getAddressableNumSGPRs(const MCSubtargetInfo *);
unsigned getSGPRAllocGranule(const MCSubtargetInfo *);
unsigned getMinNumSGPRs(const MCSubtargetInfo *, unsigned Waves);
unsigned getMaxNumSGPRs(const MCSubtargetInfo *, unsigned Waves, bool Addressable);
unsigned getTotalNumVGPRs(const MCSubtargetInfo *);
unsigned getAddressableNumVGPRs(const MCSubtargetInfo *, unsigned DynamicBlock);
unsigned getAddressableNumArchVGPRs(const MCSubtargetInfo *);
unsigned getVGPRAllocGranule(const MCSubtargetInfo *, unsigned DynamicBlock, std::optional<bool> Wave32);
unsigned getMinNumVGPRs(const MCSubtargetInfo *, unsigned Waves, unsigned DynamicBlock);
unsigned getMaxNumVGPRs(const MCSubtargetInfo *, unsigned Waves, unsigned DynamicBlock);
unsigned getMaxWorkGroupsPerCU(const MCSubtargetInfo *, unsigned Size);
} // namespace IsaInfo
} // namespace AMDGPU
} // namespace llvm

// Members of private classes, with the object as first argument.
extern "C" {
unsigned extractOccupancySGPR(const void *GCNSubtarget, unsigned N) __asm__(
    "_ZNK4llvm12GCNSubtarget24getOccupancyWithNumSGPRsEj");
unsigned extractOccupancyVGPR(const void *GCNSubtarget, unsigned N, unsigned DynamicBlock) __asm__(
    "_ZNK4llvm12GCNSubtarget24getOccupancyWithNumVGPRsEjj");
int extractPseudoToMC(const void *SIInstrInfo, int Opcode) __asm__(
    "_ZNK4llvm11SIInstrInfo16pseudoToMCOpcodeEi");
unsigned extractRegKind(const void *RegClass, const void *SIRegisterInfo) __asm__(
    "_ZN4llvm14GCNRegPressure10getRegKindEPKNS_19TargetRegisterClassEPKNS_14SIRegisterInfoE");
}

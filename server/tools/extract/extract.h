// Shared by the parts of the extractor: the sample functions that the tables are read from, and JSON helpers.
#pragma once
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace extract {

/// A calling convention as IR spells it ("" is the default one).
struct Convention {
  const char *Name;
  const char *Args;
};
extern const Convention Conventions[];
extern const unsigned NumConventions;

/// Empty machine functions, one for each calling convention, on one processor with features.
class Sample {
public:
  Sample(llvm::StringRef Triple, llvm::StringRef Cpu, llvm::StringRef Features);
  llvm::MachineFunction &function(unsigned Conv) { return *Functions[Conv]; }
  llvm::MachineFunction &kernel() { return *Functions[0]; }
  const llvm::TargetSubtargetInfo &subtarget() { return kernel().getSubtarget(); }

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> Machine;
  std::unique_ptr<llvm::Module> Module;
  std::unique_ptr<llvm::MachineModuleInfo> Info;
  std::vector<llvm::MachineFunction *> Functions;
};

/// Numbers values by first appearance.
template <typename T> class Pool {
public:
  unsigned add(const T &Value) {
    auto Res = Ids.insert({Value, unsigned(Items.size())});
    if (Res.second)
      Items.push_back(Value);
    return Res.first->second;
  }
  std::vector<T> Items;

private:
  std::map<T, unsigned> Ids;
};

/// [first, count, first, count, ...] of numbers in their order.
template <typename Range> std::vector<int64_t> ranges(const Range &Values) {
  std::vector<int64_t> Res;
  for (auto V : Values) {
    int64_t N = int64_t(unsigned(V));
    if (!Res.empty() && Res[Res.size() - 2] + Res.back() == N)
      ++Res.back();
    else {
      Res.push_back(N);
      Res.push_back(1);
    }
  }
  return Res;
}

template <typename Range> void writeArray(llvm::json::OStream &J, const Range &Values) {
  J.array([&] {
    for (const auto &V : Values)
      J.value(V);
  });
}
template <typename Range>
void attributeArray(llvm::json::OStream &J, llvm::StringRef Key, const Range &Values) {
  J.attributeBegin(Key);
  writeArray(J, Values);
  J.attributeEnd();
}
inline std::string hex(uint64_t V) { return llvm::utohexstr(V, true); }

void writeInstrs(llvm::json::OStream &J, Sample &S);
void writeRegisters(llvm::json::OStream &J, Sample &S);
void writeClasses(llvm::json::OStream &J, Sample &S);
void writeSubtargets(llvm::json::OStream &J);
void writeSchedModels(llvm::json::OStream &J);
void writeUniformity(llvm::json::OStream &J);
/// The tables of the other target of the back end (`--r600`).
void writeR600(llvm::json::OStream &J);
/// Answers of LLVM that the unit tests compare with (`--golden`).
void writeGolden(llvm::json::OStream &J);
void writeGoldenQueries(llvm::json::OStream &J, Sample &S);

/// A small generator of numbers, the same on all machines.
class Random {
public:
  /// 0 .. Below - 1
  unsigned operator()(unsigned Below) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return unsigned(State >> 33) % Below;
  }

private:
  uint64_t State = 1;
};

} // namespace extract

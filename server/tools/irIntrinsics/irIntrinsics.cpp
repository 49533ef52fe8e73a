// Prints one line per intrinsic that AMDGPU code can name: `NAME<tab>SIGNATURE<tab>ATTRIBUTES`. See build.sh.
//
// SIGNATURE: descriptors of result and parameters separated by blanks, each a letter and its numbers (see
// server/src/ir/intrinsics.ts); a leading `*` marks an overloaded intrinsic.
// ATTRIBUTES: `fn|result|param0|param1...` in IR syntax, empty tails left out.
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

using namespace llvm;
using Desc = Intrinsic::IITDescriptor;

static std::string describe(const Desc &D) {
  switch (D.Kind) {
  case Desc::Void: return "v";
  case Desc::VarArg: return ".";
  case Desc::Token: return "t";
  case Desc::Metadata: return "m";
  case Desc::Half: return "h";
  case Desc::BFloat: return "b";
  case Desc::Float: return "f";
  case Desc::Double: return "d";
  case Desc::Quad: return "q";
  case Desc::Integer: return "i" + std::to_string(D.Integer_Width);
  case Desc::Vector:
    return (D.Vector_Width.isScalable() ? "s" : "V") + std::to_string(D.Vector_Width.getKnownMinValue());
  case Desc::Pointer: return "p" + std::to_string(D.Pointer_AddressSpace);
  case Desc::Struct: return "S" + std::to_string(D.Struct_NumElements);
  case Desc::Argument:
    return "A" + std::to_string(D.getArgumentNumber()) + ":" + std::to_string(unsigned(D.getArgumentKind()));
  case Desc::ExtendArgument: return "E" + std::to_string(D.getArgumentNumber());
  case Desc::TruncArgument: return "T" + std::to_string(D.getArgumentNumber());
  case Desc::SameVecWidthArgument: return "W" + std::to_string(D.getArgumentNumber());
  case Desc::VecElementArgument: return "e" + std::to_string(D.getArgumentNumber());
  case Desc::Subdivide2Argument: return "2" + std::to_string(D.getArgumentNumber());
  case Desc::Subdivide4Argument: return "4" + std::to_string(D.getArgumentNumber());
  case Desc::VecOfBitcastsToInt: return "I" + std::to_string(D.getArgumentNumber());
  case Desc::VecOfAnyPtrsToElt:
    return "P" + std::to_string(D.getOverloadArgNumber()) + ":" + std::to_string(D.getRefArgNumber());
  case Desc::OneNthEltsVecArgument:
    return "N" + std::to_string(D.getVectorDivisor()) + ":" + std::to_string(D.getRefArgNumber());
  default: return "?";
  }
}

static std::string text(AttributeSet Set) {
  std::string Res;
  for (Attribute A : Set) {
    if (!Res.empty())
      Res += ' ';
    Res += A.getAsString();
  }
  return Res;
}

// Descriptors that one type takes in the flat list.
static size_t skipType(const SmallVectorImpl<Desc> &T, size_t I) {
  switch (T[I].Kind) {
  case Desc::Vector: return skipType(T, I + 1);
  case Desc::SameVecWidthArgument: return skipType(T, I + 1);
  case Desc::Struct: {
    size_t N = T[I].Struct_NumElements, J = I + 1;
    for (size_t K = 0; K < N; ++K)
      J = skipType(T, J);
    return J;
  }
  default: return I + 1;
  }
}

int main() {
  static const char *const Targets[] = {"aarch64", "arm",   "bpf", "dx",  "hexagon", "loongarch", "mips", "nvvm", "ppc",
                                        "riscv",   "s390", "spv", "ve",  "wasm",    "x86",       "xcore"};
  LLVMContext Context;
  for (unsigned ID = 1; ID < Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    StringRef Rest = Name;
    Rest.consume_front("llvm.");
    StringRef Prefix = Rest.split('.').first;
    bool IsOther = false;
    for (const char *T : Targets)
      IsOther |= Prefix == T;
    if (IsOther)
      continue;
    SmallVector<Desc, 8> Table;
    Intrinsic::getIntrinsicInfoTableEntries(Intrinsic::ID(ID), Table);
    std::string Signature;
    for (const Desc &D : Table) {
      if (!Signature.empty())
        Signature += ' ';
      Signature += describe(D);
    }
    size_t NParams = 0;
    for (size_t I = skipType(Table, 0); I < Table.size(); I = skipType(Table, I))
      if (Table[I].Kind != Desc::VarArg)
        ++NParams;
    // Attributes depend on the number of parameters, and ranges on the type that they stand at: i32 here.
    std::vector<Type *> Params(NParams, Type::getInt32Ty(Context));
    FunctionType *FT = FunctionType::get(Type::getInt32Ty(Context), Params, false);
    AttributeList Attrs = Intrinsic::getAttributes(Context, Intrinsic::ID(ID), FT);
    std::vector<std::string> Parts{text(Attrs.getFnAttrs()), text(Attrs.getRetAttrs())};
    for (size_t I = 0; I < NParams; ++I)
      Parts.push_back(text(Attrs.getParamAttrs(I)));
    while (Parts.size() > 1 && Parts.back().empty())
      Parts.pop_back();
    outs() << Rest << '\t' << (Intrinsic::isOverloaded(Intrinsic::ID(ID)) ? "*" : "") << Signature << '\t';
    for (size_t I = 0; I < Parts.size(); ++I)
      outs() << (I ? "|" : "") << Parts[I];
    outs() << '\n';
  }
}

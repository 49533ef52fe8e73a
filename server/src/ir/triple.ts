/** Canonical spelling of a target triple (Triple::normalize, LLVM 22), for the components that AMDGPU triples have. */

const VENDORS: ReadonlySet<string> = new Set(
  'unknown amd apple pc scei sie fsl ibm img mti nvidia csr myriad mesa suse oe intel meta'.split(' '),
);
const OS_PREFIXES =
  'amdhsa amdpal mesa3d linux darwin freebsd fuchsia ios macosx macos netbsd openbsd solaris uefi windows win32 aix cuda nvcl rtems hurd wasi emscripten managarm none'.split(
    ' ',
  );
const ENV_PREFIXES =
  'gnu musl android eabihf eabi llvm msvc itanium cygnus coreclr simulator macabi opencl amplification compute vulkan mesh'.split(
    ' ',
  );

const kindOf = (part: string, position: number): boolean => {
  if (position === 0) return part === 'amdgcn' || part === 'r600' || /^(x86_64|i\d86|arm|aarch64|nvptx)/.test(part);
  if (position === 1) return VENDORS.has(part);
  if (position === 2) return part === 'unknown' || OS_PREFIXES.some((os) => part.startsWith(os));
  return ENV_PREFIXES.some((env) => part.startsWith(env));
};

/** `amdgcn--amdhsa` and `amdgcn-amdhsa` become `amdgcn-unknown-amdhsa`; '' stays ''. */
export function normalizeTriple(triple: string): string {
  if (triple === '') return '';
  const parts = triple.split('-');
  const found = [false, false, false, false];
  for (let i = 0; i < Math.min(4, parts.length); i++) found[i] = parts[i] !== '' && kindOf(parts[i], i);
  for (let position = 0; position < 4; position++) {
    if (found[position]) continue;
    for (let i = 0; i < parts.length; i++) {
      if ((i < 4 && found[i]) || parts[i] === '' || !kindOf(parts[i], position)) continue;
      if (position === i) break;
      const [part] = parts.splice(i, 1, '');
      if (position < i) {
        // The part moves left; what stood there shifts right into the gap.
        let carried = part;
        for (let k = position; carried !== ''; k++) {
          while (k < 4 && found[k]) k++;
          const next = parts[k] ?? '';
          parts[k] = carried;
          carried = next;
        }
      } else {
        parts.splice(i, 1);
        const gap = position - i;
        parts.splice(i, 0, ...new Array<string>(gap).fill(''), part);
      }
      found[position] = true;
      break;
    }
  }
  return parts.map((p) => (p === '' ? 'unknown' : p)).join('-');
}

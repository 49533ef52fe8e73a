/** Functions with a copy from a vector to a scalar register, for tests of the findings about it. */

export const copyFunction = (name: string, constant = 1): string => `---
name: ${name}
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8
    %id:vgpr_32 = COPY $vgpr0
    %3:sreg_32 = COPY %id
    %4:sreg_32 = S_ADD_I32 %3, ${constant}, implicit-def dead $scc
    S_ENDPGM 0, implicit %4
...
`;

/** The project's version. The bundler puts the one of package.json in place of the name; from sources it is `dev`. */
declare const AMDGPU_MIR_VERSION: string | undefined;

export const VERSION: string = typeof AMDGPU_MIR_VERSION === 'string' ? AMDGPU_MIR_VERSION : 'dev';

/** Programs of the user: found once, before any RUN line has a say. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The absolute path of a program that is named as a shell names it; the name where there is none. */
export function resolveProgram(name: string): string {
  if (isAbsolute(name)) return name;
  if (/[\\/]/.test(name)) return resolve(name);
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = resolve(join(folder === '' ? '.' : folder, name));
    if (isProgram(path)) return path;
  }
  return name;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

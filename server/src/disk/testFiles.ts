/** The files of a test that runs on the disk: what its RUN lines may read and write. */
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { MAX_TEXT, Unsupported } from '../program/testFile/limits.js';
import type { LitFiles } from '../program/litTools.js';
import { oneLine } from '../text/visible.js';
import { decodeBytes, encodeBytes } from './fileBytes.js';
import { isBelow, realPlace } from './wholeFile.js';

const NULL_DEVICE = '/dev/null';

/** Relative paths begin at the test's temporary folder; what is written lies in it, with all links followed. */
export class TestFiles implements LitFiles {
  private readonly root: string;

  /** `writesAnywhere`: as lit does. Throws errors of the system for a folder that is not there. */
  constructor(
    readonly folder: string,
    private readonly writesAnywhere = false,
  ) {
    this.root = realPlace(folder);
  }

  /** Regular files alone: a pipe or a device may have no end. Throws errors of the system and Unsupported. */
  read(path: string): string {
    if (path === NULL_DEVICE) return '';
    const place = resolve(this.folder, path);
    this.checkInput(path);
    // Who has put a pipe there meanwhile does not stop us.
    const fd = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() && !stat.isDirectory()) throw new Unsupported(`reads ${oneLine(path)}, which is no file`);
      if (stat.size > MAX_TEXT) throw new Unsupported(`reads ${oneLine(path)}, which has ${stat.size} bytes`);
      return decodeBytes(readFileSync(fd));
    } finally {
      closeSync(fd);
    }
  }

  /** Throws Unsupported for what is there and is neither a file nor a folder. */
  checkInput(path: string): void {
    if (path === NULL_DEVICE) return;
    const stat = statSync(resolve(this.folder, path), { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile() && !stat.isDirectory())
      throw new Unsupported(`reads ${oneLine(path)}, which is no file`);
  }

  write(path: string, text: string, appends: boolean): void {
    const place = this.writable(path);
    if (place !== NULL_DEVICE) (appends ? appendFileSync : writeFileSync)(place, encodeBytes(text));
  }

  makeFolder(path: string): void {
    mkdirSync(this.writable(path), { recursive: true });
  }

  remove(path: string): void {
    const place = resolve(this.folder, path);
    // The link itself goes, not what it leads to.
    if (!isBelow(this.root, realPlace(place)))
      throw new Unsupported(`removes ${oneLine(path)}, which is not a temporary file`);
    rmSync(place, { recursive: true, force: true });
  }

  /** The place of a file that a RUN line writes. Throws errors of the system and Unsupported. */
  writable(path: string): string {
    if (path === NULL_DEVICE) return path;
    const place = realPlace(resolve(this.folder, path));
    if (!this.writesAnywhere && !isBelow(this.root, place))
      throw new Unsupported(`writes ${oneLine(path)}, which is not a temporary file of the test (%t)`);
    const stat = statSync(place, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile() && !stat.isDirectory())
      throw new Unsupported(`writes ${oneLine(path)}, which is no file`);
    return place;
  }
}

/** What the program that starts a bundle (launch.ts under Node, executable.ts in one file) gives to its `main`. */
export interface BundleStart {
  /** Path of the program, for threads that run it with other arguments. */
  readonly program: string;
  /** Bytes of a file that the build made for the bundles, the caller's from now on. Throws when it cannot be read. */
  read(name: string): Buffer;
  /** Loads the language server, which runs by being loaded. */
  loadServer(): void;
}

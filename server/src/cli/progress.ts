/** A progress bar on standard error: `[########          ] 12 of 40`. Hidden while a result is printed. */

const WIDTH = 30;
const CLEAR_LINE = '\r\u001b[K';
/** A redraw costs a system call: not more often than people can see. */
const REDRAW_MS = 50;

export class ProgressBar {
  private done = 0;
  private isShown = false;
  private lastDraw = 0;

  constructor(
    private readonly total: number,
    private readonly isOn: boolean,
    private readonly write: (text: string) => void = (text) => void process.stderr.write(text),
  ) {}

  /** One more is done. */
  step(): void {
    this.done++;
    if (!this.isOn) return;
    const now = Date.now();
    if (this.isShown || (now - this.lastDraw < REDRAW_MS && this.done < this.total)) return;
    this.lastDraw = now;
    const filled = Math.round((this.done / this.total) * WIDTH);
    this.write(`${CLEAR_LINE}[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${this.done} of ${this.total}`);
    this.isShown = true;
  }

  hide(): void {
    if (!this.isShown) return;
    this.write(CLEAR_LINE);
    this.isShown = false;
  }

  end(): void {
    this.hide();
  }
}
